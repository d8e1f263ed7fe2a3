"""Signed tokens: ours are known without asking anybody, made-up ones are not."""

import pytest
from flask import Flask

from service.auth import bearer
from service.store import devices, links
from service.values import entropy, signed_tokens
from service.values.signed_tokens import Origin, Signer
from tests.rig.service import seated

SIGNER = Signer("a secret")


@pytest.mark.parametrize("origin", Origin)
def test_whoever_has_the_key_knows_to_whom_a_proof_was_given(origin: Origin) -> None:
    proof = SIGNER.make(origin)

    assert SIGNER.origin(proof) is origin
    assert SIGNER.origin(f"kup_{proof}") is origin


@pytest.mark.parametrize(
    "made_up", ["", "kup_", "a" * 26, f"kup_{'a' * 26}", "ä" * 26, "a" * 27]
)
def test_what_nobody_was_given_has_no_origin(made_up: str) -> None:
    assert SIGNER.origin(made_up) is None


def test_another_key_knows_none_of_them() -> None:
    proof = SIGNER.make(Origin.MAILBOX)

    assert Signer("another secret").origin(proof) is None


def test_of_made_up_proofs_hardly_one_looks_like_ours() -> None:
    made_up = [entropy.token() for _ in range(20_000)]

    assert [each for each in made_up if SIGNER.origin(each)] == []


def test_every_letter_of_a_proof_is_bound_to_its_signature() -> None:
    proof = SIGNER.make(Origin.MAILBOX)
    changed = [
        proof[:at] + ("a" if proof[at] != "a" else "b") + proof[at + 1 :]
        for at in range(len(proof))
    ]

    assert {SIGNER.origin(each) for each in changed} == {None}


def test_all_that_we_give_out_is_signed(inside: Flask) -> None:
    signer = signed_tokens.signer(inside.config["KINGUP"].secret_key)
    table = seated.started(3)
    link = seated.link(table.id, 0, "game")
    mailed = [
        links.add(link),
        devices.remember(table.id, link.person_id, 0),
        bearer.issue_token("rachel@example.org"),
    ]
    practised = bearer.game_token(link.person_id, table.id)

    assert {signer.origin(each) for each in mailed} == {Origin.MAILBOX}
    assert signer.origin(practised) is Origin.ANYBODY


@pytest.mark.parametrize(
    ("path", "opens"),
    [
        ("/v1/games/2edbd422-2a88-40ee-b087-52df16fde604/stream", True),
        ("/v1/me/stream", True),
        ("/v1/games/2edbd422-2a88-40ee-b087-52df16fde604/view", False),
        ("/v1/me/turns", False),
        ("/rules", False),
    ],
)
def test_a_ticket_shows_somebody_only_where_it_opens_something(
    path: str, opens: bool
) -> None:
    ticket = SIGNER.make(Origin.MAILBOX)

    asked = {"PATH_INFO": path, "QUERY_STRING": f"ticket={ticket}"}

    assert SIGNER.has_mailbox(asked) is opens
