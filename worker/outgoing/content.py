"""What one mail says: public facts alone, in the reader's language, ready for print."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from email.headerregistry import Address
from typing import Final
from uuid import UUID

import msgspec

from engine.events import read_record
from engine.state import Game
from service.game import fresh_questions
from service.present import (
    nouns,
    presentation,
    sentences,
)
from service.present.castle import FloorRow
from service.present.mosaic import CastlePicture
from service.present.presentation import Presentation
from service.store.games import GameReadModel
from service.store.links import REMEMBER_MINUTES
from service.store.outbox import ClaimedMail, Notice
from service.values import addresses
from service.values.enums import NoticeKind
from worker.outgoing import (
    kind_facts,
    namings,
    news,
    openings,
    reply_lines,
    shown_castle,
    table_talk,
    threads,
    time_left,
)
from worker.outgoing.kind_facts import KindFacts
from worker.outgoing.news import MailNews
from worker.outgoing.openings import Opening, ReplyAddress
from worker.outgoing.relevance import Relevance
from worker.outgoing.reply_lines import ReplyLines
from worker.outgoing.table_talk import TableTalk
from worker.outgoing.time_left import TimeLeft

_HEAD_DIGITS: Final = 32
_GAME_DIGITS: Final = 4

_STAMPED: Final = frozenset(
    (NoticeKind.STARTED, NoticeKind.ROUND_OVER, NoticeKind.GAME_OVER)
)
"""Notices with which a mail shows its head to people: it is in the header of all."""


class Beside(msgspec.Struct, frozen=True):
    """What a mail tells beside its lead, in the words of that kind's own mail."""

    kind: NoticeKind
    link: str


class MailContent(msgspec.Struct, frozen=True):
    """A mail before it has a form.

    `kind` chooses its templates. Names of people are isolated. `round` is 0 before the
    start; `news` is what happened since the reader last heard or acted, and `talk` what
    was said; `game` is None before the start, and `rows`, its castle from top to
    bottom, none; `nominee` is whom the election is about that the mail tells of, empty
    for any other; `beside` is what it tells besides; `minutes`
    is how long a link is good that has one remembered; `reply` is where it is answered
    to, None where nobody reads answers, and `lines` are those that answer its question;
    `unsubscribe` is the link by which the game's mails end.
    """

    kind: NoticeKind
    message_id: str
    thread_id: str
    date: datetime
    recipient: Address
    name: str
    host: str
    nominee: str
    round: int
    link: str
    time: TimeLeft
    facts: KindFacts
    beside: tuple[Beside, ...]
    news: MailNews
    talk: TableTalk
    game: Presentation | None
    rows: tuple[FloorRow, ...]
    picture: CastlePicture | None
    head: str
    stamp: str
    minutes: int = REMEMBER_MINUTES
    reply: Address | None = None
    unsubscribe: str = ""
    lines: ReplyLines = reply_lines.NONE

    @property
    def picture_id(self) -> str:
        """What the picture is called in this mail, and in no other."""
        return f"castle.{self.message_id[1:-1]}"


def write(
    notices: Sequence[Notice],
    now: Relevance,
    opened: Mapping[NoticeKind, Opening],
    reply: ReplyAddress | None = None,
    leaving: Opening | None = None,
) -> MailContent:
    """What a mail says for some live notices, in the reader's locale.

    `opened` are the links that it gives, its lead's first; by `leaving` its mails end.
    """
    told = _told(notices, now, opened)
    return msgspec.structs.replace(
        told,
        reply=None if reply is None else reply.address,
        unsubscribe="" if leaving is None else leaving.url,
        lines=_lines(told.game, now.seen, reply),
    )


