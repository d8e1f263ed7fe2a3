import pytest

from engine.board import Seat
from engine.events import GameOver, RoundScored, RoundStarted
from engine.state import Kind, Phase
from tests.rig.engine.tables import (
    PAUL,
    RACHEL,
    SIMON,
    TERRY,
    Table,
    fill,
    options,
    settled,
    started,
)

ZERO_FOR_RACHEL = {
    "throne": "",
    "out": "BCDEIO",
    "5": "A",
    "4": "FG",
    "3": "LM",
    "2": "NP",
}
"""Nobody of Rachel's card BCDEIO is left in the castle; A is about to be king."""


def scored(table: Table) -> RoundScored:
    return [e for e in table.log if isinstance(e, RoundScored)][-1]


def at_round(number: int, rounds: int = 3, seats: int = 4) -> Table:
    """At the first move of a round, A to D on floor 4."""
    table = settled(seats, options(rounds=rounds))
    for _ in range(number - 1):
        table.crown("A")
        fill(table)
    assert table.game.round == number
    return table


def crowned_at_once(table: Table, *deal: str) -> RoundScored:
    table.arrange(ZERO_FOR_RACHEL)
    table.deal(*deal)
    table.crown("A")
    return scored(table)


CARDS = ("BCDEIO", "ADEFGM", "EFIMOP", "ACEFNO")


def test_the_king_brings_10_a_floor_its_number_and_out_nothing() -> None:
    event = crowned_at_once(at_round(1), *CARDS)

    # A 10, F G 4, L M 3, N P 2, everybody else is out.
    assert event.points == (0, 10 + 4 + 4 + 3, 4 + 3 + 2, 10 + 4 + 2)
    assert event.bonus == (0, 0, 0, 0)


def test_round_scores_add_up_over_the_rounds() -> None:
    table = at_round(2)
    before = scored(table).totals

    event = crowned_at_once(table, *CARDS)

    assert event.totals == tuple(
        total + won for total, won in zip(before, event.points, strict=True)
    )


@pytest.mark.parametrize(("number", "won"), [(1, 0), (2, 0), (3, 33)])
def test_exactly_0_becomes_33_in_the_third_round_only(number: int, won: int) -> None:
    event = crowned_at_once(at_round(number), *CARDS)

    assert event.points[RACHEL] == won
    assert event.points[SIMON] == 21


@pytest.mark.parametrize("rounds", [1, 2])
def test_a_shorter_game_has_no_33(rounds: int) -> None:
    event = crowned_at_once(at_round(rounds, rounds=rounds), *CARDS)

    assert event.round == rounds
    assert event.points[RACHEL] == 0


def test_a_0_from_the_servants_becomes_33_too() -> None:
    table = at_round(3)
    table.arrange({"0": "BCDEIO", "5": "A", "1": "FGL", "2": "MNP"})
    table.deal(*CARDS)

    table.crown("A")

    assert scored(table).points[RACHEL] == 33


def test_several_players_may_get_33() -> None:
    table = at_round(3)
    table.arrange({"out": "BCDEIOFMP", "5": "A", "4": "GL", "2": "N"})
    table.deal(*CARDS)

    table.crown("A")

    assert scored(table).points == (33, 14, 33, 12)


def test_the_33_counts_before_totals_and_winners() -> None:
    table = at_round(3)
    before = scored(table).totals

    event = crowned_at_once(table, *CARDS)

    assert event.totals[RACHEL] == before[RACHEL] + 33


def test_most_points_win() -> None:
    table = at_round(1, rounds=1)
    crowned_at_once(table, *CARDS)

    assert table.game.winners == (SIMON,)


def ended(places: dict[str, str], *cards: str) -> Table:
    table = at_round(1, rounds=1, seats=len(cards))
    table.arrange(places)
    table.deal(*cards)
    table.crown("A")
    return table


def test_a_tie_goes_to_whoever_has_more_favourites_in_the_castle() -> None:
    # ACEFNO: A 10, two in the castle with C; ADEFGM: A 10, D among the servants.
    places = {"5": "A", "0": "CDG", "out": "BEFILMNOP"}

    table = ended(places, "ACEFNO", "ADEFGM", "EFIMOP")

    assert scored(table).points == (10, 10, 0)
    assert table.game.winners == (SIMON,)


def test_throne_and_servants_count_as_in_the_castle_and_out_does_not() -> None:
    # ADEFGM has A on the throne and D, E among the servants: 3 inside, 10 points.
    # BCDEIO has B and C on floor 5 and nobody else but D, E: 4 inside, 10 points.
    places = {"5": "ABC", "0": "DE", "out": "FGILMNOP"}

    table = ended(places, "ADEFGM", "BCDEIO", "EFIMOP")

    assert scored(table).points == (10, 10, 0)
    assert table.game.winners == (SIMON,)


