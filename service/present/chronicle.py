"""A round told as a story, once it is over: who pushed whom, and who felled whom.

Whatever it says is public by then: the record opens all favourites and cards of a round
with its scores.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from engine.board import Card, Character, Seat
from engine.deck import favourites
from engine.events import (
    ActedBy,
    ElectionResolved,
    Moved,
    Record,
    RoundScored,
    RoundStarted,
    TakenBack,
)
from service.present import nouns
from service.present.languages import gettext as _
from service.present.languages import ngettext
from service.present.narration import Cast
from service.present.sentences import opening

MOST: Final = 8
"""How many sentences a story has; it has five at least."""

_MOST_FALLS: Final = 2
_MOST_NAMED: Final = 3


class _Round(msgspec.Struct, frozen=True):
    """A round that is over; `cards` are those of its elections, by decision."""

    started: RoundStarted
    moves: tuple[Moved, ...]
    elections: tuple[ElectionResolved, ...]
    scored: RoundScored
    cards: Mapping[int, tuple[Card, ...]]
    favourites: tuple[frozenset[Character], ...]

    def owners(self, character: Character) -> tuple[Seat, ...]:
        """Whose favourite a character was, in seat order."""
        held = enumerate(self.favourites)
        return tuple(Seat(seat) for seat, each in held if character in each)


def tell(events: Sequence[Record], cast: Cast) -> tuple[str, ...]:
    """The story of the latest round that is over among `events`, in order.

    Five to eight sentences; none where no round is over.
    """
    found = _latest(events)
    if found is None:
        return ()
    before = (_beginning(found, cast), _length(found), _helping(found, cast))
    falls = tuple(_falls(found, cast))
    after = (_crowning(found, cast), *_outcome(found, cast))
    story = (*before, *falls, *after)
    if len(story) < MOST:
        story = (*before, *falls, *_bluff(found, cast), *after)
    return story


def _latest(events: Sequence[Record]) -> _Round | None:
    ends = [(at, e) for at, e in enumerate(events) if isinstance(e, RoundScored)]
    if not ends:
        return None
    end, scored = ends[-1]
    starts = enumerate(events[:end])
    begun = [(at, e) for at, e in starts if isinstance(e, RoundStarted)]
    if not begun:
        return None
    start, started = begun[-1]
    played = events[start:end]
    undone = {e.decision for e in played if isinstance(e, TakenBack)}
    return _Round(
        started=started,
        moves=tuple(
            e for e in played if isinstance(e, Moved) and e.decision not in undone
        ),
        elections=tuple(e for e in played if isinstance(e, ElectionResolved)),
        scored=scored,
        cards={each.decision: each.cards for each in scored.elections},
        favourites=tuple(frozenset(favourites(card)) for card in scored.favourites),
    )


def _beginning(told: _Round, cast: Cast) -> str:
    name, number = cast.person(told.started.first), told.started.round
    if told.started.placed:
        return _(
            "The castle was filled by lot, and %(name)s began round %(round)s.",
            name=name,
            round=number,
        )
    return _(
        "%(name)s began round %(round)s, and the table filled the castle in turn.",
        name=name,
        round=number,
    )


def _length(told: _Round) -> str:
    moves = ngettext("It took %(num)s move.", "It took %(num)s moves.", len(told.moves))
    if not told.elections:
        return moves
    votes = ngettext(
        "The table voted once.",
        "The table voted %(num)s times.",
        len(told.elections),
    )
    return f"{moves} {votes}"


def _helping(told: _Round, cast: Cast) -> str:
    """Who raised most of what was none of their own."""
    raised: list[list[Character]] = [[] for _seat in told.favourites]
    for move in told.moves:
        if (
            move.by != ActedBy.CLOCK
            and move.character not in told.favourites[move.seat]
        ):
            raised[move.seat].append(move.character)
    most = max(raised, key=len)
    if not most:
        return _("Nobody raised anyone but favourites of their own.")
    often = sorted(set(most), key=lambda each: (-most.count(each), most.index(each)))
    return ngettext(
        "%(characters)s rose thanks to %(name)s, whose favourite that was not.",
        "%(characters)s rose thanks to %(name)s, whose favourites those were not.",
        len(often[:_MOST_NAMED]),
        name=cast.person(Seat(raised.index(most))),
        characters=opening(nouns.characters(often[:_MOST_NAMED])),
    )


def _falls(told: _Round, cast: Cast) -> Iterator[str]:
    """The nominees who weren't crowned: those whom most had hoped for, in order."""
    lost = told.elections[:-1]
    hoped = sorted(lost, key=lambda each: -len(told.owners(each.nominee)))
    for each in lost:
        if each in hoped[:_MOST_FALLS]:
            yield _fall(each, told, cast)


