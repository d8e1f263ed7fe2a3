"""What happened, in sentences: record events as pages and mails tell them.

Names of people stand between bidi isolates in every sentence, so that no name can turn
the words around it. `plain` and `markup` fit a sentence to text and to HTML.
"""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from operator import add
from typing import Final, assert_never

import msgspec
from babel.lists import format_list
from flask_babel import get_locale
from markupsafe import Markup, escape

from engine.board import (
    SERVANTS,
    THRONE,
    Card,
    Character,
    PlaceKey,
    PlaceKind,
    Seat,
    Verdict,
)
from engine.editions.base import Edition
from engine.events import (
    ElectionResolved,
    GameCreated,
    GameOver,
    Moved,
    Placed,
    Record,
    RoundScored,
    RoundStarted,
    StartedRecord,
    TableClosed,
)
from service.present import labels, languages
from service.present.languages import called, ngettext
from service.present.languages import gettext as _

FSI: Final = "\u2068"
PDI: Final = "\u2069"
_RIGHT_TO_LEFT: Final = frozenset(("R", "AL", "AN"))


class Cast(msgspec.Struct, frozen=True):
    """Who and what the sentences are about.

    `names` are the people's in seat order; `cards` those of the elections that may be
    shown by name now, by decision; `reader` is the seat that is told what the clock did
    in its place, None where everybody reads the same.
    """

    names: Sequence[str]
    law: Edition
    cards: Mapping[int, tuple[Card, ...]] = {}
    reader: Seat | None = None

    def person(self, seat: Seat) -> str:
        """The name on a seat, isolated."""
        return isolated(self.names[seat])

    def people(self, seats: Iterable[Seat]) -> str:
        """Several names, as a list in the reader's language."""
        return listed([self.person(seat) for seat in seats])

    def place(self, key: PlaceKey) -> str:
        """What a place is called."""
        return place_name(self.law, key)


def isolated(name: str) -> str:
    """A name that can't turn the words around it."""
    return f"{FSI}{name}{PDI}"


def plain(sentence: str) -> str:
    """A sentence for text: isolates only where a name runs from right to left."""
    if FSI not in sentence:
        return sentence
    if any(unicodedata.bidirectional(char) in _RIGHT_TO_LEFT for char in sentence):
        return sentence
    return sentence.replace(FSI, "").replace(PDI, "")


def header(sentence: str) -> str:
    """A sentence for a mail's header, where no reader decodes a part of it."""
    return plain(sentence).replace("=?", "= ?")


def markup(sentence: str) -> Markup:
    """A sentence for HTML: escaped, each name in an element of its own."""
    whole = str(escape(sentence))
    return Markup(  # noqa: S704 - escaped in the line above
        whole.replace(FSI, "<bdi>").replace(PDI, "</bdi>")
    )


def listed(words: Sequence[str]) -> str:
    """Words as a list in the reader's language: A, B and C."""
    return format_list(list(words), locale=get_locale())


def place_name(law: Edition, key: PlaceKey) -> str:
    """What a place is called in the reader's language, unlike any other of them."""
    return languages.place_name(law.place(key), law.places)


def characters(letters: Iterable[Character]) -> str:
    """Several characters, as a list in the reader's language."""
    return listed([called(letter) for letter in letters])


def tell(events: Iterable[Record], cast: Cast) -> tuple[str, ...]:
    """The sentences that tell of these events, in order; some events need none."""
    return tuple(
        languages.opening(sentence)
        for event in events
        for sentence in _sentences(event, cast)
    )


def _sentences(event: Record, cast: Cast) -> tuple[str, ...]:
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
        case GameOver():
            return (_over(event, cast),)
        case _:
            assert_never(event)


def _round_started(event: RoundStarted, cast: Cast) -> tuple[str, ...]:
    begun: tuple[str, ...] = ()
    if event.round > 1:
        name = cast.person(event.first)
        begun = (_("Round %(round)s: %(name)s begins.", round=event.round, name=name),)
    if event.placed:
        return (*begun, _("The castle was filled by lot."))
    return begun


