"""An edition's rules as small whole numbers, read off the law by asking it.

Characters and places become indices, what the law answers becomes tables. Each table is
compared with the law on random castles before it is believed.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import product

import msgspec
from msgspec.structs import replace

from engine import editions
from engine.board import (
    LETTERS,
    SERVANTS,
    THRONE,
    Board,
    Card,
    Character,
    PlaceKey,
    Verdict,
)
from engine.bots import judgement
from engine.deck import CARDS
from engine.editions.base import Edition

UNBOUNDED = 99
"""The capacity of a place without a limit."""

KEPT = 256
"""How many tables are kept: a law has one for each number of seats, rounds and round,
24 of them the classic edition, 42 the jester's.
"""

_TRIALS = 200


class Tables(msgspec.Struct, frozen=True, eq=False):
    """A law's answers in one round of a table of so many seats.

    `ways` are the places a move leads to from each place, the first with room counts;
    `after` where a nominee goes after each verdict, the first with room, else the last;
    `vetoes` the cards beside Yes, `spent` whether they are gone once laid; `verdicts`
    the verdict by how many of each are laid, `alone` by one of each. A round's points
    are the sum of the values, times `signs` by the king; a sum of 0 becomes `zero`.
    `cards` are the favourites cards, 1 for each character on them. Where not `exact`,
    the law is more than such tables can say.
    """

    letters: tuple[Character, ...]
    keys: tuple[PlaceKey, ...]
    values: tuple[int, ...]
    capacities: tuple[int, ...]
    in_play: tuple[bool, ...]
    throne: int
    ways: tuple[tuple[int, ...], ...]
    after: Mapping[Verdict, tuple[tuple[int, ...], ...]]
    vetoes: tuple[Card, ...]
    spent: tuple[bool, ...]
    verdicts: Mapping[tuple[int, ...], Verdict]
    alone: tuple[Verdict, ...]
    signs: tuple[int, ...]
    zero: int
    cards: tuple[tuple[int, ...], ...]
    exact: bool = True


@lru_cache(maxsize=KEPT)
def tables(edition: str, rules: int, seats: int, number: int, rounds: int) -> Tables:
    """The law's tables for round `number` of `rounds`.

    Raises LookupError for rules that aren't known.
    """
    law = editions.law(edition, rules)
    found = _read(law, seats, number, rounds)
    return found if _holds(law, found, number, rounds) else replace(found, exact=False)


def _read(law: Edition, seats: int, number: int, rounds: int) -> Tables:
    letters = tuple(sorted(law.characters))
    keys = tuple(place.key for place in law.places)
    vetoes = tuple(card for card in law.cards if card is not Card.YES)
    signs = tuple(-1 if law.turns_round(king) else 1 for king in letters)
    calm = next(
        (c for c, sign in zip(letters, signs, strict=True) if sign == 1), letters[0]
    )
    return Tables(
        letters=letters,
        keys=keys,
        values=tuple(place.value for place in law.places),
        capacities=tuple(
            UNBOUNDED if place.capacity is None else place.capacity
            for place in law.places
        ),
        in_play=tuple(place.kind in judgement.IN_PLAY for place in law.places),
        throne=keys.index(THRONE),
        ways=tuple(_ways(law, keys, key) for key in keys),
        after={
            verdict: tuple(_after(law, keys, c, verdict) for c in letters)
            for verdict in Verdict
        },
        vetoes=vetoes,
        spent=tuple(law.spent(veto) for veto in vetoes),
        verdicts=_verdicts(law, seats, vetoes),
        alone=tuple(law.verdict((veto, *(Card.YES,) * (seats - 1))) for veto in vetoes),
        signs=signs,
        zero=_zero(law, calm, number, rounds),
        cards=tuple(tuple(int(c in card) for c in letters) for card in CARDS),
    )


def first_with_room(
    ways: Sequence[int], count: Sequence[int], capacities: Sequence[int]
) -> int:
    """The first of the places that isn't full, -1 if all are."""
    for way in ways:
        if count[way] < capacities[way]:
            return way
    return -1


