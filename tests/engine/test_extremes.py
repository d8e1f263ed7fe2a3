"""The least and the most that a round can bring, played through the engine."""

import pytest

from engine.board import Card, Seat
from engine.commands import CreateGame, StartGame
from engine.editions import EDITIONS
from engine.state import Phase
from tests.rig.engine import longest
from tests.rig.engine.bounds import (
    ANSWERS,
    COMPENSATED_MOVES,
    ELECTIONS,
    MOVES,
    POINTS,
    TABLES,
    TURNED,
    Figures,
)
from tests.rig.engine.longest import Script
from tests.rig.engine.referee import Seen
from tests.rig.engine.soak import Fast
from tests.rig.engine.tables import chance, closing, options, settled
from tests.rig.engine.tempers import Plot, Temper, dawdle

JESTERS = [seats for edition, seats in TABLES if edition == "jester"]
CLASSICS = [seats for edition, seats in TABLES if edition == "classic"]


def rounds_of(
    edition: str,
    seats: int,
    temper: Temper,
    rounds: int = 1,
    placement: str = "choose",
) -> list[Seen]:
    """The rounds of a watched game in which all seats act together."""
    rng = chance(seats)
    table = Fast(rng.randbytes(32))
    table.do(CreateGame(table.seed, b""))
    table.do(closing(seats, options(rounds, placement), edition))
    table.do(StartGame(table.sealed))
    while table.game.running:
        if table.game.election_complete:
            table.resolve()
            continue
        seat = rng.choice(table.game.asked())
        table.answer(temper(table, seat, rng), seat)
    assert table.game.phase is Phase.OVER
    Figures(edition, seats).add(table.referee)
    return table.referee.rounds


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_a_round_can_bring_33(edition: str, seats: int) -> None:
    (seen,) = rounds_of(edition, seats, Plot(victim=1, lift=True, turned=False))

    assert seen.points[1] == POINTS[edition][1] == 33


@pytest.mark.parametrize("seats", CLASSICS)
def test_a_played_0_becomes_33_in_the_third_round(seats: int) -> None:
    plot = Plot(victim=2, lift=False, turned=False)

    first, second, third = rounds_of("classic", seats, plot, rounds=3)

    assert (first.points[2], second.points[2]) == (0, 0)
    assert (third.points[2], third.zeros) == (33, third.points.count(33))


@pytest.mark.parametrize("seats", JESTERS)
def test_a_crowned_jester_can_bring_minus_27(seats: int) -> None:
    (seen,) = rounds_of("jester", seats, Plot(victim=0, lift=True, turned=True))

    assert seen.turned
    assert seen.points[0] == TURNED[0] == -27


@pytest.mark.parametrize(("turned", "points"), [(False, -6), (True, 6)])
@pytest.mark.parametrize("seats", JESTERS)
def test_three_favourites_in_the_dungeons_bring_6_less_or_more(
    seats: int, turned: bool, points: int
) -> None:
    (seen,) = rounds_of("jester", seats, Plot(victim=0, lift=False, turned=turned))

    assert seen.turned is turned
    assert seen.points[0] == points


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_a_round_can_have_as_many_elections_as_there_are_cards_against(
    edition: str, seats: int
) -> None:
    (seen,) = rounds_of(edition, seats, dawdle)

    assert seen.elections == ELECTIONS[edition][seats]
    assert seen.moves <= MOVES[edition][seats]


@pytest.mark.parametrize("seats", JESTERS)
def test_a_round_with_the_jester_can_have_the_most_moves_that_are_told(
    seats: int,
) -> None:
    (seen,) = rounds_of("jester", seats, Script(*longest.CHOSEN[seats]))

    assert seen.moves == MOVES["jester"][seats]


@pytest.mark.parametrize("seats", COMPENSATED_MOVES)
def test_a_compensated_round_can_have_the_most_moves_that_are_told(seats: int) -> None:
    script = Script(*longest.COMPENSATED[seats])

    (seen,) = rounds_of("jester", seats, script, placement="compensated")

    assert seen.moves == COMPENSATED_MOVES[seats]


def test_a_game_of_eight_can_have_the_most_answers_that_are_told() -> None:
    (seen,) = rounds_of("jester", 8, Script(*longest.CHOSEN[8]))

    a_round = 8 + seen.moves + 8 * seen.elections
    assert 3 * a_round == ANSWERS["jester"]


@pytest.mark.proof
@pytest.mark.parametrize("seats", [2, 3])
def test_no_round_of_few_with_the_jester_has_more_moves(seats: int) -> None:
    noes = seats * EDITIONS["jester"].hand(seats).count(Card.NO)

    assert longest.most_moves(noes, seats, left_over=1) == MOVES["jester"][seats]


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_the_shortest_round_has_two_moves(edition: str, seats: int) -> None:
    table = settled(seats, options(rounds=1), edition=edition)
    assert table.game.board.at["A"] == "4"

    table.crown("A")

    assert [row.type for row in table.rows].count("moved") == 2
    assert table.game.phase is Phase.OVER


@pytest.mark.parametrize("seats", [7, 8])
def test_the_bonus_lies_beside_the_most_a_round_brings(seats: int) -> None:
    plot = Plot(victim=seats - 1, lift=True, turned=False)
    table = settled(seats, options(1, "compensated"), edition="jester")
    rng = chance(seats)
    while table.game.running:
        if table.game.election_complete:
            table.resolve()
            continue
        table.answer(plot(table, table.game.asked()[0], rng), table.game.asked()[0])

    (scored,) = table.game.scored
    assert (scored.points[-1], scored.bonus[-1]) == (33, 3)
    assert table.game.totals[Seat(seats - 1)] == 20 + 36