def test_a_tie_that_stays_is_a_shared_victory_in_seat_order() -> None:
    places = {"5": "A", "0": "CD", "out": "BEFGILMNOP"}

    table = ended(places, "ADEFGM", "EFIMOP", "ACEFNO")

    assert scored(table).points == (10, 0, 10)
    assert table.game.winners == (RACHEL, TERRY)


def test_only_those_who_are_tied_enter_the_tie_break() -> None:
    # BCDEIO has the most in the castle, but not the most points.
    places = {"5": "A", "0": "BCDEIO", "out": "FGLMNP"}

    table = ended(places, "BCDEIO", "ADEFGM", "ACEFNO")

    assert scored(table).points == (0, 10, 10)
    assert table.game.winners == (TERRY,)


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_a_game_has_as_many_rounds_as_the_host_chose(rounds: int) -> None:
    table = at_round(rounds, rounds=rounds)
    assert table.game.running

    _, _, last = table.crown("A")

    assert isinstance(last, GameOver)
    assert (last.reason, last.seed_opened) == ("finished", table.seed.hex())
    assert table.game.phase is Phase.OVER
    assert table.game.decision is None
    assert len(table.game.scored) == rounds


def test_later_rounds_begin_left_of_the_crown() -> None:
    table = settled()
    table.nominate("A")
    assert table.game.crown == SIMON
    table.vote("yes", "yes", "yes", "yes")

    begun = table.log[-1]

    assert isinstance(begun, RoundStarted)
    assert begun.first == table.turn == TERRY


def test_the_crown_is_the_last_nominators_whoever_lost_it() -> None:
    table = settled()
    table.nominate("A")
    table.vote("yes", "yes", "no", "yes")
    table.nominate("B")
    assert table.game.crown == PAUL

    table.vote("yes", "yes", "yes", "yes")

    assert table.game.first == table.turn == RACHEL


def test_the_same_player_begins_placement_and_ascent_of_a_round() -> None:
    table = settled()
    table.crown("A")
    assert table.turn == TERRY

    fill(table)

    assert table.game.decision is not None
    assert (table.turn, table.game.decision.kind) == (TERRY, Kind.MOVE)


def test_a_round_begins_with_an_empty_castle_and_a_new_card() -> None:
    table = settled()
    first = table.view(RACHEL).own
    table.crown("A")

    second = table.view(RACHEL).own

    assert table.game.board.at == {}
    assert first is not None
    assert second is not None
    assert second.favourites != first.favourites


def test_a_rounds_favourites_are_revealed_with_it() -> None:
    table = settled()
    cards = [table.game.card_of(Seat(seat), 1) for seat in range(4)]

    table.crown("A")

    assert list(scored(table).favourites) == cards


# RULES §4: the most elections, moves and answers there can be.
LONGEST = [(3, 13, 54), (4, 13, 54), (5, 11, 58), (6, 13, 54)]


def longest_round(table: Table) -> tuple[int, int]:
    """Play for length: everybody low, nobody put up too soon, one No at a time."""
    letters = iter("ABCDEFGILMNOP")
    floors = iter("111122223333")
    while table.game.phase is Phase.PLACEMENT:
        table.place(next(letters), next(floors))
    this_round, elections, moves = table.game.round, 0, 0
    while table.game.running and table.game.round == this_round:
        ways = table.game.law.destinations(table.game.board)
        quiet = [c for c, to in ways.items() if to != "throne"]
        table.move(min(quiet or ways, key=lambda c: table.game.board.at[c]))
        moves += 1
        if table.game.ballots:
            elections += 1
            hands = table.game.hands
            against = next((s for s, hand in enumerate(hands) if "no" in hand), None)
            table.vote(*("no" if s == against else "yes" for s in range(len(hands))))
    return elections, moves


@pytest.mark.parametrize(("seats", "elections", "moves"), LONGEST)
def test_the_longest_round_is_as_long_as_the_rules_say(
    seats: int, elections: int, moves: int
) -> None:
    table = settled(seats)
    table.crown("A")

    assert longest_round(table) == (elections, moves)


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_the_shortest_round_has_two_moves(seats: int) -> None:
    table = settled(seats)

    before = len(table.log)
    table.crown("A")

    moves = [e for e in table.log[before:] if type(e).__name__ == "Moved"]
    assert len(moves) == 2


def test_the_longest_game_takes_432_answers() -> None:
    table = started(6)
    for _ in range(3):
        longest_round(table)

    answers = [
        row for row in table.rows if row.type in ("placed", "moved", "ballot_cast")
    ]
    assert table.game.phase is Phase.OVER
    assert len(answers) == 432
