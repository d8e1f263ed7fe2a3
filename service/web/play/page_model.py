"""A game as the pages show it: public facts, and what is the viewer's own."""

from collections.abc import Iterable, Sequence
from uuid import UUID

import msgspec
from markupsafe import Markup

from engine.board import Card, Character
from engine.events import Moved, Record, read_record
from engine.views import Own, View
from service.present import (
    castle,
    nouns,
    phrases,
    presentation,
    scores,
    sentences,
    whats_new,
)
from service.present.languages import gettext as _
from service.present.presentation import Presentation
from service.present.scores import Portrait
from service.present.whats_new import WhatsNew
from service.store import answers, event_log
from service.store import messages as messagestore
from service.store.games import GameReadModel
from service.store.messages import Message
from service.web.play import votes_by_mail

_ALL = 1_000_000
_SAID = 12
"""How much of the talk a page shows."""


class Hand(msgspec.Struct, frozen=True):
    """What is a seat's own: for the eyes of that seat alone.

    In an election `worth` is what the favourites bring if `king` is crowned; otherwise
    `king` is empty, and it is what they are worth as they stand.
    """

    favourites: tuple[Portrait, ...]
    worth: int
    king: str
    cards: tuple[tuple[Card, str], ...]
    laid: str | None


class Said(msgspec.Struct, frozen=True):
    """Something that was said at the table, and by whom.

    `taken_back` tells that it was said with an answer that was.
    """

    number: int
    name: str
    me: bool
    words: str
    decision: int | None
    taken_back: bool


class Talker(msgspec.Struct, frozen=True):
    """Somebody else at the table; `muted` if the viewer reads nothing of theirs."""

    seat: int
    name: str
    muted: bool


class Talk(msgspec.Struct, frozen=True):
    """What was said lately, and who talks beside the viewer."""

    said: tuple[Said, ...]
    others: tuple[Talker, ...]


class PageModel(Presentation, frozen=True, kw_only=True):
    """All that a template needs to show a started game.

    `seated` tells whether it is shown to somebody who sits there. `talk` is what was
    said lately, for them alone, None where nobody else could listen; `unheld` the card
    that a standing answer of theirs named in the last vote, where they held none, and
    `mailed` what became of their latest mail in the open one. `news` is what is new to
    the reader.
    """

    id: UUID
    practice: bool
    seated: bool
    castle: Markup
    record: tuple[Record, ...]
    news: WhatsNew
    hand: Hand | None
    talk: Talk | None
    unheld: str
    mailed: str

    @property
    def speech(self) -> Said | None:
        """What the mover said with the nomination that is voted on, if it is shown."""
        if self.talk is None or self.question is None:
            return None
        opened_by = {
            event.decision
            for event in self.record
            if isinstance(event, Moved) and event.election == self.question.number
        }
        said = (each for each in self.talk.said if each.decision in opened_by)
        return next(said, None)

    @property
    def running(self) -> bool:
        """Whether something is asked."""
        return self.question is not None

    @property
    def story(self) -> tuple[Markup, ...]:
        """Everything that has happened."""
        return self.in_html(self.record)

    def in_html(self, events: Iterable[Record]) -> tuple[Markup, ...]:
        """Events as sentences for a page."""
        return tuple(map(sentences.markup, self.sentences(events)))


def build(
    seen: GameReadModel,
    seat: int | None,
    *,
    reader: int | None = None,
    since: int | None = None,
) -> PageModel:
    """A started game as a seat, or a spectator (None), may see it.

    What is new is told to the seat, or to the `reader` whose link it is: what came
    behind their own last act, or what became of the decision `since` and came after it.
    """
    game, record = presentation.present(seen, seat), _record(seen)
    own = game.view.own
    told_to = seat if reader is None else reader
    told = whats_new.tell(_new(record, told_to, since), game, told_to)
    return PageModel(
        **msgspec.structs.asdict(game),
        id=seen.id,
        practice=seen.practice,
        seated=seat is not None,
        castle=castle.svg(game.view, _marked(game, seat), told.came_from),
        record=record,
        news=told,
        hand=None if own is None else _hand(game.view, own),
        talk=None if seat is None else _talk(seen, seat),
        unheld="" if seat is None else _unheld(seen, seat),
        mailed="" if seat is None else votes_by_mail.told(seen, seat),
    )


def _new(
    record: Sequence[Record], reader: int | None, since: int | None
) -> Sequence[Record]:
    if since is not None:
        return whats_new.since_decision(record, since)
    return (
        whats_new.latest(record)
        if reader is None
        else whats_new.since_own_act(record, reader)
    )


def _marked(game: Presentation, seat: int | None) -> tuple[Character, ...]:
    """A seat's own favourites in the castle that is shown; at the end, its last."""
    if game.view.own is not None:
        return game.view.own.favourites
    if seat is None or not game.finished:
        return ()
    return game.view.rounds[-1].favourites[seat]


def _unheld(seen: GameReadModel, seat: int) -> str:
    latest = seen.game.elections[-1:]
    found = [answers.wished(seen.id, each.decision, seat) for each in latest]
    return "".join(nouns.card_name(Card(card)) for card in found if card is not None)


def _talk(seen: GameReadModel, seat: int) -> Talk | None:
    """What was said lately, as a seat reads it.

    None where bots play all other seats, and nothing was said before they did.
    """
    people = [each for each in seen.seats if each.bot is None and each.number != seat]
    found = messagestore.latest(seen.id, seat, _SAID)
    if not people and not found:
        return None
    muted = messagestore.muted(seen.id, seat)
    return Talk(
        said=tuple(_said(seen, seat, each) for each in found),
        others=tuple(
            Talker(each.number, each.name, each.number in muted) for each in people
        ),
    )


def _said(seen: GameReadModel, seat: int, found: Message) -> Said:
    return Said(
        number=found.number,
        name=_speaker(seen, found),
        me=found.seat == seat and not found.former,
        words=phrases.words(found.line, found.phrase),
        decision=found.decision,
        taken_back=found.taken_back,
    )


def _speaker(seen: GameReadModel, found: Message) -> str:
    name = seen.seats[found.seat].name
    return _("on %(name)s’s seat before", name=name) if found.former else name


def _hand(view: View, own: Own) -> Hand:
    nominee = view.decision.nominee if view.decision else None
    worth = scores.worths(view.law, view.places, nominee)
    portraits = tuple(scores.portrait(c, worth.get(c)) for c in own.favourites)
    return Hand(
        favourites=portraits,
        worth=_crowned(view, own) if nominee else sum(e.worth or 0 for e in portraits),
        king=nouns.subject(nominee) if nominee else "",
        cards=tuple((card, nouns.card_name(card)) for card in own.hand),
        laid=None if own.laid is None else nouns.card_name(own.laid),
    )


def _crowned(view: View, own: Own) -> int:
    """What the favourites of a seat bring, should the nominee be crowned."""
    rounds = view.options.rounds
    return view.law.round_points(view.board, own.favourites, view.round, rounds)


def _record(seen: GameReadModel) -> tuple[Record, ...]:
    """All record events of a game, in order."""
    return tuple(
        read_record(each.public, each.version)
        for each in event_log.record_after(seen.id, 0, _ALL)
    )