def _told(
    notices: Sequence[Notice], now: Relevance, opened: Mapping[NoticeKind, Opening]
) -> MailContent:
    """What it says of the game, and not how it is answered or its mails end."""
    lead = openings.lead(notices)
    kinds = {notice.kind for notice in notices}
    mail, seen, chairs = now.mail, now.seen, now.mail.chairs
    number, game = _round(lead, seen.game), _public(seen)
    events = [read_record(public, version) for public, version in mail.news]
    about = threads.vote(lead, seen)
    happened = news.tell(events, lead.seat, now, game, kinds)
    return MailContent(
        kind=lead.kind,
        message_id=mail.message_id,
        thread_id=threads.identify(mail, lead, about, number),
        date=mail.now,
        recipient=recipient(mail, lead),
        name=sentences.isolated(_called(mail, lead)),
        host=sentences.isolated(chairs[_asker(lead, now)].name),
        nominee="" if about is None else nouns.subject(about.nominee),
        round=number,
        link=opened[lead.kind].url,
        time=time_left.read(seen, game, lead.seat, mail),
        facts=kind_facts.read(notices, lead, now),
        beside=_beside(lead, opened),
        news=happened,
        talk=table_talk.since(lead, now),
        game=game,
        rows=() if game is None else game.rows,
        picture=shown_castle.of(lead.kind, happened.over, game),
        head=_head(seen),
        stamp=_stamp(seen) if kinds & _STAMPED else "",
    )


def _head(seen: GameReadModel) -> str:
    """Number and hash of the newest record event; empty before the first."""
    return f"{seen.record}:{seen.head.hex()[:_HEAD_DIGITS]}" if seen.record else ""


def _stamp(seen: GameReadModel) -> str:
    """The head with the game's first digits: who passes a mail on loses its headers."""
    return f"{_head(seen)}/{seen.id.hex[:_GAME_DIGITS]}"


def _lines(
    game: Presentation | None, seen: GameReadModel, reply: ReplyAddress | None
) -> ReplyLines:
    """The lines that answer the mail's question; none where it asks its reader none."""
    offered = None if game is None else game.view.decision
    if reply is None or reply.link.decision is None or offered is None:
        return reply_lines.NONE
    asked = fresh_questions.asked(seen.game, reply.link.seat)
    if asked is None or asked.number != reply.link.decision:
        return reply_lines.NONE
    return reply_lines.of(offered.offers, reply.address)


def _public(seen: GameReadModel) -> Presentation | None:
    """A game as a spectator sees it: nothing in a mail comes from anywhere else."""
    return None if seen.game.options is None else presentation.present(seen, None)


def _beside(lead: Notice, opened: Mapping[NoticeKind, Opening]) -> tuple[Beside, ...]:
    others = (kind for kind in opened if kind is not lead.kind)
    return tuple(Beside(kind, opened[kind].url) for kind in others)


def named(notices: Sequence[Notice], now: Relevance) -> frozenset[UUID]:
    """Whom the mail may name: its reader, and all at the table or named for it."""
    sitting = (chair.person_id for chair in now.mail.chairs)
    at_table = frozenset(each for each in sitting if each) | {now.mail.reader.id}
    return at_table | namings.people(notices, now)


def _called(mail: ClaimedMail, lead: Notice) -> str:
    """What the reader is called at the table; whoever is asked to a seat has no name.

    What another called them there, or elsewhere, is not ours to tell.
    """
    if lead.kind is NoticeKind.OFFERED:
        return mail.reader.profile.name if mail.reader.verified else ""
    return mail.chairs[lead.seat].name


def _asker(lead: Notice, now: Relevance) -> int:
    """The seat that has somebody mailed: the host's, or whose person named them."""
    if lead.kind is not NoticeKind.OFFERED:
        return 0
    return next((each.by_seat for each in now.named if each.seat == lead.seat), 0)


def recipient(mail: ClaimedMail, lead: Notice) -> Address:
    """One address, with the name they go by at this table.

    What another host called them is not ours to tell.
    """
    reader, name = mail.reader, sentences.header(_called(mail, lead))
    return addresses.recipient(reader.address, reader.address_key, name)


def _round(lead: Notice, game: Game) -> int:
    if lead.kind is NoticeKind.ROUND_OVER and game.scored:
        return game.scored[-1].round
    return game.round