def _placed(event: Placed, cast: Cast) -> str:
    words = {
        "name": cast.person(event.seat),
        "character": called(event.character),
        "place": cast.place(event.place),
    }
    if event.by == "clock" and event.seat == cast.reader:
        return _(
            "Time was up: the clock placed %(character)s with the %(place)s for you.",
            **words,
        )
    if event.by == "clock":
        return _(
            "%(name)s's time ran out: %(character)s was placed by lot with the"
            " %(place)s.",
            **words,
        )
    return _("%(name)s placed %(character)s with the %(place)s.", **words)


def _dropped(event: Placed, cast: Cast) -> tuple[str, ...]:
    if not event.dropped:
        return ()
    sentence = ngettext(
        "%(names)s was left over and joined the %(place)s.",
        "%(names)s were left over and joined the %(place)s.",
        len(event.dropped),
        names=characters(event.dropped),
        place=cast.place(SERVANTS),
    )
    return (sentence,)


def _moved(event: Moved, cast: Cast) -> str:
    words = {
        "name": cast.person(event.seat),
        "character": called(event.character),
        "way": labels.way(cast.law, event.origin, event.to),
    }
    if event.by == "clock":
        return _moved_by_clock(event, cast, words)
    if event.to == THRONE:
        return _("%(name)s put %(character)s up for king and took the crown.", **words)
    return _("%(name)s moved %(character)s %(way)s.", **words)


def _moved_by_clock(event: Moved, cast: Cast, words: Mapping[str, str]) -> str:
    mine, nominated = event.seat == cast.reader, event.to == THRONE
    if mine and nominated:
        return _(
            "Time was up: the clock put %(character)s up for king for you, and the"
            " crown is yours.",
            **words,
        )
    if mine:
        return _(
            "Time was up: the clock moved %(character)s %(way)s for you.",
            **words,
        )
    if nominated:
        return _(
            "%(name)s's time ran out: by lot, %(character)s was put up for king.",
            **words,
        )
    return _(
        "%(name)s's time ran out: by lot, %(character)s moved %(way)s.",
        **words,
    )


def _verdict(event: ElectionResolved, cast: Cast) -> str:
    words = {"character": called(event.nominee), "place": cast.place(event.to)}
    match event.verdict:
        case Verdict.CROWNED:
            return _(
                "Everybody said Yes to %(character)s: long live the king!", **words
            )
        case Verdict.REFUSED:
            return _refused(cast.law.place(event.to).kind, words)
        case Verdict.CANCELLED:
            return _(
                "The election of %(character)s was cancelled: back to the %(place)s.",
                **words,
            )


def _refused(to: PlaceKind, words: Mapping[str, str]) -> str:
    match to:
        case PlaceKind.OUT:
            return _("%(character)s was refused and is out of the round.", **words)
        case PlaceKind.DUNGEON:
            return _("%(character)s was refused and thrown into %(place)s.", **words)
        case _:
            return _(
                "%(character)s was refused and goes back to the %(place)s.", **words
            )


def _turned_round(event: ElectionResolved, cast: Cast) -> tuple[str, ...]:
    crowned = event.verdict is Verdict.CROWNED
    told = labels.turned_round(cast.law, event.nominee) if crowned else ""
    return (told,) if told else ()


def _cards(event: ElectionResolved, cast: Cast) -> tuple[str, ...]:
    """Who laid what, in seat order, while that may be shown."""
    cards = event.cards or cast.cards.get(event.decision)
    if not cards:
        return ()
    laid = ", ".join(
        _(
            "%(name)s %(card)s",
            name=cast.person(Seat(seat)),
            card=languages.card_name(card),
        )
        for seat, card in enumerate(cards)
    )
    return (_("The cards: %(laid)s.", laid=laid),)


def _scored(event: RoundScored, cast: Cast) -> str:
    points = ", ".join(
        _(
            "%(name)s %(points)s",
            name=cast.person(Seat(seat)),
            points=languages.signed(points),
        )
        for seat, points in enumerate(map(add, event.points, event.bonus))
    )
    return _("Round %(round)s is over: %(points)s.", round=event.round, points=points)


def _over(event: GameOver, cast: Cast) -> str:
    return labels.ending(event.reason, [cast.person(seat) for seat in event.winners])
