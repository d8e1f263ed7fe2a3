"""What asking for a code and trying one tell of an address: nothing."""

from pathlib import Path

import msgspec
import pytest
from flask import Flask

from service.store import opt_outs
from service.store.transactions import transaction
from tests.rig.service.postbox import RITA, Postbox
from tests.rig.service.programs import let_pass, operator_token, unknown_game
from tests.rig.service.seated import run
from tests.rig.statements import heard


@pytest.fixture
def post(app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Postbox:
    return Postbox(app, tmp_path, monkeypatch)


def opt_out(post: Postbox, key: str) -> None:
    with post.api.app.app_context(), transaction():
        opt_outs.add(key)


def statements(post: Postbox, address: str) -> list[str]:
    """What the database is asked for while somebody asks for a code."""
    with heard() as found:
        post.ask(address)
    return found


def cap_instance(post: Postbox, monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    config = post.api.app.config
    few = msgspec.structs.replace(config["KINGUP"], invitations_a_day=most)
    monkeypatch.setitem(config, "KINGUP", few)


def test_tries_write_alike_whether_or_not_there_was_a_mail(
    post: Postbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    operator_token(post.api, RITA)
    cap_instance(post, monkeypatch, 0)
    used, code = post.ask(), post.code()
    post.confirm(used, code)
    mailed, never_mailed = post.ask(), post.ask("no@example.org")
    post.letters()

    for sign_in in (used, mailed, never_mailed):
        for number in range(8):
            assert post.confirm(sign_in, "BBBB-BBBB").status_code == 409, number

    with post.api.app.app_context():
        rows = run("SELECT tries, code_hash IS NULL FROM mailed_code ORDER BY 2")
    assert sorted(rows) == [(6, False), (6, False), (6, True)]


def test_every_way_to_be_wrong_is_told_alike(post: Postbox) -> None:
    sign_in, code = post.ask(), post.code()
    wrong = post.confirm(sign_in, "BBBB-BBBB").data
    unknown = post.confirm(str(unknown_game()), code).data
    never_mailed = post.confirm(post.ask("no@example.org"), code).data
    post.confirm(sign_in, code)
    let_pass(post.api, 1.01 / 60)
    used = post.confirm(sign_in, code).data

    assert wrong == unknown == never_mailed == used


def test_known_unknown_capped_and_opted_out_addresses_look_alike(post: Postbox) -> None:
    operator_token(post.api, RITA)
    opt_out(post, "never@example.org")
    for _ in range(12):
        post.ask("capped@example.org")
    asked = [RITA, "new@example.org", "never@example.org", "capped@example.org"]

    done = [statements(post, address) for address in asked]

    assert done[0]
    assert all(each == done[0] for each in done)
    with post.api.app.app_context():
        assert run("SELECT count(*) FROM mailed_code", {}) == [(16,)]
        assert run("SELECT count(*) FROM mail", {}) == [(0,)]


def test_who_wants_no_invitations_gets_no_code_until_they_are_known(
    post: Postbox,
) -> None:
    opt_out(post, "rita@example.org")
    post.ask()
    before = len(post.letters())
    operator_token(post.api, RITA)

    post.ask()

    assert (before, len(post.letters())) == (0, 1)


def test_an_instance_mails_so_many_codes_to_strangers(
    post: Postbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    operator_token(post.api, RITA)
    cap_instance(post, monkeypatch, 2)

    for address in ("a@example.org", "b@example.org", "c@example.org", RITA):
        post.ask(address)

    mailed = sorted(letter.to for letter in post.letters())
    assert mailed == [RITA, "a@example.org", "b@example.org"]


@pytest.mark.parametrize("known", ["verified", "new", "unwilling"])
def test_whether_an_address_is_known_is_not_told_by_who_is_mailed_next(
    post: Postbox, monkeypatch: pytest.MonkeyPatch, known: str
) -> None:
    if known == "verified":
        operator_token(post.api, RITA)
    if known == "unwilling":
        opt_out(post, "rita@example.org")
    cap_instance(post, monkeypatch, 2)
    for _ in range(5):
        post.ask(RITA)

    post.ask("a@example.org")
    let_pass(post.api, 25)
    for _ in range(5):
        post.ask(RITA)
    with post.api.app.app_context():
        counted = run("SELECT counted FROM mailed_code ORDER BY created_at")

    assert post.letters("a@example.org") == []
    assert [each for (each,) in counted][-5:] == [True] * 4 + [False]


@pytest.mark.parametrize("known", [True, False])
def test_codes_leave_the_invitations_of_an_instance_alone(
    post: Postbox, monkeypatch: pytest.MonkeyPatch, known: bool
) -> None:
    host = operator_token(post.api, "host@example.org")
    if known:
        operator_token(post.api, RITA)
    cap_instance(post, monkeypatch, 1)
    for address in ("a@example.org", RITA):
        post.ask(address)
    guest = {"kind": "person", "address": "x@example.org", "name": "X"}

    table = {"seats": [guest, {"kind": "bot"}]}
    laid = post.api.call("POST", "/v1/games", host, json=table)

    assert laid.status_code == 201
