from collections import Counter
from itertools import product

import pytest

from engine.board import Board, Seat
from engine.commands import Move, Placement
from engine.editions import EDITIONS
from engine.errors import BadTable, CannotMove, NoRoom, NotPlaceable
from engine.events import Moved, Placed, RoundStarted
from engine.state import Kind
from tests.rig.engine.tables import (
    RACHEL,
    Table,
    chance,
    closed,
    options,
    settled,
    started,
)

QUOTAS = [(2, 6, 1), (3, 4, 1), (4, 3, 1), (5, 2, 3), (6, 2, 1), (7, 1, 6), (8, 1, 5)]


def jesters(seats: int = 4) -> Table:
    return settled(seats, edition="jester")


@pytest.mark.parametrize("seats", range(2, 9))
def test_the_jester_stands_on_floor_3_at_the_start_of_every_round(seats: int) -> None:
    table = started(seats, edition="jester")
    assert table.game.board.at == {"J": "3"}
    assert table.view().unplaced == tuple("ABCDEFGILMNOP")
    table = jesters(seats)
    table.arrange({"5": "J", "0": "ABCDEFGILMNOP"})
    table.crown("J")

    assert table.game.board.at == {"J": "3"}


def test_the_jester_counts_for_the_limit_of_floor_3() -> None:
    table = started(edition="jester")
    for letter in "ABC":
        table.place(letter, "3")

    with pytest.raises(NoRoom):
        table.place("D", "3")

    assert Placement("D", "3") not in table.legal(table.turn)


def test_nobody_places_the_jester() -> None:
    with pytest.raises(NotPlaceable):
        started(edition="jester").place("J", "2")


@pytest.mark.parametrize("place", ["0", "5", "throne", "wc3", "wc4", "dungeon3", "box"])
def test_nobody_is_placed_in_a_wc_or_a_dungeon_or_above_floor_4(place: str) -> None:
    with pytest.raises(NoRoom):
        started(edition="jester").place("A", place)


@pytest.mark.parametrize(("seats", "each", "left"), QUOTAS)
def test_each_places_6_4_3_2_2_1_or_1_and_the_rest_falls(
    seats: int, each: int, left: int
) -> None:
    table = settled(seats, options(first=1), edition="jester")

    placed = [event for event in table.log if isinstance(event, Placed)]

    assert [e.seat for e in placed] == [(1 + n) % seats for n in range(seats * each)]
    assert placed[-1].dropped == tuple("ABCDEFGILMNOP"[-left:])
    assert table.game.board.on("0") == placed[-1].dropped
    assert table.turn == 1


@pytest.mark.parametrize(("seats", "late"), [(7, 1), (8, 3)])
@pytest.mark.parametrize("first", [0, 5])
def test_compensated_all_place_two_but_the_last_ones_place_one(
    seats: int, late: int, first: int
) -> None:
    chosen = options(placement="compensated", first=first)
    table = settled(seats, chosen, edition="jester")

    placed = [event for event in table.log if isinstance(event, Placed)]

    order = [(first + turn) % seats for turn in range(seats)]
    assert [event.seat for event in placed] == [*order, *order[: seats - late]]
    assert placed[-1].dropped == ()
    assert table.game.decision is not None
    assert (table.turn, table.game.decision.kind) == (first, Kind.MOVE)


@pytest.mark.parametrize("seats", range(2, 7))
def test_compensated_placement_is_for_7_and_8_players_alone(seats: int) -> None:
    with pytest.raises(BadTable) as refused:
        closed(seats, options(placement="compensated"), edition="jester")

    assert refused.value.facts == {"option": "placement", "value": "compensated"}


@pytest.mark.parametrize("seats", [0, 1, 9])
def test_jester_is_not_played_by_fewer_than_2_or_more_than_8(seats: int) -> None:
    with pytest.raises(BadTable) as refused:
        closed(seats, edition="jester")

    assert refused.value.facts == {"option": "seats", "value": seats}


def test_the_first_of_each_choice_is_the_jester_default() -> None:
    choices = EDITIONS["jester"].choices

    assert choices.rounds[0] == 3
    assert choices.placement[0] == "choose"
    assert choices.ballot_history[0] == "open"


@pytest.mark.parametrize(("seats", "each", "left"), QUOTAS)
def test_random_placement_leaves_the_jester_where_he_stands(
    seats: int, each: int, left: int
) -> None:
    for number in range(25):
        seed = chance(number).randbytes(32)
        table = started(seats, options(placement="random"), seed, edition="jester")
        (event,) = [e for e in table.log if isinstance(e, RoundStarted)]
        by_lot, dropped = event.placed[: seats * each], event.placed[seats * each : -1]

        assert event.placed[-1] == ("J", "3")
        assert sorted(c for c, _ in event.placed[:-1]) == sorted("ABCDEFGILMNOP")
        assert {place for _, place in by_lot} <= set("1234")
        assert [place for _, place in dropped] == ["0"] * left
        assert max(Counter(table.game.board.at[c] for c, _ in by_lot).values()) <= 4
        assert table.game.board.count("3") <= 4


