"""Whose miss it isn't: what a late worker answers, and who gets no mail."""

from datetime import timedelta

import pytest

from engine.board import Card
from engine.commands import Ballot, PlacementOption
from service.game import table_acts, time_up
from service.store import clock, excuses
from tests.rig.service import seated
from tests.rig.service.seated import Seated, run

pytestmark = pytest.mark.usefixtures("inside")

PACE = timedelta(seconds=seated.PACE)
PUNCTUAL, LATE = timedelta(seconds=1), timedelta(minutes=2)

SEATED = "SELECT count(*) FROM event WHERE game_id = :g AND type = 'bot_seated'"


def run_out(table: Seated, after: timedelta = PUNCTUAL) -> None:
    clock.shift(PACE + after)
    assert time_up.run_out(table.id, table.decision)


def bots_seated(table: Seated) -> int:
    return int(run(SEATED, {"g": table.id})[0][0])


def bounce(table: Seated, seat: int, state: str = "failed") -> None:
    """What became of the latest mail of the person on a seat."""
    run(
        "INSERT INTO mail (id, person_id, game_id, message_id, state, settled_at)"
        " VALUES (gen_random_uuid(), :p, :g, gen_random_uuid(), :s, kingup_now())",
        {"p": seated.person_on(table.id, seat), "g": table.id, "s": state},
    )


def test_what_a_late_worker_answers_is_nobodys_miss() -> None:
    table = seated.started(3, misses=1)

    run_out(table, LATE)

    assert bots_seated(table) == 0
    assert sum(table.game.missed) == 1


def test_what_is_dealt_with_within_a_minute_is_a_miss() -> None:
    table = seated.started(3, misses=1)

    run_out(table, timedelta(seconds=40))

    assert bots_seated(table) == 1


def test_only_what_was_late_is_taken_off_the_misses_in_a_row() -> None:
    table = seated.started(3, misses=2)
    first = table.game.asked()[0]
    for _ in range(3):
        run_out(table, LATE)
    for _ in range(3):
        run_out(table)
    assert bots_seated(table) == 0

    run_out(table)

    assert table.game.has_bot(first)


def test_what_was_excused_before_an_act_of_ones_own_excuses_nothing_after_it() -> None:
    table = seated.started(3, misses=1)
    first = table.game.asked()[0]
    for _ in range(3):
        run_out(table, LATE)
    table.answer(first, seated.own(table.game, first).legal[0].answer)
    bounce(table, 0)
    bounce(table, 1)
    bounce(table, 2)
    for _ in range(2):
        run_out(table)
    bounce(table, first, "sent")

    run_out(table)

    assert table.game.has_bot(first)


def test_ones_own_ballots_leave_what_was_excused_before_them_excused() -> None:
    table = seated.started(3, placement=PlacementOption.RANDOM, misses=1)
    first = table.game.asked()[0]
    run_out(table, LATE)
    table.nominate()
    table.answer(first, Ballot(Card.YES))

    assert excuses.latest(table.id, first, 1, ballots=False) == 1
    assert excuses.latest(table.id, first, 1, ballots=True) == 0


def test_a_late_election_excuses_whoever_had_laid_no_card() -> None:
    table = seated.started(3, placement=PlacementOption.RANDOM, rounds=2, misses=1)
    table.nominate()
    table.answer(1, Ballot(Card.YES))

    run_out(table, LATE)

    rows = run("SELECT seat, ballot FROM excused WHERE game_id = :g", {"g": table.id})
    assert rows == [(0, True), (2, True)]
    assert table.game.scored
    assert bots_seated(table) == 0


def test_no_miss_counts_while_an_address_bounces() -> None:
    table = seated.started(3, misses=1)
    first = table.game.asked()[0]
    bounce(table, first)

    run_out(table)

    assert bots_seated(table) == 0
    assert table.game.missed[first] == 1


@pytest.mark.parametrize("misses", [1, 2])
def test_an_address_that_bounces_excuses_as_many_misses_as_the_game_allows(
    misses: int,
) -> None:
    table = seated.started(3, misses=misses)
    first = table.game.asked()[0]
    for seat in range(3):
        bounce(table, seat)
    # Round the table: so often each of them is excused, and once less it counts.
    for _ in range(3 * (2 * misses - 1)):
        run_out(table)
    assert bots_seated(table) == 0

    run_out(table)

    assert table.game.has_bot(first)


def test_what_a_late_worker_excuses_takes_nothing_from_what_bounces_do() -> None:
    table = seated.started(3, misses=1)
    first = table.game.asked()[0]
    for _ in range(3):
        run_out(table, LATE)
    for seat in range(3):
        bounce(table, seat)
    for _ in range(3):
        run_out(table)
    assert bots_seated(table) == 0

    run_out(table)

    assert table.game.has_bot(first)


def test_a_mail_that_arrives_ends_the_excuse() -> None:
    table = seated.started(3, misses=1)
    first = table.game.asked()[0]
    bounce(table, first)
    clock.shift(timedelta(seconds=1))
    bounce(table, first, "sent")

    run_out(table)

    assert table.game.has_bot(first)


def test_a_program_is_asked_by_no_mail_and_its_bounces_excuse_nothing() -> None:
    table = seated.started(3, misses=1)
    first = table.game.asked()[0]
    bounce(table, first)
    run(
        "UPDATE person SET program = true WHERE id = :p",
        {"p": seated.person_on(table.id, first)},
    )

    run_out(table)

    assert table.game.has_bot(first)


def test_a_seat_that_changes_hands_begins_anew() -> None:
    table = seated.started(3, misses=2)
    first = table.game.asked()[0]
    run_out(table, LATE)
    assert run("SELECT seat FROM excused") == [(first,)]

    table_acts.depart(table.id, table.holder(first), first)

    assert run("SELECT seat FROM excused") == []


def test_whoever_has_spare_time_has_a_whole_piece_after_a_late_worker() -> None:
    table = seated.started(3, spare=6)
    clock.shift(3 * PACE)

    assert not time_up.run_out(table.id, table.decision)

    [(left,)] = run("SELECT deadline - kingup_now() FROM game")
    assert PACE - timedelta(minutes=1) < left <= PACE
    assert run("SELECT sum(spare_used) FROM seat") == [(1,)]