def _fall(election: ElectionResolved, told: _Round, cast: Cast) -> str:
    cards = told.cards[election.decision]
    felling = Card.STOMACHACHE if Card.STOMACHACHE in cards else Card.NO
    against = [Seat(seat) for seat, card in enumerate(cards) if card is felling]
    owners = told.owners(election.nominee)
    if felling is Card.STOMACHACHE:
        return _sickness(election.nominee, against, owners, cast)
    return _refusal(election.nominee, against, owners, cast)


def _sickness(
    nominee: Character, against: Sequence[Seat], owners: Sequence[Seat], cast: Cast
) -> str:
    if not owners:
        return ngettext(
            "%(names)s had a Stomachache, so %(character)s, nobody's favourite, went"
            " back.",
            "%(names)s had Stomachaches, so %(character)s, nobody's favourite, went"
            " back.",
            len(against),
            names=cast.people(against),
            character=nouns.subject(nominee),
        )
    return ngettext(
        "%(names)s had a Stomachache, so %(character)s, a favourite of %(owners)s, went"
        " back.",
        "%(names)s had Stomachaches, so %(character)s, a favourite of %(owners)s, went"
        " back.",
        len(against),
        names=cast.people(against),
        character=nouns.subject(nominee),
        owners=cast.people(owners),
    )


def _refusal(
    nominee: Character, against: Sequence[Seat], owners: Sequence[Seat], cast: Cast
) -> str:
    if not owners:
        return ngettext(
            "A No of %(names)s felled %(character)s, nobody's favourite.",
            "The Noes of %(names)s felled %(character)s, nobody's favourite.",
            len(against),
            names=cast.people(against),
            character=nouns.direct_object(nominee),
        )
    return ngettext(
        "A No of %(names)s felled %(character)s, a favourite of %(owners)s.",
        "The Noes of %(names)s felled %(character)s, a favourite of %(owners)s.",
        len(against),
        names=cast.people(against),
        character=nouns.direct_object(nominee),
        owners=cast.people(owners),
    )


def _bluff(told: _Round, cast: Cast) -> Iterator[str]:
    """Who had somebody crowned, or refused, that they hoped nothing from."""
    for move in told.moves:
        foreign = move.character not in told.favourites[move.seat]
        if move.election is not None and foreign and move.by != ActedBy.CLOCK:
            yield _(
                "%(name)s put %(character)s up for king, and had no use for that.",
                name=cast.person(move.seat),
                character=nouns.direct_object(move.character),
            )
            return


def _crowning(told: _Round, cast: Cast) -> str:
    king = told.elections[-1].nominee
    owners = told.owners(king)
    if not owners:
        return _(
            "Then all cards said Yes: %(character)s was crowned, nobody's favourite.",
            character=nouns.subject(king),
        )
    return _(
        "Then all cards said Yes: %(character)s was crowned, a favourite of"
        " %(owners)s.",
        character=nouns.subject(king),
        owners=cast.people(owners),
    )


def _outcome(told: _Round, cast: Cast) -> Iterator[str]:
    """Whom the round brought most, and whom least."""
    points = list(map(sum, zip(told.scored.points, told.scored.bonus, strict=True)))
    best, worst = max(points), min(points)
    yield ngettext(
        "The round brought %(names)s most: %(points)s.",
        "The round brought %(names)s most: %(points)s each.",
        points.count(best),
        names=cast.people(_having(points, best)),
        points=nouns.signed(best),
    )
    if worst < best:
        yield ngettext(
            "Least it brought %(names)s: %(points)s.",
            "Least it brought %(names)s: %(points)s each.",
            points.count(worst),
            names=cast.people(_having(points, worst)),
            points=nouns.signed(worst),
        )


def _having(points: Sequence[int], wanted: int) -> Collection[Seat]:
    return [Seat(seat) for seat, each in enumerate(points) if each == wanted]
