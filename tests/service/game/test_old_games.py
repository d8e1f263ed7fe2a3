"""Games begun by an earlier release go on; those of a later one are left alone."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from flask import Flask

from engine import fairness
from engine.state import FORMAT
from service.auth import bearer
from service.store import clock, event_log
from service.store.transactions import transaction
from tests.rig.engine import recordings
from tests.rig.service import seated
from tests.rig.service.restored import install
from tests.rig.service.seated import Seated, run
from tests.rig.service.visitor import OPEN, Visitor, link, path_of
from worker.clock import sweeper

pytestmark = pytest.mark.usefixtures("inside")

FILES = sorted(recordings.FOLDER.glob("*/*.jsonl"))
ENDS = {path: recordings.read(path).end.state for path in FILES}
RUNNING = [path for path in FILES if ENDS[path]["phase"] in ("placement", "ascent")]
OVER = [path for path in FILES if ENDS[path]["reason"] and ENDS[path]["round"]]
ONE_MISSING = recordings.FOLDER / "rules-1" / "jester-8-one-card-missing.jsonl"
PLACING = recordings.FOLDER / "rules-1" / "classic-4-placing.jsonl"
OTHER = recordings.read(PLACING)

Later = Callable[[Seated], None]

TOMORROW = timedelta(days=1, minutes=1)


def stored(table: Seated) -> list[tuple]:
    return run(
        "SELECT type, version, public, secret, link FROM event WHERE game_id = :g"
        " ORDER BY position",
        {"g": table.id},
    )


@pytest.mark.parametrize("path", RUNNING, ids=lambda path: path.stem)
def test_a_recorded_game_goes_on_where_it_was_left(path: Path) -> None:
    table = install(recordings.read(path))
    before = stored(table)

    assert recordings.in_plain_words(table.game) == ENDS[path]
    table.finish()

    game = table.game
    assert (game.reason, game.rules) == ("finished", 1)
    assert stored(table)[: len(before)] == before
    assert run("SELECT snapshot_format FROM game") == [(FORMAT,)]
    assert game == event_log.replayed(table.id)
    head = fairness.chain_start(str(table.id))
    for each in event_log.record_after(table.id, 0, 10_000):
        head = fairness.chain(head, each.record, each.public)
        assert each.link == head


@pytest.mark.parametrize("path", OVER, ids=lambda path: path.stem)
def test_a_recorded_game_that_is_over_can_be_looked_at(
    path: Path, visitor: Visitor
) -> None:
    table = install(recordings.read(path))

    assert recordings.in_plain_words(table.game) == ENDS[path]
    proof = {"Authorization": f"Bearer {token(table, 0)}"}
    for part in ("view", "events"):
        assert visitor.get(f"/v1/games/{table.id}/{part}", **proof).status == 200
    assert visitor.get(path_of(table)).status == 200


def test_a_link_that_was_mailed_before_stays_good(visitor: Visitor) -> None:
    table = install(recordings.read(PLACING))
    asked = table.game.asked()[0]
    assert table.game.seats[asked].kind == "person"

    page = visitor.get(link(table, asked))

    assert page.status == 200
    assert OPEN in page.body.decode()


def later_event(table: Seated) -> None:
    """A later release has written a kind of event that nobody here has heard of."""
    run(
        "INSERT INTO event (game_id, position, record, type, version, public, link)"
        " SELECT id, position + 1, record + 1, 'danced', 2,"
        """ convert_to('{"type":"danced"}', 'UTF8'), head FROM game WHERE id = :g""",
        {"g": table.id},
    )
    run(
        "UPDATE game SET position = position + 1, record = record + 1,"
        " snapshot_format = 0 WHERE id = :g",
        {"g": table.id},
    )


def later_snapshot(table: Seated) -> None:
    """A later release keeps states in another format."""
    run(
        "UPDATE game SET snapshot_format = :f WHERE id = :g",
        {"f": FORMAT + 1, "g": table.id},
    )


def later_rules(table: Seated) -> None:
    """A later release has begun the game by rules that aren't known here."""
    run(
        "UPDATE event SET public = convert_to("
        "replace(convert_from(public, 'UTF8'), :ours, :theirs), 'UTF8')"
        " WHERE game_id = :g AND position = 2",
        {"g": table.id, "ours": '"rules":1', "theirs": '"rules":2'},
    )


later = pytest.mark.parametrize("made", [later_event, later_snapshot, later_rules])


def address(table: Seated) -> str:
    """Where a program answers the open decision."""
    return f"/v1/games/{table.id}/decisions/{table.decision}/answer"


BALLOT = {"kind": "election", "card": "yes"}


def token(table: Seated, seat: int) -> str:
    """A program's proof of a seat."""
    with transaction():
        return bearer.game_token(seated.person_on(table.id, seat), table.id)


@later
def test_a_game_of_a_later_release_is_refused_with_503_and_nothing_written(
    inside: Flask, visitor: Visitor, made: Later
) -> None:
    table = install(recordings.read(ONE_MISSING))
    (seat,) = table.game.asked()
    assert table.game.seats[seat].kind == "person"
    mailed, program, path = link(table, seat), address(table), path_of(table)
    visitor.remember(table, seat)
    proof = {"Authorization": f"Bearer {token(table, seat)}"}
    made(table)
    before = seated.everything(inside)

    pages = [visitor.get(path), visitor.get(mailed)]
    api = inside.test_client()
    seen = api.get(f"/v1/games/{table.id}/view", headers=proof)
    answered = api.put(program, json=BALLOT, headers=proof)

    assert [page.status for page in pages] == [503, 503]
    assert all("retry-after" in page.headers for page in pages)
    assert (seen.status_code, seen.json["code"]) == (503, "game-unreadable")
    assert (answered.status_code, answered.json["code"]) == (503, "game-unreadable")
    assert seated.everything(inside) == before


@later
def test_the_work_of_a_game_of_a_later_release_is_left_for_who_can_do_it(
    made: Later,
) -> None:
    table, other = install(recordings.read(ONE_MISSING)), install(OTHER)
    made(table)
    left, log_before, asked = due(table), stored(table), other.decision
    clock.shift(TOMORROW)

    sweeper.sweep()

    assert due(table) == left != []
    assert stored(table) == log_before
    assert other.decision == asked + 1


def due(table: Seated) -> list[tuple]:
    """What waits to be done for a game."""
    return run(
        "SELECT decision, kind, seat, due_at FROM due WHERE game_id = :g",
        {"g": table.id},
    )


def test_a_process_that_knows_the_game_does_what_was_left() -> None:
    table = install(recordings.read(ONE_MISSING))
    asked = table.decision
    later_snapshot(table)
    clock.shift(TOMORROW)
    sweeper.sweep()

    run("UPDATE game SET snapshot_format = 0")
    clock.shift(timedelta(minutes=1))
    sweeper.sweep()

    assert table.game.decision is None or table.decision > asked
