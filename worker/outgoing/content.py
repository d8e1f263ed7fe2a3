"""What one mail says: public facts alone, in the reader's language, ready for print."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from email.headerregistry import Address
from typing import Final
from uuid import UUID

import msgspec

from engine.board import Seat
from engine.events import read_record
from engine.state import Game
from service.present import (
    browser_names,
    nouns,
    presentation,
    sentences,
    terms,
    times,
)
from service.present.castle import FloorRow
from service.present.languages import gettext as _
from service.present.mosaic import CastlePicture
from service.present.presentation import Presentation
from service.store import devices, event_log, proposals, replacements
from service.store.games import GameReadModel
from service.store.links import REMEMBER_MINUTES
from service.store.outbox import ClaimedMail, Notice
from service.store.tables import SeatRecord
from service.values.enums import NoticeKind, SeatState
from worker.outgoing import (
    namings,
    news,
    openings,
    reply_lines,
    shown_castle,
    table_talk,
    threads,
    time_left,
)
from worker.outgoing.namings import ToldNaming
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

_ASKING_TO_PLAY: Final = (
    NoticeKind.CONFIRM,
    NoticeKind.INVITATION,
    NoticeKind.OFFERED,
)
"""Notices that ask whether somebody wants to play this."""


class Asking(msgspec.Struct, frozen=True):
    """What the table is asked: by whom, isolated, and until when."""

    by: str
    until: str


class Beside(msgspec.Struct, frozen=True):
    """What a mail tells beside its lead, in the words of that kind's own mail."""

    kind: NoticeKind
    link: str


class MailContent(msgspec.Struct, frozen=True):
    """A mail before it has a form.

    `kind` chooses its templates. Names of people are isolated. `terms` say what is
    played, to those who are asked for it. `round` is 0 before the start; `news` is
    what happened since the reader last heard or acted, and `talk` what was said;
    `game` is None before the start, `nominee` whom the election is about that the
    mail tells of, empty for any other; `devices` are the browsers that are
    remembered for the reader's seat, to a mail about them alone; `proposal` is what
    the table is asked, and `named` who is named for which seat, to a mail that
    tells of that; `beside` is what it tells besides; `minutes` is how long a link
    is good that has one remembered, and `early` whether the cards that a bot has of
    the reader's aren't open yet; `reply` is where it is answered to, None where
    nobody reads answers, and `lines` are those that answer its question;
    `unsubscribe` is the link by which the game's mails end.
    """

    kind: NoticeKind
    message_id: str
    thread_id: str
    date: datetime
    recipient: Address
    name: str
    host: str
    seats: tuple[str, ...]
    declined: str
    nominee: str
    terms: tuple[str, ...]
    round: int
    seed: str
    link: str
    time: TimeLeft
    proposal: Asking | None
    named: tuple[ToldNaming, ...]
    beside: tuple[Beside, ...]
    news: MailNews
    talk: TableTalk
    game: Presentation | None
    rows: tuple[FloorRow, ...]
    picture: CastlePicture | None
    head: str
    stamp: str
    devices: tuple[str, ...] = ()
    minutes: int = REMEMBER_MINUTES
    early: bool = False
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

    `opened` are the links that it gives, its lead's first; by that of `leaving` the
    mails of the game end.
    """
    lead = openings.lead(notices)
    kinds = {notice.kind for notice in notices}
    mail, seen, chairs = now.mail, now.seen, now.mail.chairs
    number, game = _round(lead, seen.game), _public(seen)
    events = [read_record(public, version) for public, version in mail.news]
    about = threads.vote(lead, seen.game, events)
    head = f"{seen.record}:{seen.head.hex()[:_HEAD_DIGITS]}" if seen.record else ""
    return MailContent(
        kind=lead.kind,
        message_id=mail.message_id,
        thread_id=threads.identify(mail, lead, about, number),
        date=mail.now,
        recipient=recipient(mail, lead),
        name=sentences.isolated(_called(mail, lead)),
        host=sentences.isolated(chairs[_asker(mail, lead)].name),
        seats=tuple(_sitter(chair) for chair in chairs),
        declined=_declined(chairs),
        nominee="" if about is None else nouns.subject(about.nominee),
        terms=terms.sentences_on(seen) if lead.kind in _ASKING_TO_PLAY else (),
        round=number,
        seed=_seed(lead, mail.game_id),
        link=opened[lead.kind].url,
        time=time_left.read(seen, game, lead.seat, mail),
        proposal=_asking(mail) if NoticeKind.PROPOSAL in kinds else None,
        named=namings.announced(notices, now),
        beside=_beside(lead, opened),
        news=news.tell(events, lead.seat, seen, game, kinds, mail),
        talk=table_talk.since(lead, now),
        game=game,
        rows=() if game is None else game.rows,
        picture=shown_castle.of(lead.kind, seen, game),
        head=head,
        # With the game's first digits: who passes a mail on loses its headers.
        stamp=f"{head}/{mail.game_id.hex[:_GAME_DIGITS]}" if kinds & _STAMPED else "",
        # This alone is nothing a spectator sees, in a mail about nothing else.
        devices=_devices(mail) if lead.kind is NoticeKind.DEVICES else (),
        early=lead.kind is NoticeKind.KEPT
        and not seen.game.may_return(Seat(lead.seat)),
        reply=None if reply is None else reply.address,
        unsubscribe="" if leaving is None else leaving.url,
        lines=_lines(seen.game, reply),
    )


def _lines(game: Game, reply: ReplyAddress | None) -> ReplyLines:
    """The lines that answer the mail's question; none where it asks nothing."""
    if reply is None or reply.link.decision is None:
        return reply_lines.NONE
    return reply_lines.of(game, reply.address)


