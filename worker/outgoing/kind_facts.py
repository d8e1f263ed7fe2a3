"""What mails of some kinds alone tell: who is asked to play what, and the like."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

import msgspec

from engine.board import Seat
from service.present import browser_names, sentences, terms, times
from service.present.languages import gettext as _
from service.store import devices, event_log, proposals
from service.store.outbox import ClaimedMail, Notice
from service.store.tables import SeatRecord
from service.values.enums import NoticeKind, SeatState
from worker.outgoing import namings
from worker.outgoing.namings import ToldNaming
from worker.outgoing.relevance import Relevance

_ASKING_TO_PLAY: Final = (
    NoticeKind.CONFIRM,
    NoticeKind.INVITATION,
    NoticeKind.OFFERED,
)
"""Notices that ask whether somebody wants to play this."""


class ToldProposal(msgspec.Struct, frozen=True):
    """What the table is asked: by whom, isolated, and until when."""

    by: str
    until: str


class KindFacts(msgspec.Struct, frozen=True):
    """What mails tell beside the game: most of it those of some kinds alone.

    `seats` are who sits where and `declined` who doesn't want to, `terms` what is
    played, to those who are asked for it, and `seed` what binds us to its chance;
    `proposal` is what the table is asked, `named` who is named for which seat;
    `devices` are the browsers that are remembered for the reader's seat, `kept` tells
    that a bot keeps that, `early` that the reader's cards which it has aren't open yet.
    """

    seats: tuple[str, ...]
    declined: str
    terms: tuple[str, ...]
    seed: str
    proposal: ToldProposal | None
    named: tuple[ToldNaming, ...]
    devices: tuple[str, ...]
    kept: bool
    early: bool


def read(notices: Sequence[Notice], lead: Notice, now: Relevance) -> KindFacts:
    """What mails of some kinds alone tell."""
    mail, seen, kind = now.mail, now.seen, lead.kind
    kinds = {notice.kind for notice in notices}
    early = kind is NoticeKind.KEPT and not seen.game.may_return(Seat(lead.seat))
    return KindFacts(
        seats=tuple(_sitter(chair) for chair in mail.chairs),
        declined=_declined(mail.chairs),
        terms=terms.sentences_on(seen) if kind in _ASKING_TO_PLAY else (),
        seed=_seed(lead, mail.game_id),
        proposal=_proposal(mail) if NoticeKind.PROPOSAL in kinds else None,
        named=namings.announced(notices, now),
        # This alone is nothing a spectator sees, in a mail about nothing else.
        devices=_devices(mail) if kind is NoticeKind.DEVICES else (),
        kept=now.has_left(lead.seat),
        early=early,
    )


def _declined(chairs: Sequence[SeatRecord]) -> str:
    """Who has declined, as a list."""
    return sentences.listed(
        [sentences.isolated(c.name) for c in chairs if c.state == SeatState.DECLINED]
    )


def _proposal(mail: ClaimedMail) -> ToldProposal | None:
    """What the table is asked, as nobody but its seats see it."""
    found = proposals.latest(mail.game_id)
    if found is None:
        return None
    by = sentences.isolated(mail.chairs[found.seat].name)
    zone = mail.reader.profile.zone
    return ToldProposal(by, times.spoken(found.lapses_at, zone, mail.now))


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