def _found_by_filling(
    law: Edition,
    keys: Sequence[PlaceKey],
    character: Character,
    start: PlaceKey,
    ask: Callable[[Board], PlaceKey | None],
) -> tuple[int, ...]:
    """Where the law sends a character, as one place after the other fills up."""
    spare = [c for c in sorted(law.characters) if c != character]
    at = {character: start}
    found: list[int] = []
    while (to := ask(Board(at))) is not None and keys.index(to) not in found:
        found.append(keys.index(to))
        capacity = law.place(to).capacity
        if capacity is None or capacity > len(spare):
            break
        at |= dict.fromkeys(spare[:capacity], to)
        spare = spare[capacity:]
    return tuple(found)


def _ways(law: Edition, keys: Sequence[PlaceKey], key: PlaceKey) -> tuple[int, ...]:
    """The ways of whoever has the most of them from this place."""

    def ways_of(mover: Character) -> tuple[int, ...]:
        def ask(board: Board) -> PlaceKey | None:
            return law.destinations(board).get(mover)

        return _found_by_filling(law, keys, mover, key, ask)

    return max((ways_of(mover) for mover in sorted(law.characters)), key=len)


def _after(
    law: Edition, keys: Sequence[PlaceKey], nominee: Character, verdict: Verdict
) -> tuple[int, ...]:
    def ask(board: Board) -> PlaceKey:
        return law.aftermath(board, nominee, verdict)

    return _found_by_filling(law, keys, nominee, THRONE, ask)


def _verdicts(
    law: Edition, seats: int, vetoes: Sequence[Card]
) -> Mapping[tuple[int, ...], Verdict]:
    found = {}
    for counts in product(range(seats + 1), repeat=len(vetoes)):
        if sum(counts) <= seats:
            laid = [v for v, n in zip(vetoes, counts, strict=True) for _ in range(n)]
            found[counts] = law.verdict([*laid, *(Card.YES,) * (seats - len(laid))])
    return found


def _zero(law: Edition, king: Character, number: int, rounds: int) -> int:
    at = {**dict.fromkeys(law.characters, SERVANTS), king: THRONE}
    six = [c for c in LETTERS if c != king][:6]
    return law.round_points(Board(at), six, number, rounds)


def points(found: Tables, total: int, king: int) -> int:
    """The round's points of a seat whose favourites' values sum up to `total`."""
    return total * found.signs[king] if total else found.zero


def _holds(law: Edition, found: Tables, number: int, rounds: int) -> bool:
    """Whether the tables say what the law says of random castles."""
    chance = random.Random(0)  # noqa: S311 - any castles will do, the same ones always
    return all(_agrees(law, found, number, rounds, chance) for _ in range(_TRIALS))


def _agrees(
    law: Edition, found: Tables, number: int, rounds: int, chance: random.Random
) -> bool:
    count = [0] * len(found.keys)
    at: dict[Character, int] = {}
    king = chance.randrange(len(found.letters))
    for index, letter in enumerate(found.letters):
        room = [p for p, most in enumerate(found.capacities) if count[p] < most]
        room.remove(found.throne)
        at[letter] = found.throne if index == king else chance.choice(room)
        count[at[letter]] += 1
    board = Board({letter: found.keys[place] for letter, place in at.items()})
    moves = {
        letter: found.keys[to]
        for letter, place in at.items()
        if (to := first_with_room(found.ways[place], count, found.capacities)) >= 0
    }
    six = chance.choice(CARDS)
    total = sum(found.values[at[c]] for c in six)
    return (
        law.destinations(board) == moves
        and law.round_points(board, sorted(six), number, rounds)
        == points(found, total, king)
        and all(
            found.keys[landing(found, king, verdict, count)]
            == law.aftermath(board, found.letters[king], verdict)
            for verdict in Verdict
        )
    )


def landing(found: Tables, nominee: int, verdict: Verdict, count: Sequence[int]) -> int:
    """Where a nominee goes after a verdict."""
    ways = found.after[verdict][nominee]
    to = first_with_room(ways, count, found.capacities)
    return ways[-1] if to < 0 else to
