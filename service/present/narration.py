"""What happened, in sentences: record events as pages and mails tell them."""

from collections.abc import Iterable, Mapping, Sequence
from operator import add
from typing import assert_never

import msgspec

from engine.board import SERVANTS, THRONE, Card, PlaceKind, Seat, Verdict
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
    TableEvent,
    TakenBack,
)
from service.present import labels, nouns
from service.present.languages import gettext as _
from service.present.languages import ngettext
from service.present.sentences import isolated, listed, opening


class PauseInWords(msgspec.Struct, frozen=True):
    """By whom a game is paused, as a list, and until when."""

    names: str
    until: str


class Cast(msgspec.Struct, frozen=True):
    """Who and what the sentences are about.

    `names` are the people's in seat order; `cards` those of the elections that may be
    shown by name now, by decision; `reader` is the seat that is told what the clock did
    in its place, None where everybody reads the same; `pause` is the pause that runs,
    and `longer` until when a decision waits that was extended, by its number.
    """

    names: Sequence[str]
    law: Edition
    cards: Mapping[int, tuple[Card, ...]] = {}
    reader: Seat | None = None
    pause: PauseInWords | None = None
    longer: Mapping[int, str] = {}

    def person(self, seat: Seat) -> str:
        """The name on a seat, isolated."""
        return isolated(self.names[seat])

    def people(self, seats: Iterable[Seat]) -> str:
        """Several names, as a list in the reader's language."""
        return listed([self.person(seat) for seat in seats])


def tell(events: Iterable[Record], cast: Cast) -> tuple[str, ...]:
    """The sentences that tell of these events, in order; some events need none."""
    told: list[str] = []
    act: Placed | Moved | None = None
    for event in events:
        told += _sentences(event, act, cast)
        if isinstance(event, Placed | Moved):
            act = event
    return tuple(map(opening, told))


def _sentences(
    event: Record, act: Placed | Moved | None, cast: Cast
) -> tuple[str, ...]:
    match event:
        case GameCreated() | TableClosed():
            return ()
        case StartedRecord(first=first):
            return (
                _("The cards are dealt; %(name)s begins.", name=cast.person(first)),
            )
        case RoundStarted():
            return _round_started(event, cast)
        case Placed():
            return (_placed(event, cast), *_dropped(event, cast))
        case Moved():
            return (_moved(event, cast),)
        case ElectionResolved():
            return (
                *_cards(event, cast),
                _verdict(event, cast),
                *_turned_round(event, cast),
            )
        case RoundScored():
            return (_scored(event, cast),)
        case BotSeated() | PersonSeated() | Paused() | Resumed() | Extended():
            return (_beside(event, cast),)
        case TakenBack():
            return (_taken_back(act, cast),)
        case GameOver():
            return (_over(event, cast),)
        case _:
            assert_never(event)


def _beside(event: TableEvent, cast: Cast) -> str:
    match event:
        case BotSeated(seat=seat):
            return _("A bot keeps %(name)s's seat.", name=cast.person(seat))
        case PersonSeated(seat=seat):
            return _("%(name)s is back.", name=cast.person(seat))
        case Paused():
            return _paused(cast.pause)
        case Resumed():
            return _("The pause is over: time passes again.")
        case Extended(decision=decision):
            return _extended(cast.longer.get(decision))
        case _:
            assert_never(event)


def _paused(pause: PauseInWords | None) -> str:
    if pause is None:
        return _("The game is paused: no time passes.")
    return _(
        "Paused by %(names)s until %(moment)s: no time passes, and everything can be"
        " answered.",
        names=pause.names,
        moment=pause.until,
    )


def _extended(until: str | None) -> str:
    if until is None:
        return _("There is a day more for this question.")
    return _("There is a day more for this question, until %(moment)s.", moment=until)


def _round_started(event: RoundStarted, cast: Cast) -> tuple[str, ...]:
    begun: tuple[str, ...] = ()
    if event.round > 1:
        name = cast.person(event.first)
        begun = (_("Round %(round)s: %(name)s begins.", round=event.round, name=name),)
    if event.placed:
        return (*begun, _("The castle was filled by lot."))
    return begun


def _placed(event: Placed, cast: Cast) -> str:
    among = nouns.among(cast.law, event.place)
    thing = nouns.direct_object(event.character)
    if event.by == ActedBy.CLOCK and event.seat == cast.reader:
        return _(
            "Time was up: the clock placed %(character)s %(among)s for you.",
            character=thing,
            among=among,
        )
    name = cast.person(event.seat)
    if event.by == ActedBy.CLOCK:
        return _(
            "%(name)s's time ran out: %(character)s was placed by lot %(among)s.",
            name=name,
            character=nouns.subject(event.character),
            among=among,
        )
    return _(
        "%(name)s placed %(character)s %(among)s.",
        name=name,
        character=thing,
        among=among,
    )


