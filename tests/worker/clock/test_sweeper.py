"""The sweep: never early, never twice, whatever else breaks."""

import threading
from datetime import timedelta
from uuid import uuid4

import pytest
from flask import Flask

from engine.board import Card, Seat
from engine.commands import Ballot
from service import config
from service.store import clock, due, event_log, games
from service.store.due import Claimed
from service.store.transactions import transaction
from service.tables import practice
from service.values.enums import DueKind
from service.values.principals import System
from tests.rig.service import queries, seated
from tests.rig.service.seated import Seated, run
from tests.rig.worker import rows
from worker.clock import sweeper

PACE = timedelta(seconds=seated.PACE)


def test_a_deadline_is_never_early() -> None:
    table = seated.started(3)
    run("UPDATE due SET claim_at = kingup_now() - interval '1 hour'")

    sweeper.sweep()

    assert rows.events(table.id, "placed") == 0
    assert "deadline" in {row[1] for row in rows.due(table.id)}


def test_a_deadline_that_passed_is_answered_by_the_clock() -> None:
    table = seated.started(3)
    first = table.decision
    clock.shift(PACE)

    sweeper.sweep()

    assert rows.events(table.id, "placed") == 1
    assert table.decision == first + 1


def test_the_next_deadline_counts_from_the_answer_even_after_an_outage() -> None:
    table = seated.started(3)
    clock.shift(5 * PACE)

    sweeper.sweep()
    sweeper.sweep()

    assert rows.events(table.id, "placed") == 1
    left = run(
        "SELECT deadline - kingup_now() FROM game WHERE id = :g", {"g": table.id}
    )
    assert PACE - timedelta(minutes=1) < left[0][0] <= PACE


def test_sweepers_at_once_answer_each_deadline_once(inside: Flask) -> None:
    tables = [seated.started(3) for _ in range(4)]
    clock.shift(PACE)
    barrier = threading.Barrier(4)

    def race() -> None:
        with inside.app_context():
            barrier.wait()
            sweeper.sweep()

    racers = [threading.Thread(target=race) for _ in range(4)]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join()

    assert [rows.events(table.id, "placed") for table in tables] == [1] * 4


def test_an_election_that_runs_out_is_laid_yes_and_resolved_in_one_step() -> None:
    table = seated.in_election(3)
    table.answer(1, Ballot(Card.NO))
    clock.shift(PACE)

    sweeper.sweep()

    assert rows.events(table.id, "election_resolved") == 1
    sources = run(
        "SELECT seat, source FROM answer WHERE game_id = :g AND decision ="
        " (SELECT max(decision) FROM answer WHERE game_id = :g) ORDER BY seat",
        {"g": table.id},
    )
    assert sources == [(0, "clock"), (1, "person"), (2, "clock")]


def test_a_lost_task_hint_leaves_no_election_unresolved() -> None:
    table = seated.in_election(3)
    table.lay([Card.NO, Card.YES, Card.YES])
    assert table.game.election_complete

    sweeper.sweep()

    assert rows.events(table.id, "election_resolved") == 1


def test_a_reminder_comes_at_half_time_once_and_shows_who_has_laid() -> None:
    table = seated.in_election(3)
    table.answer(2, Ballot(Card.YES))
    clock.shift(PACE / 2 - timedelta(minutes=1))
    sweeper.sweep()
    assert reminded(table) == []
    clock.shift(timedelta(minutes=1))

    sweeper.sweep()
    table.answer(0, Ballot(Card.YES))
    sweeper.sweep()

    assert reminded(table) == [0, 1]
    assert run("SELECT laid FROM game WHERE id = :g", {"g": table.id}) == [([2],)]
    assert {row[1] for row in rows.due(table.id)} == {"deadline", "last_reminder"}


def reminded(table: Seated) -> list[int]:
    found = run(
        "SELECT seat FROM notice WHERE game_id = :g AND kind = 'reminder'"
        " ORDER BY seat",
        {"g": table.id},
    )
    return [int(seat) for (seat,) in found]


def test_what_is_about_to_be_due_is_waited_for() -> None:
    table = seated.started(3, bots=2)
    if table.game.asked() == (Seat(0),):
        table.answer(0, seated.own(table.game, 0).legal[0].answer)
    asked = table.game.asked()
    ((ready,),) = run(
        "UPDATE due SET claim_at = kingup_now() + interval '0.3 s'"
        " WHERE kind = 'bot' RETURNING claim_at"
    )

    sweeper.sweep(ahead=10.0)

    assert table.game.asked() != asked
    ((answered,),) = run("SELECT max(recorded_at) FROM event")
    assert answered >= ready


