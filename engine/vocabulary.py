"""What may stand in a record where a text or a number could be anything."""

from collections.abc import Collection, Iterable, Iterator
from typing import Final, TypeAlias, assert_never

from engine.deck import CARDS
from engine.editions.base import Edition
from engine.events import (
    ActedBy,
    BotSeated,
    ElectionResolved,
    Extended,
    GameCreated,
    GameOver,
    Moved,
    Paused,
    PersonSeated,
    Placed,
    Record,
    Resumed,
    RoundScored,
    RoundStarted,
    StartedRecord,
    TableClosed,
    TakenBack,
)

_REASONS: Final = ("finished", "cancelled")
_FAVOURITES: Final = range(len(CARDS))

Word: TypeAlias = tuple[object, Collection[object]]
"""What stands in an event, and all that may."""


def of(event: Record, law: Edition, seats: range) -> Iterator[Word]:
    """Each word of an event behind a closed table, with all that may stand there.

    Numbers that count or add up are left out, and what the events' types limit.
    """
    people, places = law.characters, [place.key for place in law.places]
    match event:
        case GameCreated() | TableClosed() | TakenBack():
            pass
        case Paused() | Resumed() | Extended():
            pass
        case StartedRecord(first=first):
            yield first, seats
        case RoundStarted(first=first, placed=placed):
            yield first, seats
            yield from _each((who for who, _ in placed), people)
            yield from _each((where for _, where in placed), places)
        case Placed():
            yield from ((event.seat, seats), (event.by, tuple(ActedBy)))
            yield from _each((event.character, *event.dropped), people)
            yield event.place, places
        case Moved():
            yield from ((event.seat, seats), (event.by, tuple(ActedBy)))
            yield event.character, people
            yield from _each((event.origin, event.to), places)
        case ElectionResolved():
            yield from ((event.mover, seats), (event.nominee, people))
            yield event.to, places
            if event.next is not None:
                yield event.next, seats
        case BotSeated(seat=seat) | PersonSeated(seat=seat):
            yield seat, seats
        case RoundScored():
            yield from _each(event.favourites, _FAVOURITES)
        case GameOver():
            yield event.reason, _REASONS
            yield from _each(event.winners, seats)
        case _:
            assert_never(event)


def _each(said: Iterable[object], known: Collection[object]) -> Iterator[Word]:
    return ((word, known) for word in said)
