"""What is new to somebody: told by the record alone, the same however often it is read.

It begins behind the last placement or move that somebody made themself; never behind a
card that they laid, for what a page shows must not tell who has laid one.
"""

from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from engine.board import Character, PlaceKey, Seat
from engine.events import (
    ActedBy,
    ElectionResolved,
    GameOver,
    Moved,
    Placed,
    Record,
    RoundScored,
    RoundStarted,
    TakenBack,
)
from service.present import narration, nouns
from service.present.presentation import LaidCard, Presentation, laid_cards


class Reveal(msgspec.Struct, frozen=True):
    """An election turned over: the cards in seat order, what they came to."""

    nominee: str
    cards: tuple[LaidCard, ...]
    verdict: tuple[str, ...]


class WhatsNew(msgspec.Struct, frozen=True):
    """What is new, in sentences; `reveal` is what lies on the table, if it is new.

    `by_clock` is what the clock did in the reader's place, which nothing else tells;
    `before` and `after` came before the reveal, and after it. `came_from` are those who
    stand elsewhere now, each with the place where they stood, None where that was none.
    """

    by_clock: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    reveal: Reveal | None = None
    after: tuple[str, ...] = ()
    came_from: Mapping[Character, PlaceKey | None] = {}

    @property
    def any(self) -> bool:
        """Whether there is anything to tell."""
        return bool(self.by_clock or self.before or self.reveal or self.after)


def since_own_act(events: Sequence[Record], seat: int) -> Sequence[Record]:
    """The events behind what a seat's person did last in the open."""
    acted = [
        number
        for number, event in enumerate(events, start=1)
        if isinstance(event, Placed | Moved)
        and event.seat == seat
        and event.by == ActedBy.SEAT
    ]
    return events[acted[-1] :] if acted else events


def latest(events: Sequence[Record]) -> Sequence[Record]:
    """The last placement or move, and all that followed it."""
    acts = [at for at, event in enumerate(events) if isinstance(event, Placed | Moved)]
    return events[acts[-1] :] if acts else events


def since_decision(record: Sequence[Record], decision: int) -> tuple[Record, ...]:
    """The event that answered a decision, and all that followed it.

    A decision that was never answered ended with its game, or with the act before it,
    which was taken back.
    """
    undone = {each.decision for each in record if isinstance(each, TakenBack)}
    begun = decision - 1 if decision - 1 in undone else decision
    for at, event in enumerate(record):
        match event:
            case (
                Placed(decision=number)
                | Moved(decision=number)
                | ElectionResolved(decision=number)
            ) if number == begun:
                return tuple(record[at:])
            case _:
                pass
    return tuple(event for event in record if isinstance(event, GameOver))


def tell(events: Sequence[Record], game: Presentation, seat: int | None) -> WhatsNew:
    """What these events tell a seat, or everybody (None)."""
    cast = replace(game.cast, reader=None if seat is None else Seat(seat))
    shown, cards = _shown(events, game)
    at = len(events) if shown is None else events.index(shown)
    mine = [event for event in events if _is_by_clock(event, seat)]
    before = [event for event in events[:at] if event not in mine]
    after = [event for event in events[at + 1 :] if event not in mine]
    return WhatsNew(
        by_clock=narration.tell(mine, cast),
        before=narration.tell(before, cast),
        reveal=None if shown is None else reveal(shown, cards, game),
        after=narration.tell(after, cast),
        came_from=_came_from(events, game),
    )


def _is_by_clock(event: Record, seat: int | None) -> bool:
    if not isinstance(event, Placed | Moved):
        return False
    return event.by == ActedBy.CLOCK and event.seat == seat


def _shown(
    events: Sequence[Record], game: Presentation
) -> tuple[ElectionResolved | None, tuple[LaidCard, ...]]:
    """The latest election among the events, and its cards.

    None unless these may be shown by name: they lie open, or their round is over.
    """
    opened = {
        each.decision: each.cards
        for scored in events
        if isinstance(scored, RoundScored)
        for each in scored.elections
    }
    elections = [each for each in events if isinstance(each, ElectionResolved)]
    for latest in elections[-1:]:
        cards = game.cast.cards.get(latest.decision) or opened.get(latest.decision)
        if cards:
            return latest, laid_cards(game.cast.names, cards)
    return None, ()


def reveal(
    event: ElectionResolved, cards: tuple[LaidCard, ...], game: Presentation
) -> Reveal:
    """An election with its cards told apart from what they came to."""
    plain = replace(game.cast, cards={})
    verdict = narration.tell([replace(event, cards=None)], plain)
    return Reveal(nouns.subject(event.nominee), cards, verdict)


def _came_from(
    events: Sequence[Record], game: Presentation
) -> Mapping[Character, PlaceKey | None]:
    """Who stands elsewhere than before the events of this round, and where that was."""
    begun = [at for at, event in enumerate(events) if isinstance(event, RoundStarted)]
    origins: dict[Character, PlaceKey | None] = {}
    for who, origin in _origins(events[begun[-1] + 1 :] if begun else events):
        origins.setdefault(who, origin)
    stands = {
        character: seen.place.key
        for seen in game.view.places
        for character in seen.characters
    }
    return {
        who: origin
        for who, origin in origins.items()
        if who in stands and stands[who] != origin
    }


def _origins(
    events: Sequence[Record],
) -> Iterator[tuple[Character, PlaceKey | None]]:
    for event in events:
        match event:
            case Placed(character=who):
                yield who, None
            case Moved(character=who, origin=origin):
                yield who, origin
            case ElectionResolved(nominee=who):
                yield who, None
            case _:
                pass