def _dropped(event: Placed, cast: Cast) -> tuple[str, ...]:
    if not event.dropped:
        return ()
    sentence = ngettext(
        "%(names)s was left over and went %(to)s.",
        "%(names)s were left over and went %(to)s.",
        len(event.dropped),
        names=nouns.characters(event.dropped),
        to=nouns.to(cast.law, SERVANTS),
    )
    return (sentence,)


def _moved(event: Moved, cast: Cast) -> str:
    if event.by == ActedBy.CLOCK and event.seat == cast.reader:
        return _moved_for_reader(event, cast)
    if event.by == ActedBy.CLOCK:
        return _moved_by_lot(event, cast)
    name, thing = cast.person(event.seat), nouns.direct_object(event.character)
    if event.to == THRONE:
        return _(
            "%(name)s put %(character)s up for king and took the crown.",
            name=name,
            character=thing,
        )
    way = labels.way(cast.law, event.origin, event.to)
    return _(
        "%(name)s moved %(character)s %(way)s.", name=name, character=thing, way=way
    )


def _moved_for_reader(event: Moved, cast: Cast) -> str:
    thing = nouns.direct_object(event.character)
    if event.to == THRONE:
        return _(
            "Time was up: the clock put %(character)s up for king for you, and the"
            " crown is yours.",
            character=thing,
        )
    return _(
        "Time was up: the clock moved %(character)s %(way)s for you.",
        character=thing,
        way=labels.way(cast.law, event.origin, event.to),
    )


def _moved_by_lot(event: Moved, cast: Cast) -> str:
    name, who = cast.person(event.seat), nouns.subject(event.character)
    if event.to == THRONE:
        return _(
            "%(name)s's time ran out: by lot, %(character)s was put up for king.",
            name=name,
            character=who,
        )
    return _(
        "%(name)s's time ran out: by lot, %(character)s moved %(way)s.",
        name=name,
        character=who,
        way=labels.way(cast.law, event.origin, event.to),
    )


def _taken_back(act: Placed | Moved | None, cast: Cast) -> str:
    """What was undone: the act before, where that is among what is told."""
    if act is None:
        return _("The latest turn was taken back.")
    name, who = cast.person(act.seat), nouns.subject(act.character)
    if isinstance(act, Placed):
        return _(
            "%(name)s took that back: %(character)s is not placed yet.",
            name=name,
            character=who,
        )
    return _(
        "%(name)s took that back: %(character)s is %(among)s again.",
        name=name,
        character=who,
        among=nouns.among(cast.law, act.origin),
    )


def _verdict(event: ElectionResolved, cast: Cast) -> str:
    who = nouns.subject(event.nominee)
    match event.verdict:
        case Verdict.CROWNED:
            return _(
                "Everybody said Yes: %(character)s is crowned. Long live the king!",
                character=who,
            )
        case Verdict.REFUSED:
            return _refused(event, cast, who)
        case Verdict.CANCELLED:
            return _(
                "The election was cancelled: %(character)s goes back %(to)s.",
                character=who,
                to=nouns.to(cast.law, event.to),
            )


def _refused(event: ElectionResolved, cast: Cast, who: str) -> str:
    kind = cast.law.place(event.to).kind
    if kind is PlaceKind.OUT:
        return _("%(character)s was refused and is out of the round.", character=who)
    to = nouns.to(cast.law, event.to)
    if kind is PlaceKind.DUNGEON:
        return _("%(character)s was refused and thrown %(to)s.", character=who, to=to)
    return _("%(character)s was refused and goes back %(to)s.", character=who, to=to)


def _turned_round(event: ElectionResolved, cast: Cast) -> tuple[str, ...]:
    if event.verdict is not Verdict.CROWNED:
        return ()
    sentence = labels.turned_round(cast.law, event.nominee)
    return (sentence,) if sentence else ()


def _cards(event: ElectionResolved, cast: Cast) -> tuple[str, ...]:
    """Who laid what, in seat order, while that may be shown."""
    cards = event.cards or cast.cards.get(event.decision)
    if not cards:
        return ()
    laid = ", ".join(
        _(
            "%(name)s %(card)s",
            name=cast.person(Seat(seat)),
            card=nouns.card_name(card),
        )
        for seat, card in enumerate(cards)
    )
    return (_("The cards: %(laid)s.", laid=laid),)


def _scored(event: RoundScored, cast: Cast) -> str:
    points = ", ".join(
        _(
            "%(name)s %(points)s",
            name=cast.person(Seat(seat)),
            points=nouns.signed(points),
        )
        for seat, points in enumerate(map(add, event.points, event.bonus))
    )
    return _("Round %(round)s is over: %(points)s.", round=event.round, points=points)


def _over(event: GameOver, cast: Cast) -> str:
    return labels.ending(event.reason, [cast.person(seat) for seat in event.winners])
