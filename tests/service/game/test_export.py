"""Games as files: the same for every viewer, and whole again on another instance."""

import random
from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient

from engine import editions, export, fairness
from engine.board import Card
from engine.commands import Ballot
from engine.export import UnreadableExport
from engine.state import Game
from service.game import game_files
from service.store import games, records
from service.store.tables import GameThere
from service.values.principals import System
from tests.rig.engine import random_games
from tests.rig.service import programs, seated
from tests.rig.service.game_files import NAMES, data_of
from tests.rig.service.programs import Api, Table
from tests.rig.service.seated import run


@pytest.fixture
def over(api: Api) -> Table:
    """A game that is over."""
    table = Table(api, rounds=1)
    table.inside("finish")
    return table


def state(game_id: UUID) -> Game:
    found = games.read(game_id, System())
    assert found is not None
    return found.game


def forget(game_id: UUID) -> None:
    """Make this database another instance's, which never had the game."""
    for table in ("notice", "event", "answer", "due", "seat", "game_seed", "device"):
        run(f"DELETE FROM {table} WHERE game_id = :g", {"g": game_id})
    run("DELETE FROM link WHERE game_id = :g", {"g": game_id})
    run("DELETE FROM game WHERE id = :g", {"g": game_id})


def test_the_export_is_the_record_in_one_file(api: Api, over: Table) -> None:
    answer = api.get(f"{over.path}/export")

    whole = export.read(answer.data)
    heads = fairness.heads(whole.game, whole.record)
    events = api.get(f"{over.path}/events?limit=500").json["events"]
    assert whole.game == str(over.id)
    assert whole.names == ("Rachel", "Simon", "Terry")
    assert [each["event"] for each in events] == answer.json["record"]
    assert events[-1]["head"].endswith(heads[-1].hex())
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.headers["Content-Disposition"] == (
        f"attachment; filename=kingup-{over.id}.json"
    )


def test_the_export_is_the_same_bytes_for_everybody(api: Api) -> None:
    table = programs.in_election(api)
    table.inside("answer", table.asked, Ballot(Card.YES))
    tokens = (None, *table.tokens, programs.stranger(api))

    answers = [api.get(f"{table.path}/export", token) for token in tokens]

    assert len({answer.data for answer in answers}) == 1
    assert {answer.headers["Cache-Control"] for answer in answers} == {
        "private, no-cache"
    }


def test_an_export_is_asked_for_anew_only_when_the_record_has_grown(api: Api) -> None:
    table = Table(api)
    tag = api.get(f"{table.path}/export").headers["ETag"]

    assert api.get(f"{table.path}/export", If_None_Match=tag).status_code == 304

    table.play_a_turn()
    assert api.get(f"{table.path}/export", If_None_Match=tag).status_code == 200


def test_a_running_game_keeps_its_secrets_out_of_the_export(api: Api) -> None:
    table = programs.in_election(api)
    table.inside("answer", table.asked, Ballot(Card.NO))

    text = api.get(f"{table.path}/export").text

    for secret in ("deck", "seed_opened", "favourites", "salt", '"no"', "ballot_cast"):
        assert secret not in text


def test_the_export_of_a_game_for_its_players_is_theirs_alone(api: Api) -> None:
    table = Table(api, visibility="players")

    assert api.get(f"{table.path}/export").status_code == 404
    assert api.get(f"{table.path}/export", programs.stranger(api)).status_code == 404
    assert api.get(f"{table.path}/export", table.tokens[1]).status_code == 200


def test_there_is_no_export_of_no_game(api: Api) -> None:
    assert api.get(f"/v1/games/{programs.unknown_game()}/export").status_code == 404


@pytest.mark.parametrize("number", range(22))
def test_a_game_taken_in_is_given_away_again_to_the_byte(
    inside: Flask, number: int
) -> None:
    table, data = random_games.game(number), data_of(number)

    game_id = game_files.take_in(data)

    seen = games.read(game_id, System())
    assert seen is not None
    assert export.write(game_files.of(seen)) == data
    assert seen.game == table.game
    assert seen.head == table.heads[-1]


def test_a_game_played_here_comes_back_as_it_was(api: Api, over: Table) -> None:
    data = api.get(f"{over.path}/export").data
    paths = (f"{over.path}/events", f"{over.path}/view", f"{over.path}/view?at=20")
    before = [api.get(path).json for path in paths]
    with api.app.app_context():
        rows = run(
            "SELECT position, record, type, version, decision, public, link FROM event"
            " WHERE game_id = :g ORDER BY position",
            {"g": over.id},
        )
        kept = state(over.id)
        forget(over.id)
        assert api.get(f"{over.path}/view").status_code == 404

        game_files.take_in(data)

        assert state(over.id) == kept
        assert rows == run(
            "SELECT position, record, type, version, decision, public, link FROM event"
            " WHERE game_id = :g ORDER BY position",
            {"g": over.id},
        )
    assert [api.get(path).json for path in paths] == before
    assert api.get(f"{over.path}/export").data == data


