"""Places are full at their capacity, whatever an edition's capacities are."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from engine.board import LETTERS, PLACEMENT_FLOORS, Board
from engine.editions.base import Edition
from engine.editions.classic import Classic
from tests.rig.engine.tables import chance

HORDE = tuple(f"{letter}{number}" for letter in LETTERS for number in range(3))
"""More characters than any edition has."""


def classic(capacities: Sequence[int | None], characters: Sequence[str]) -> Edition:
    """The classic edition with other capacities of its places, from the top."""
    pairs = zip(Classic.places, capacities, strict=True)
    places = tuple(replace(place, capacity=capacity) for place, capacity in pairs)
    law = type("Other", (Classic,), {"places": places, "characters": characters})
    built: Edition = law()
    return built


def test_a_floor_with_room_for_more_than_all_is_never_full() -> None:
    law = classic((None, 4, 4, 4, 4, 20, None, None), LETTERS)
    everybody = Board(dict.fromkeys(LETTERS, "1"))

    assert law.full(Board({"A": "1", "B": "1"})) == frozenset()
    assert law.full(everybody) == frozenset()
    assert law.full(Board(dict.fromkeys("ABCD", "2"))) == {"2"}


@pytest.mark.parametrize("characters", [LETTERS, HORDE], ids=["13", "39"])
@pytest.mark.parametrize("number", range(20))
def test_a_place_is_full_when_as_many_stand_there_as_it_holds(
    characters: Sequence[str], number: int
) -> None:
    rng = chance(number)
    most = [None, 0, 1, 2, 4, 12, 13, 14, 15, 16, 17, 20, 31, 32, 33, 39, 99]
    law = classic(rng.choices(most, k=len(Classic.places)), characters)
    for _ in range(100):
        keys = [place.key for place in rng.sample(law.places, rng.randint(1, 4))]
        standing = rng.sample(characters, rng.randint(0, len(characters)))
        board = Board({character: rng.choice(keys) for character in standing})

        full = {
            place.key
            for place in law.places
            if place.capacity is not None and board.count(place.key) >= place.capacity
        }
        assert law.full(board) == full
        assert law.placements(board) == tuple(
            (character, floor)
            for character in sorted(set(characters) - set(standing))
            for floor in PLACEMENT_FLOORS
            if floor not in full
        )
        for character, to in law.destinations(board).items():
            assert to == law.ways[board.at[character]][0]
            assert to not in full
