"""Who is named for which kept seat, as a mail tells the table and the former person."""

from collections.abc import Sequence
from uuid import UUID

import msgspec

from engine.board import Seat
from service.present import sentences, times
from service.present.languages import gettext as _
from service.store.outbox import Notice
from service.store.replacements import Replacement
from service.values.enums import NoticeKind, ReplacementState
from worker.outgoing.relevance import Relevance, tells_of


class ToldNaming(msgspec.Struct, frozen=True):
    """Somebody named for a seat: by whom, whose seat it is, until when one may object.

    `whom` is empty where the namer has called them nothing; names are isolated.
    `yours` is for whoever has the seat that a bot keeps, who may come back; if it is
    `early`, once the round is over.
    """

    by: str
    whom: str
    owner: str
    until: str
    yours: bool
    early: bool


def announced(notices: Sequence[Notice], now: Relevance) -> tuple[ToldNaming, ...]:
    """What the notices of a mail tell of it, in seat order."""
    zone, chairs = now.mail.reader.profile.zone, now.mail.chairs
    game = now.seen.game
    return tuple(
        ToldNaming(
            by=sentences.isolated(chairs[each.by_seat].name),
            whom=sentences.isolated(each.name) if each.name else "",
            owner=sentences.isolated(chairs[each.seat].name),
            until=times.spoken(each.due_at, zone, now.mail.now),
            yours=now.has_left(each.seat),
            early=not game.may_return(Seat(each.seat)),
        )
        for each in _about(notices, now)
    )


def objections(now: Relevance) -> tuple[str, ...]:
    """What the table hears of it when somebody has objected since the latest mail.

    Not who: an objection takes no reason and no name.
    """
    heard_at, chairs = now.mail.heard_at, now.mail.chairs
    if heard_at is None:
        return ()
    return tuple(
        _(
            "Somebody objected to whoever was named for %(name)s's seat.",
            name=sentences.isolated(chairs[each.seat].name),
        )
        for each in now.named
        if each.state is ReplacementState.OBJECTED
        and each.ended_at is not None
        and each.ended_at > heard_at
    )


def people(notices: Sequence[Notice], now: Relevance) -> frozenset[UUID]:
    """Whom a mail may name for them who isn't at the table."""
    return frozenset(each.person_id for each in _about(notices, now))


def _about(notices: Sequence[Notice], now: Relevance) -> tuple[Replacement, ...]:
    found = [each for each in notices if each.kind is NoticeKind.REPLACEMENT]
    if not found:
        return ()
    return tuple(
        named
        for named in now.named
        if any(tells_of(notice, named, now) for notice in found)
    )
