"""How everybody is expected to play: steady's judgement, worked out once for a law."""

from functools import lru_cache

import msgspec

from engine import editions
from engine.board import LETTERS, Card
from engine.bots import judgement
from engine.bots.tabulated import KEPT, Tables, tables
from engine.editions.base import Edition

_NOT_OPEN = -1e9


class Habits(msgspec.Struct, frozen=True, eq=False):
    """A law's tables, and what its moves and hopes are worth.

    `sources` are the places one can move from, `top` the place below the throne; `odd`
    are the characters whose election has other consequences than everybody's, `plain`
    one of the rest; `known` says who is on any favourites card; `ladder` sums up the
    best places for so many characters; `lifts` are the worths of moves from place to
    place, a stranger's and a favourite's; `shut` a row of them where nothing can move;
    `against` the chance of a veto by how many the others hold.
    """

    law: Edition
    number: int
    rounds: int
    tables: Tables
    sources: tuple[int, ...]
    top: int
    plain: int
    odd: tuple[int, ...]
    known: tuple[int, ...]
    ladder: tuple[int, ...]
    lifts: tuple[tuple[tuple[float, ...], ...], tuple[tuple[float, ...], ...]]
    shut: tuple[float, ...]
    against: tuple[float, ...]


@lru_cache(maxsize=KEPT)
def habits(edition: str, rules: int, seats: int, number: int, rounds: int) -> Habits:
    """The habits at a table of so many seats, in round `number` of `rounds`.

    Raises LookupError for rules that aren't known.
    """
    law = editions.law(edition, rules)
    found = tables(edition, rules, seats, number, rounds)
    letters = range(len(found.letters))
    traits = [_trait(found, c) for c in letters]
    plain = max(letters, key=lambda c: traits.count(traits[c]))
    best = judgement.ladder(law.places, len(letters))
    return Habits(
        law=law,
        number=number,
        rounds=rounds,
        tables=found,
        sources=tuple(place for place, ways in enumerate(found.ways) if ways),
        top=next(p for p, ways in enumerate(found.ways) if found.throne in ways),
        plain=plain,
        odd=tuple(c for c in letters if traits[c] != traits[plain]),
        known=tuple(int(letter in LETTERS) for letter in found.letters),
        ladder=tuple(sum(best[:count]) for count in range(len(best) + 1)),
        lifts=(_lifts(found, favourite=False), _lifts(found, favourite=True)),
        shut=(_NOT_OPEN,) * len(found.keys),
        against=_against(law, seats),
    )


def _trait(found: Tables, c: int) -> tuple[object, ...]:
    return (found.signs[c], *(ways[c] for ways in found.after.values()))


def _lifts(found: Tables, favourite: bool) -> tuple[tuple[float, ...], ...]:
    top = max(v for p, v in enumerate(found.values) if p != found.throne)
    return tuple(
        tuple(judgement.lift(to - value, to >= top, favourite) for to in found.values)
        for value in found.values
    )


def _against(law: Edition, seats: int) -> tuple[float, ...]:
    begun = (seats - 1) * sum(card is not Card.YES for card in law.hand(seats))
    return tuple(judgement.against(left, begun, seats - 1) for left in range(begun + 1))