def _public(seen: GameReadModel) -> Presentation | None:
    """A game as a spectator sees it: nothing in a mail comes from anywhere else."""
    return None if seen.game.options is None else presentation.present(seen, None)


def _beside(lead: Notice, opened: Mapping[NoticeKind, Opening]) -> tuple[Beside, ...]:
    others = (kind for kind in opened if kind is not lead.kind)
    return tuple(Beside(kind, opened[kind].url) for kind in others)


def _declined(chairs: Sequence[SeatRecord]) -> str:
    """Who has declined, as a list."""
    return sentences.listed(
        [sentences.isolated(c.name) for c in chairs if c.state == SeatState.DECLINED]
    )


def _asking(mail: ClaimedMail) -> Asking | None:
    """What the table is asked, as nobody but its seats see it."""
    found = proposals.latest(mail.game_id)
    if found is None:
        return None
    by = sentences.isolated(mail.chairs[found.seat].name)
    zone = mail.reader.profile.zone
    return Asking(by, times.spoken(found.lapses_at, zone, mail.now))


def _devices(mail: ClaimedMail) -> tuple[str, ...]:
    """What is remembered for the reader's seat, and since when."""
    zone = mail.reader.profile.zone
    return tuple(
        _(
            "%(device)s, since %(moment)s",
            device=browser_names.name(row.agent),
            moment=times.in_zone(row.created_at, zone),
        )
        for row in devices.of_seat(mail.game_id, mail.reader.id)
    )


def _seed(lead: Notice, game_id: UUID) -> str:
    """What binds us to the seed, for whoever is invited; else nothing."""
    invited = lead.kind is NoticeKind.INVITATION
    return event_log.seed_commitment(game_id) if invited else ""


def _sitter(chair: SeatRecord) -> str:
    if chair.state == SeatState.OPEN:
        return _("a free seat")
    return sentences.isolated(chair.name)


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


def _asker(mail: ClaimedMail, lead: Notice) -> int:
    """The seat that has somebody mailed: the host's, or whose person named them."""
    if lead.kind is not NoticeKind.OFFERED:
        return 0
    named = replacements.open_at(mail.game_id, lead.seat)
    return 0 if named is None else named.by_seat


def recipient(mail: ClaimedMail, lead: Notice) -> Address:
    """One address: its owner's spelling before the @, the plain domain behind it.

    With the name they go by at this table: what another host called them is not ours
    to tell.
    """
    name = sentences.header(_called(mail, lead))
    local = (mail.reader.address or "").rpartition("@")[0]
    domain = (mail.reader.address_key or "").rpartition("@")[2]
    return Address(name, username=local, domain=domain)


def _round(lead: Notice, game: Game) -> int:
    if lead.kind is NoticeKind.ROUND_OVER and game.scored:
        return game.scored[-1].round
    return game.round
