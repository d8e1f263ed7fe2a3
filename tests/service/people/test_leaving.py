"""Leaving for good: seats are free again, and games stay true."""

from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest
from flask import Flask

from engine import export
from engine.verify import verify
from service.people import accounts, deletion
from service.store import clock
from service.store.people import PersonRow
from service.tables import joining
from service.values.errors import Unauthorized
from tests.rig.service import leaving, mailed_in, seated
from tests.rig.service.leaving import ADDRESS, HOST, NAME, guest, leave, table
from tests.rig.service.postbox import Postbox
from tests.rig.service.programs import Table, in_election, operator_token
from tests.rig.service.seated import run
from worker.clock import sweeper


@pytest.fixture
def post(app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Postbox:
    return Postbox(app, tmp_path, monkeypatch)


@pytest.fixture
def token(post: Postbox) -> str:
    return leaving.known(post)


def test_who_has_left_is_gone_from_tables_that_wait(post: Postbox, token: str) -> None:
    host = operator_token(post.api, HOST)
    hosted = table(post, token, guest("terry@example.org", "Terry"))
    invited = table(post, host, guest(ADDRESS, NAME))

    leave(post, token)

    assert post.api.get("/v1/me", token).status_code == 401
    assert post.api.get(hosted, host).status_code == 404
    assert post.api.get(invited, host).json["seats"][1]["name"] == "Player 2"


def test_open_tables_of_who_leaves_are_called_off(post: Postbox, token: str) -> None:
    path = table(post, token, guest("terry@example.org", "Terry"))
    post.letters()

    leave(post, token)

    with post.api.app.app_context():
        (game,) = run("SELECT id, status FROM game", {})
        assert game[1] == "over"
        assert "called_off" in seated.kinds(game[0])
    assert post.api.get(path).status_code == 404


def test_who_leaves_unanswered_has_never_answered(post: Postbox, token: str) -> None:
    host = operator_token(post.api, HOST)
    path = table(post, host, guest(ADDRESS, NAME), guest("terry@example.org"))

    leave(post, token)

    seat = post.api.get(path, host).json["seats"][1]
    assert (seat["name"], seat["state"]) == ("Player 2", "invited")
    with post.api.app.app_context():
        (game,) = run("SELECT id FROM game", {})[0]
        assert "declined" not in seated.kinds(game)


def test_a_seat_that_was_taken_is_free_again(post: Postbox, token: str) -> None:
    host = operator_token(post.api, HOST)
    path = table(post, host, guest(ADDRESS, NAME), guest("terry@example.org"))
    leaving.do(post, "POST", f"{path}/seats", token, name=NAME)

    leave(post, token)

    seat = post.api.get(path, host).json["seats"][1]
    assert (seat["name"], seat["state"]) == ("Player 2", "declined")
    with post.api.app.app_context():
        (game,) = run("SELECT id FROM game", {})[0]
        assert "declined" in seated.kinds(game)


def test_a_game_goes_on_without_who_has_left(post: Postbox) -> None:
    running = in_election(post.api)
    leave(post, running.tokens[1])
    for seat in (0, 2):
        assert running.put(seat, running.first_legal(seat)).status_code == 200
    view = running.view(0).json

    post.tell(running.id)

    assert [seat["name"] for seat in view["seats"]] == ["Rachel", "Player 2", "Terry"]
    assert view["decision"]["kind"] == "election"
    with post.api.app.app_context():
        clock.shift(timedelta(hours=25))
        sweeper.sweep()
    assert running.view(0).json["decision"] != view["decision"]


def test_a_finished_game_still_verifies(post: Postbox) -> None:
    over = Table(post.api, rounds=1, placement="random")
    with post.api.app.app_context():
        over.table.finish()
    leave(post, over.tokens[0])

    file = post.api.get(f"{over.path}/export").data

    report = verify(export.read(file))
    assert report.wrong is None
    assert b"Rachel" not in file
    assert b'"Player 1"' in file


def test_the_address_is_free_for_somebody_new(post: Postbox, token: str) -> None:
    before = post.api.get("/v1/me", token).json["id"]
    leave(post, token)

    account = post.api.get("/v1/me", post.sign_in(ADDRESS)).json

    assert account["id"] != before
    assert account["name"] == "Player 1"


def test_somebody_without_a_game_leaves_no_row(post: Postbox, token: str) -> None:
    leave(post, token)

    with post.api.app.app_context():
        assert run("SELECT count(*) FROM person", {}) == [(0,)]


def test_nobody_sits_down_by_what_was_read_before_they_left(
    post: Postbox, token: str
) -> None:
    body = {"seats": [{"kind": "open"}, {"kind": "bot"}]}
    laid = post.api.call("POST", "/v1/games", token, json=body).json
    operator_token(post.api, HOST)
    with post.api.app.app_context():
        read = person_of(HOST)
        deletion.erase(read.id)

        with pytest.raises(Unauthorized):
            joining.take(UUID(laid["game"]), read, None, "Simon", "")

    assert (
        post.api.get(f"/v1/games/{laid['game']}/seats/1", token).json["kind"] == "open"
    )


def person_of(address: str) -> PersonRow:
    found = run("SELECT id FROM person WHERE address = :a", {"a": address})
    return accounts.known(found[0][0])


def test_what_became_of_a_mail_to_a_new_address_is_not_told(
    post: Postbox, token: str
) -> None:
    post.api.call("PATCH", "/v1/me", token, json={"address": "new@example.org"})

    listed = post.api.get("/v1/me/mails", token).json["mails"]
    taken = post.api.get("/v1/me/export", token).json["mails"]

    for mails in (listed, taken):
        kinds = [kind for mail in mails for kind in mail["kinds"]]
        assert "old_address" in kinds
        assert "new_address" not in kinds


def test_what_is_kept_of_mails_that_came_in_goes_with_the_person(inside: Flask) -> None:
    game = seated.started(3)
    for seat in (1, 2):
        mailed_in.keep(game.id, seat)

    deletion.erase(seated.person_on(game.id, 1))

    assert mailed_in.kept() == [2, 2]