def test_a_poisoned_game_stops_itself_only_and_is_tried_less_and_less() -> None:
    sick, well = seated.started(3), seated.started(3)
    run(
        "UPDATE game SET snapshot_format = 999 WHERE id = :g",
        {"g": sick.id},
    )
    clock.shift(PACE)

    sweeper.sweep()
    sweeper.sweep()

    assert rows.events(well.id, "placed") == 1
    assert rows.events(sick.id, "placed") == 0
    waits = run(
        "SELECT attempts, claim_at - kingup_now() FROM due"
        " WHERE game_id = :g AND kind = 'deadline'",
        {"g": sick.id},
    )
    assert waits[0][0] == 1
    clock.shift(waits[0][1])
    sweeper.sweep()
    again = run(
        "SELECT attempts, claim_at - kingup_now() FROM due"
        " WHERE game_id = :g AND kind = 'deadline'",
        {"g": sick.id},
    )
    assert again[0][0] == 2
    lease = timedelta(seconds=sweeper.LEASE_SECONDS)
    assert waits[0][1] <= lease
    assert lease < again[0][1] <= 2 * lease


@pytest.mark.parametrize("kind", sorted(set(DueKind) - {DueKind.UNKNOWN}))
def test_what_is_due_in_a_game_that_was_erased_is_no_error(
    kind: DueKind, capfd: pytest.CaptureFixture[str]
) -> None:
    gone = Claimed(uuid4(), 1, kind, 0)

    sweeper._do_all((gone,))

    assert "".join(capfd.readouterr()) == ""


def test_a_row_of_an_unknown_kind_is_left_for_others() -> None:
    table = seated.started(3)
    run(
        "UPDATE due SET kind = 'eclipse', claim_at = kingup_now()"
        " WHERE kind = 'reminder'"
    )

    sweeper.sweep()

    assert {row[1] for row in rows.due(table.id)} == {
        "deadline",
        "eclipse",
        "last_reminder",
    }


def test_a_row_whose_sweeper_died_comes_back_within_ten_seconds() -> None:
    table = seated.in_election(3)
    table.lay([Card.NO, Card.YES, Card.YES])
    with transaction():
        claimed = due.claim(25, sweeper.LEASE_SECONDS, bots=False)
    assert "resolve" in {row.kind for row in claimed}
    sweeper.sweep()
    assert rows.events(table.id, "election_resolved") == 0
    clock.shift(timedelta(seconds=9))

    sweeper.sweep()

    assert rows.events(table.id, "election_resolved") == 1


def test_whatever_people_wait_for_comes_before_any_number_of_bots() -> None:
    for _ in range(sweeper.BATCH + 5):
        practice.practise("Rita")
    table = seated.in_election(3)
    table.lay([Card.NO, Card.YES, Card.YES])
    run("UPDATE due SET claim_at = '2020-01-01' WHERE kind = 'bot'")

    sweeper.sweep()

    resolved, first_bot = run(
        "SELECT (SELECT recorded_at FROM event WHERE type = 'election_resolved'"
        " AND game_id = :g),"
        " (SELECT min(e.recorded_at) FROM event e JOIN answer a USING (game_id)"
        " WHERE a.source = 'bot' AND e.type = 'moved')",
        {"g": table.id},
    )[0]
    assert resolved < first_bot


def test_a_watcher_without_bots_leaves_their_turns_to_another() -> None:
    table = seated.started(3, bots=2, first=1)
    clock.shift(timedelta(seconds=config.USUAL_BOT_DELAY))

    sweeper.sweep(bots=False)
    before = rows.events(table.id, "placed")
    sweeper.sweep()

    assert before == 0
    assert rows.events(table.id, "placed") > 0


@pytest.mark.parametrize("hours", [(1, 2, 3), (3, 2, 1)])
def test_of_more_rows_than_a_batch_the_longest_overdue_are_claimed_first(
    hours: tuple[int, ...],
) -> None:
    tables = {each: seated.started(3) for each in hours}
    for each, table in tables.items():
        run(
            "UPDATE due SET claim_at = kingup_now() - make_interval(hours => :h)"
            " WHERE game_id = :g AND kind = 'deadline'",
            {"g": table.id, "h": each},
        )

    with transaction():
        # What is to be taken, asked for anew at each row, would be others each time.
        queries.loop_over_rows()
        claimed = due.claim(2, sweeper.LEASE_SECONDS, bots=False)

    assert {row.game_id for row in claimed} == {tables[2].id, tables[3].id}


def test_the_turn_of_a_bot_that_has_left_its_seat_is_struck_out() -> None:
    table, other = seated.started(3, bots=2, first=1), seated.started(3)
    run(
        "UPDATE seat SET bot = NULL, person_id = :p WHERE game_id = :g AND number = 1",
        {"p": seated.person_on(other.id, 0), "g": table.id},
    )
    clock.shift(timedelta(seconds=config.USUAL_BOT_DELAY))

    sweeper.sweep()

    assert rows.events(table.id, "placed") == 0
    assert not [row for row in rows.due(table.id) if row[1] == "bot"]


def test_more_rows_than_one_batch_are_all_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeper, "BATCH", 4)
    tables = [seated.started(3) for _ in range(2 * sweeper.BATCH + 1)]
    clock.shift(PACE)

    sweeper.sweep()

    assert [rows.events(table.id, "placed") for table in tables] == [1] * len(tables)


def test_a_replay_of_what_the_clock_did_is_the_same_game() -> None:
    table = seated.started(3)
    for _ in range(6):
        clock.shift(PACE)
        sweeper.sweep()

    replayed = event_log.replayed(table.id)

    seen = games.read(table.id, System())
    assert seen is not None
    assert replayed == seen.game
