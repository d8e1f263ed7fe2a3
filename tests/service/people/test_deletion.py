"""Whoever is erased leaves no trace in any column, wherever they have been."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from flask import Flask

from service.store import opt_outs
from service.store.transactions import transaction
from tests.rig.service import leaving
from tests.rig.service.leaving import ADDRESS, HOST, NAME, guest, leave, traces
from tests.rig.service.postbox import Postbox
from tests.rig.service.programs import operator_token
from tests.rig.service.seated import run
from worker.outgoing import delivery


@pytest.fixture
def post(app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Postbox:
    return Postbox(app, tmp_path, monkeypatch)


@pytest.fixture
def token(post: Postbox) -> str:
    return leaving.known(post)


def never_again(post: Postbox) -> None:
    with post.api.app.app_context(), transaction():
        opt_outs.add(ADDRESS)


@pytest.mark.parametrize("way", leaving.WAYS, ids=lambda way: way.__name__)
def test_no_column_has_a_trace_of_who_has_left(
    post: Postbox, token: str, way: Callable[[Postbox, str], object]
) -> None:
    person = str(leaving.person_id(post))
    way(post, token)
    leaving.write(post)
    never_again(post)
    before = traces(post, "erlina")

    leave(post, token)

    assert before
    assert traces(post, "erlina") == set()
    assert traces(post, person) <= {
        "person.id",
        "seat.person_id",
        "invitation.person_id",
        "game.host_id",
    }


def test_there_were_traces_all_over_the_house(post: Postbox, token: str) -> None:
    for way in (leaving.was_rematched, leaving.declined, leaving.asks_for_codes):
        way(post, token)
    leaving.write(post)

    found = traces(post, "erlina", str(leaving.person_id(post)))

    assert found > {
        "invitation.person_id",
        "kept_answer.body",
        "kept_answer.people",
        "mail.body",
        "mailed_code.address",
        "notice.person_id",
        "person.address",
        "person.name",
        "seat.name",
    }


def test_an_address_left_on_the_day_it_was_proved_leaves_no_trace(
    post: Postbox,
) -> None:
    token = post.sign_in(ADDRESS)
    leaving.move(post, token, ADDRESS, "somebody@example.org")
    before = traces(post, ADDRESS)

    leave(post, token)

    assert before
    assert traces(post, ADDRESS, "somebody") == set()


def test_an_address_somebody_else_has_by_then_keeps_its_codes(post: Postbox) -> None:
    token = post.sign_in(ADDRESS)
    leaving.move(post, token, ADDRESS, "somebody@example.org")
    post.sign_in(ADDRESS)
    post.ask(ADDRESS)
    with post.api.app.app_context():
        known = "SELECT id FROM mailed_code WHERE person_id = (SELECT id FROM person"
        before = run(f"{known} WHERE address = '{ADDRESS}')")

    leave(post, token)

    assert before
    with post.api.app.app_context():
        assert run(f"{known} WHERE address = '{ADDRESS}')") == before


def test_a_mail_that_named_them_is_written_anew(post: Postbox, token: str) -> None:
    host = operator_token(post.api, HOST)
    path = leaving.table(post, host, guest(ADDRESS, NAME), guest("terry@example.org"))
    leaving.do(post, "DELETE", f"{path}/seats/1", token)
    leaving.do(post, "PUT", f"{path}/seats/1", host, kind="bot")
    with post.api.app.app_context():
        (game,) = run("SELECT id FROM game")[0]
        delivery.queue(game)
        body = {"b": f"{NAME} was here".encode()}
        run("UPDATE mail SET state = 'retry', body = :b RETURNING id", body)

    leave(post, token)

    (letter,) = post.letters("terry")
    assert NAME not in letter.text
    assert path not in letter.text
    assert "King Up!" in letter.subject


def test_answers_without_them_stay(post: Postbox, token: str) -> None:
    host = operator_token(post.api, HOST)
    leaving.table(post, host, guest("terry@example.org", "Terry"))
    leaving.is_invited(post, token)

    leave(post, token)

    with post.api.app.app_context():
        kept = run("SELECT convert_from(body, 'UTF8') FROM kept_answer ORDER BY 1")
    [(whole,), (emptied,)] = kept
    assert "Terry" in whole
    assert emptied is None


def test_who_wants_no_invitations_isn_t_asked_after_they_left(
    post: Postbox, token: str
) -> None:
    never_again(post)
    leave(post, token)
    body = {"seats": [guest("Zerlina@example.org", NAME), {"kind": "bot"}]}
    host = operator_token(post.api, HOST)

    answer = post.api.call("POST", "/v1/games", host, json=body)

    assert answer.json["seats"][1]["state"] == "invited"
    assert post.letters(ADDRESS.partition("@")[0]) == []
    assert traces(post, ADDRESS) == set()


def test_nobody_reads_an_address_from_what_is_kept_of_it(
    post: Postbox, token: str
) -> None:
    never_again(post)
    leave(post, token)

    with post.api.app.app_context():
        (digest,) = run("SELECT digest FROM opt_out")[0]
        plain = run(f"SELECT sha256('{ADDRESS}'), sha256('opt-out {ADDRESS}')")[0]

    assert len(digest) == 32
    assert digest not in plain


def test_another_secret_knows_nobody(
    post: Postbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    never_again(post)
    app = post.api.app
    another = msgspec.structs.replace(app.config["KINGUP"], secret_key="x" * 32)

    with app.app_context():
        before = opt_outs.has(ADDRESS)
        monkeypatch.setitem(app.config, "KINGUP", another)
        after = opt_outs.has(ADDRESS)

    assert (before, after) == (True, False)