@pytest.mark.parametrize(("origin", "wc"), [("2", "wc3"), ("3", "wc4")])
def test_a_full_floors_empty_wc_takes_whoever_comes_from_below(
    origin: str, wc: str
) -> None:
    table = jesters()
    table.arrange({wc[-1]: "ABCD", origin: "E"})

    (event,) = table.move("E")

    assert event == Moved(13, RACHEL, "E", origin, wc, "seat", None)
    assert table.game.board.count(wc[-1]) == 4


@pytest.mark.parametrize("floor", ["1", "2", "5"])
def test_other_full_floors_have_no_wc(floor: str) -> None:
    table = jesters()
    below = str(int(floor) - 1)
    table.arrange({floor: "ABCD", below: "E"})

    with pytest.raises(CannotMove):
        table.move("E")


@pytest.mark.parametrize(("origin", "floor"), [("2", "3"), ("3", "4")])
def test_a_wc_has_one_place_and_opens_only_when_its_floor_is_full(
    origin: str, floor: str
) -> None:
    table = jesters()
    table.arrange({floor: "ABCD", origin: "EG", f"wc{floor}": "F"})
    assert table.legal(RACHEL) == tuple(Move(c) for c in "ABCD")

    table.arrange({floor: "ABC", origin: "EG"})
    table.move("E")

    assert table.game.board.at["E"] == floor


@pytest.mark.parametrize("floor", ["3", "4"])
def test_a_turn_may_take_somebody_out_of_a_wc_onto_the_same_floor(floor: str) -> None:
    table = jesters()
    table.arrange({floor: "ABC", f"wc{floor}": "J"})

    table.move("J")

    assert table.game.board.on(floor) == tuple("ABCJ")


def test_a_wc_is_not_counted_for_its_floor() -> None:
    table = jesters()
    table.arrange({"4": "ABC", "wc4": "F", "3": "E"})

    table.move("E")

    assert table.game.board.on("4") == tuple("ABCE")


@pytest.mark.parametrize("place", ["dungeon3", "dungeon2", "dungeon1", "box", "throne"])
def test_nobody_moves_out_of_a_dungeon_or_the_box(place: str) -> None:
    table = jesters()
    table.arrange({place: "A", "0": "B"})

    with pytest.raises(CannotMove) as refused:
        table.move("A")

    assert refused.value.reason == "stays"
    assert table.legal(RACHEL) == (Move("B"),)


@pytest.mark.parametrize("floor", ["3", "4"])
def test_whoever_is_in_a_wc_waits_for_room_on_its_floor(floor: str) -> None:
    table = jesters()
    table.arrange({floor: "ABCD", f"wc{floor}": "F"})

    with pytest.raises(CannotMove) as refused:
        table.move("F")

    assert refused.value.reason == "no-room"


ROOM = {"0": 6, "1": 4, "2": 4, "3": 5, "4": 4, "5": 4, "wc3": 1, "wc4": 1}
"""The most that stand on each floor and in each WC: the Jester may be a fifth on 3."""

EVERY = {place: tuple(range(most + 1)) for place, most in ROOM.items()}
"""How many can stand in each place. No more servants are told apart than six."""

TELLING = {place: tuple({0, 1, most - 1, most}) for place, most in ROOM.items()}
"""Where rules change: at nobody, somebody, and full, with the Jester or without."""


def positions(counts: dict[str, tuple[int, ...]]) -> list[Board]:
    """Every way to fill floors and WCs by these counts, letters left aside."""
    found = []
    for filled in product(*counts.values()):
        at = {
            f"{place}{one}": place
            for place, count in zip(counts, filled, strict=True)
            for one in range(count)
        }
        found.append(Board(at))
    return [board for board in found if board.at]


@pytest.mark.parametrize(
    ("counts", "boards"),
    [(TELLING, 16_383), pytest.param(EVERY, 104_999, marks=pytest.mark.proof)],
    ids=["telling", "every"],
)
def test_a_legal_move_always_exists(
    counts: dict[str, tuple[int, ...]], boards: int
) -> None:
    """Whoever stands topmost on a floor can move up; else a WC may be left."""
    law = EDITIONS["jester"]
    found = positions(counts)
    assert len(found) == boards

    for board in found:
        ways = law.destinations(board)
        topmost = max(board.at, key=lambda c: (len(board.at[c]) == 1, board.at[c]))
        to = "throne" if board.at[topmost] == "5" else None
        assert topmost in ways
        assert to in (None, ways[topmost])


def test_the_seat_numbers_of_the_first_turn_wrap_around() -> None:
    table = settled(8, options(first=7), edition="jester")

    assert table.turn == Seat(7)
    table.move("A")
    assert table.turn == Seat(0)
