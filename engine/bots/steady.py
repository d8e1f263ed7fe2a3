"""A bot that lifts its favourites patiently and spends its No cards with care."""

import random
from collections.abc import Mapping, Sequence

import msgspec

from engine.board import Card, Character, PlaceKind
from engine.commands import Answer, Ballot, Move, Placement
from engine.views import Legal, Own, View

_HOPE = 0.55
"""How much of the best outcome still possible a round usually brings."""

_NO_IS_WORTH = (0.0, 4.0, 2.5, 1.5, 1.0)
"""The points a No must save to be spent, by how many are held: the last is dear."""

_WHIM = 1.5
"""How far chance may tip a choice, so that favourites aren't told by every move."""


class _Table(msgspec.Struct, frozen=True):
    """What the bot reads from its view: values, favourites, and how the round goes."""

    value: Mapping[Character, int]
    inside: frozenset[Character]
    favourites: frozenset[Character]
    ladder: tuple[int, ...]
    refusals: int
    vetoes: int

    @property
    def throne(self) -> int:
        """What the king brings."""
        return self.ladder[0]

    @property
    def points(self) -> int:
        """What the favourites bring where they stand."""
        return sum(self.value.get(c, 0) for c in self.favourites)

    def crowned(self, nominee: Character) -> int:
        """The points if the nominee, wherever it stands now, became king."""
        if nominee not in self.favourites:
            return self.points
        return self.points - self.value[nominee] + self.throne

    def hope(self, without: Character | None = None) -> float:
        """The points to be hoped for, with one character out of the round."""
        left = len(self.favourites & self.inside - {without})
        return _HOPE * sum(self.ladder[:left])


def answer(view: View, chance: random.Random) -> Answer:
    """One of the view's own legal answers. Raises LookupError when there is none."""
    own = view.own
    if own is None or not own.legal:
        raise LookupError("not asked")
    table = _read(view, own)
    if len(own.legal) == 1:
        return own.legal[0].answer
    if isinstance(own.legal[0].answer, Ballot):
        return _vote(view, table, own.legal, chance)
    ranked = [
        (_worth(table, legal) + _WHIM * chance.random(), -place)
        for place, legal in enumerate(own.legal)
    ]
    return own.legal[-max(ranked)[1]].answer


def _read(view: View, own: Own) -> _Table:
    standing = [(c, p.place) for p in view.places for c in p.characters]
    ladder: list[int] = []
    for place in sorted((p.place for p in view.places), key=lambda p: -p.value):
        # One on the throne; it came from the top floor, which has one less since.
        full = len(own.favourites) if place.capacity is None else place.capacity
        above = place.kind is PlaceKind.THRONE
        ladder += [place.value] * (1 if above else full - (len(ladder) == 1))
    return _Table(
        value={c: place.value for c, place in standing},
        inside=frozenset(c for c, place in standing if place.kind is not PlaceKind.OUT)
        | frozenset(view.unplaced),
        favourites=frozenset(own.favourites),
        ladder=tuple(ladder),
        refusals=len(view.elections),
        vetoes=sum(card is not Card.YES for card in own.hand),
    )


def _worth(table: _Table, legal: Legal) -> float:
    """What a placement or a move is worth, in points or thereabouts."""
    match legal.answer:
        case Placement(character=character, place=place):
            height = int(place)
            return height if character in table.favourites else 3.5 - height
        case Move(character=character) if legal.nominates:
            return _nomination(table, character)
        case Move(character=character):
            exposed = table.value[character] + 1 >= table.ladder[1]
            if character in table.favourites:
                return 0.6 if exposed else 1.5
            return -0.4 if exposed else 0.0
        case Ballot():
            return 0.0


def _nomination(table: _Table, nominee: Character) -> float:
    """What putting up a king promises over going on, hands elsewhere unknown."""
    refused = max(0.2, 0.6 - 0.1 * table.refusals)
    now = (1 - refused) * table.crowned(nominee) + refused * table.hope(nominee)
    promise = now - table.hope()
    if nominee in table.favourites or not table.vetoes:
        return promise
    # With a No in hand the worst is that it has to be spent.
    return max(promise, -_no_is_worth(table))


def _no_is_worth(table: _Table) -> float:
    return _NO_IS_WORTH[min(table.vetoes, len(_NO_IS_WORTH) - 1)]


def _vote(
    view: View, table: _Table, legal: Sequence[Legal], chance: random.Random
) -> Answer:
    """Yes to a good king; No when going on promises more than the card is worth."""
    ballots = [entry.answer for entry in legal if isinstance(entry.answer, Ballot)]
    against = [ballot for ballot in ballots if ballot.card is not Card.YES]
    decision = view.decision
    if decision is None or decision.nominee is None or not against:
        return ballots[0]
    saved = table.hope(decision.nominee) - table.crowned(decision.nominee)
    if saved + _WHIM * (chance.random() - 0.5) > _no_is_worth(table):
        return against[0]
    return Ballot(Card.YES)
