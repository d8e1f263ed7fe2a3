"""What too many misses lead to: a bot on the seat."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from engine.board import Card
from engine.commands import Ballot, PlacementOption
from engine.state import Kind, freeze
from service.game import seatings, time_up
from service.store import clock, event_log
from tests.rig.service import seated
from tests.rig.service.seated import Seated, run

pytestmark = pytest.mark.usefixtures("inside")


def time_is_up(table: Seated) -> None:
    clock.shift(timedelta(seconds=seated.PACE + 1))
    assert time_up.run_out(table.id, table.decision)


def length(table: Seated) -> int:
    """How many events the record has."""
    return len(event_log.record_after(table.id, 0, 1000))


def test_three_placements_missed_in_a_row_seat_a_bot_in_the_same_write() -> None:
    table = seated.started(3)
    first = table.game.asked()[0]
    for _ in range(2 * 3):
        time_is_up(table)
    assert seated.seatings(table) == []
    before = length(table)

    time_is_up(table)

    assert seated.seatings(table) == [first]
    assert length(table) == before + 2
    assert table.game.missed[first] == 0
    [(public,)] = run(
        "SELECT convert_from(public, 'UTF8') FROM event WHERE type = 'bot_seated'"
    )
    assert public == f'{{"bot":"{seatings.KEEPER}","seat":{first},"type":"bot_seated"}}'


@pytest.mark.parametrize("misses", [1, 2, 5])
def test_the_host_chooses_after_how_many_misses_a_bot_comes(misses: int) -> None:
    table = seated.started(3, misses=misses)
    first = table.game.asked()[0]
    for _ in range(3 * (misses - 1)):
        time_is_up(table)
    assert first not in seated.seatings(table)
    while table.game.asked()[0] != first:
        time_is_up(table)

    time_is_up(table)

    assert seated.seatings(table)[0] == first


def test_who_acts_in_time_once_is_not_replaced() -> None:
    table = seated.started(3)
    first = table.game.asked()[0]
    for _ in range(2 * 3):
        time_is_up(table)

    table.answer(first, seated.own(table.game, first).legal[0].answer)
    time_is_up(table)

    assert first not in seated.seatings(table)


def test_ballots_missed_count_at_the_end_of_the_round_alone() -> None:
    table = seated.started(3, placement=PlacementOption.RANDOM, rounds=2)
    for _ in range(3):
        table.nominate()
        assert table.game.decision is not None
        assert table.game.decision.kind is Kind.ELECTION
        no = next(seat for seat in (0, 1) if Card.NO in table.game.hands[seat])
        for seat in (0, 1):
            table.answer(seat, Ballot(Card.NO if seat == no else Card.YES))
        # Only elections: what else the seat is asked it answers in time, by `nominate`.
        time_is_up(table)
        assert seated.seatings(table) == []
    assert table.game.missed[2] == 0


def missed_before(table: Seated, *counts: int) -> None:
    """Let the clock have given so many answers in a row for each seat."""
    game = replace(table.game, unanswered=counts)
    run(
        "UPDATE game SET snapshot = :s WHERE id = :g",
        {"s": freeze(game), "g": table.id},
    )


@pytest.mark.parametrize(
    ("rounds", "before", "kept"), [(2, 2, [2]), (2, 1, []), (1, 2, [])]
)
def test_answers_missed_in_a_row_seat_a_bot_when_the_round_is_over(
    rounds: int, before: int, kept: list[int]
) -> None:
    table = seated.started(3, placement=PlacementOption.RANDOM, rounds=rounds)
    table.nominate()
    missed_before(table, 0, 0, before)
    for seat in (0, 1):
        table.answer(seat, Ballot(Card.YES))
    assert seated.seatings(table) == []

    time_is_up(table)

    assert table.game.scored
    assert seated.seatings(table) == kept
