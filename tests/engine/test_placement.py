from collections import Counter

import pytest

from engine.board import PLACEMENT_FLOORS, Seat
from engine.commands import Placement
from engine.errors import NoRoom, NotAsked, NotPlaceable, UnknownCharacter, WrongKind
from engine.events import Placed, RoundStarted
from engine.state import Kind, Phase
from tests.rig.engine.tables import (
    PAUL,
    RACHEL,
    SIMON,
    TERRY,
    chance,
    options,
    settled,
    started,
)

QUOTAS = [(3, 4, 1), (4, 3, 1), (5, 2, 3), (6, 2, 1)]


def placed_by(seats: int, first: int) -> list[int]:
    table = settled(seats, options(first=first))
    return [event.seat for event in table.log if isinstance(event, Placed)]


@pytest.mark.parametrize(("seats", "each", "_left"), QUOTAS)
def test_each_places_4_3_2_or_2_characters(seats: int, each: int, _left: int) -> None:
    counts = Counter(placed_by(seats, first=0))

    assert counts == dict.fromkeys(range(seats), each)


@pytest.mark.parametrize(("seats", "each", "_left"), QUOTAS)
@pytest.mark.parametrize("first", [0, 2])
def test_placement_goes_clockwise_from_the_first_seat(
    seats: int, each: int, _left: int, first: int
) -> None:
    assert placed_by(seats, first) == [
        (first + turn) % seats for turn in range(seats * each)
    ]


@pytest.mark.parametrize(("seats", "_each", "left"), QUOTAS)
def test_the_rest_goes_to_the_servants_with_the_last_placement(
    seats: int, _each: int, left: int
) -> None:
    table = settled(seats)

    *others, last = [event for event in table.log if isinstance(event, Placed)]

    assert last.dropped == tuple("ABCDEFGILMNOP"[-left:])
    assert table.game.board.on("0") == last.dropped
    assert all(event.dropped == () for event in others)


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_after_the_last_placement_the_first_seat_moves(seats: int) -> None:
    table = settled(seats, options(first=1))

    assert table.game.phase is Phase.ASCENT
    assert table.game.decision is not None
    assert table.game.decision.kind is Kind.MOVE
    assert table.turn == SIMON


def test_only_floors_1_to_4_take_a_placement() -> None:
    table = started()

    assert table.legal(RACHEL) == tuple(
        Placement(c, p) for c in "ABCDEFGILMNOP" for p in "1234"
    )


@pytest.mark.parametrize("place", ["0", "5", "throne", "out", "wc3", "6", ""])
def test_no_other_place_takes_one(place: str) -> None:
    table = started()

    with pytest.raises(NoRoom) as refused:
        table.place("A", place)

    assert refused.value.code == "no-room"
    assert refused.value.facts == {"place": place}


def test_a_floor_takes_at_most_four() -> None:
    table = started()
    for letter in "ABCD":
        table.place(letter, "3")

    with pytest.raises(NoRoom) as refused:
        table.place("E", "3")

    assert refused.value.facts == {"place": "3"}
    assert Placement("E", "3") not in table.legal(table.turn)
    assert Placement("E", "4") in table.legal(table.turn)


def test_a_character_is_placed_once() -> None:
    table = started()
    table.place("A", "3")

    with pytest.raises(NotPlaceable) as refused:
        table.place("A", "2")

    assert refused.value.code == "already-placed"
    assert refused.value.facts == {"character": "A"}


@pytest.mark.parametrize("character", ["J", "H", "a", "", "AB"])
def test_a_character_the_edition_has_not_is_unknown(character: str) -> None:
    table = started()

    with pytest.raises(UnknownCharacter) as refused:
        table.place(character, "2")

    assert refused.value.code == "unknown-character"
    assert refused.value.facts == {"character": character}


def test_nobody_places_out_of_turn() -> None:
    table = started()

    with pytest.raises(NotAsked) as refused:
        table.place("A", "2", seat=TERRY)

    assert refused.value.code == "not-asked"
    assert refused.value.facts == {"decision": 1, "seat": TERRY, "seats": (RACHEL,)}
    assert table.legal(TERRY) == ()


def test_a_placement_is_not_answered_with_a_move_or_a_card() -> None:
    table = started()

    with pytest.raises(WrongKind) as moved:
        table.move("A")
    with pytest.raises(WrongKind) as laid:
        table.lay(RACHEL, "yes")

    assert moved.value.code == laid.value.code == "wrong-kind"
    assert moved.value.facts == laid.value.facts == {"asked": "placement"}


def random_start(seats: int, number: int) -> RoundStarted:
    table = started(
        seats,
        options(placement="random"),
        seed=chance(number).randbytes(32),
    )
    (event,) = [e for e in table.log if isinstance(e, RoundStarted)]
    assert table.game.phase is Phase.ASCENT
    return event


@pytest.mark.parametrize(("seats", "each", "left"), QUOTAS)
def test_random_placement_places_as_many_and_drops_the_rest(
    seats: int, each: int, left: int
) -> None:
    for number in range(25):
        placed = random_start(seats, number).placed
        by_lot, dropped = placed[: seats * each], placed[seats * each :]

        assert sorted(c for c, _ in placed) == sorted("ABCDEFGILMNOP")
        assert {place for _, place in by_lot} <= set(PLACEMENT_FLOORS)
        assert [place for _, place in dropped] == ["0"] * left
        assert max(Counter(place for _, place in by_lot).values()) <= 4


def test_random_placement_draws_character_and_floor_evenly() -> None:
    games = 600
    first = Counter(random_start(5, number).placed[0] for number in range(games))

    letters = Counter[str]()
    floors = Counter[str]()
    for (letter, floor), times in first.items():
        letters[letter] += times
        floors[floor] += times

    assert set(letters) == set("ABCDEFGILMNOP")
    assert all(
        games / 13 * 0.5 < times < games / 13 * 1.6 for times in letters.values()
    )
    assert all(games / 4 * 0.7 < times < games / 4 * 1.3 for times in floors.values())


def test_random_placement_goes_to_the_move_of_the_first_seat_at_once() -> None:
    table = started(4, options(placement="random", first=3))

    assert table.game.decision is not None
    assert (table.number, table.game.decision.kind) == (1, Kind.MOVE)
    assert table.turn == PAUL


def test_every_round_is_placed_anew_by_its_own_draws() -> None:
    table = started(4, options(placement="random"))
    first = table.log[-1]
    king = next(c for c, place in table.game.board.at.items() if place == "4")
    table.crown(king)

    second = table.log[-1]

    assert isinstance(first, RoundStarted)
    assert isinstance(second, RoundStarted)
    assert second.round == 2
    assert first.placed != second.placed


def test_placements_are_offered_by_letter_then_floor() -> None:
    table = started()
    table.place("C", "2")

    offers = [a for a in table.legal(SIMON) if isinstance(a, Placement)]

    assert offers == sorted(offers, key=lambda a: (a.character, a.place))
    assert len(offers) == 12 * 4
    assert Seat(1) == table.turn