def test_a_game_taken_in_is_replayed_to_the_state_that_was_kept(inside: Flask) -> None:
    game_id = game_files.take_in(data_of(3))
    kept = state(game_id)

    run("UPDATE game SET snapshot_format = 0")

    assert state(game_id) == kept


def test_a_game_taken_in_belongs_to_nobody_and_is_shown_by_its_address(
    api: Api, client: FlaskClient
) -> None:
    with api.app.app_context():
        game_id = game_files.take_in(data_of(3))
        assert run("SELECT host_id FROM game") == [(None,)]
        assert run("SELECT DISTINCT person_id FROM seat") == [(None,)]
        assert run("SELECT count(*) FROM notice") == [(0,)]
    token = programs.stranger(api)

    game = api.get(f"/v1/games/{game_id}", token).json

    assert (game["status"], game["visibility"], game["seat"]) == ("over", "link", None)
    assert [seat["name"] for seat in game["seats"]] == list(NAMES[:6])
    assert api.get("/v1/games", token).json["games"] == []
    assert api.call("DELETE", f"/v1/games/{game_id}", token).status_code == 403
    assert client.get(f"/g/{game_id}").status_code == 200


@pytest.mark.parametrize("number", [0, 5])
def test_a_game_that_is_here_is_not_taken_in_again(inside: Flask, number: int) -> None:
    data = data_of(number)
    game_files.take_in(data)
    before = run("SELECT * FROM game")

    with pytest.raises(GameThere):
        game_files.take_in(data)

    assert run("SELECT * FROM game") == before


def altered(old: bytes, new: bytes) -> bytes:
    data = data_of(3)
    assert old in data
    return data.replace(old, new, 1)


REFUSED = [
    (b"", "not-json"),
    (b"\xff", "not-ascii"),
    (altered(b'"by":"bot"', b'"by":"box"'), "untrue"),
    (altered(b'"winners":[', b'"winners":[1,'), "untrue"),
    (altered(b'["Rachel",', b'["Rachel","Simon",'), "wrong-length"),
    (altered(b'"Rachel"', b'" Rachel"'), "unfit-name"),
    (altered(b'"Rachel"', b'"www.example.org"'), "unfit-name"),
    (altered(b'"Rachel"', b'"\\u202eRachel"'), "unfit-name"),
    (altered(b'"placement":"random"', b'"placement":"choose"'), "broken-deck"),
]


@pytest.mark.parametrize(("data", "code"), REFUSED)
def test_what_is_no_finished_game_is_not_taken_in(
    inside: Flask, data: bytes, code: str
) -> None:
    with pytest.raises(UnreadableExport) as unread:
        game_files.take_in(data)

    assert unread.value.code == code
    assert run("SELECT count(*) FROM game") == [(0,)]


def test_a_game_of_unknown_rules_is_told_from_an_untrue_one(
    inside: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = data_of(3)
    played = random_games.game(3).game.edition
    known = {key: law for key, law in editions._BY_RULES.items() if key[0] != played}
    monkeypatch.setattr(editions, "_BY_RULES", known)

    with pytest.raises(UnreadableExport) as unread:
        game_files.take_in(data)

    assert str(unread.value) == f"unknown-rules: {played} 1 is not known here"
    assert run("SELECT count(*) FROM game") == [(0,)]


def test_a_game_of_a_later_version_is_refused_by_that_version(inside: Flask) -> None:
    data = altered(b'"versions":[1,1', b'"versions":[1,2')

    with pytest.raises(UnreadableExport) as unread:
        game_files.take_in(data)

    assert str(unread.value) == (
        "unknown-event: record event 2: version 2, and no version above 1 is known here"
    )


def test_a_running_game_and_a_called_off_table_are_not_taken_in(api: Api) -> None:
    running = Table(api)
    data = api.get(f"{running.path}/export").data
    with api.app.app_context():
        table = seated.draft(3)
        seated.confirm(table)
        seated.cancel(table, System())
        seen = games.read(table, System())
        assert seen is not None
        for file in (data, export.write(game_files.of(seen))):
            with pytest.raises(UnreadableExport) as unread:
                game_files.take_in(file)
            assert unread.value.code == "not-finished"


def test_the_store_writes_a_log_of_which_no_election_is_resolved_twice(
    inside: Flask,
) -> None:
    game_id = game_files.take_in(data_of(random.Random(1).randrange(100)))

    rows = run("SELECT decision FROM event WHERE type = 'election_resolved'")

    assert None not in {row[0] for row in rows}
    assert len(records.whole(game_id)) == run("SELECT max(record) FROM event")[0][0]
