"""All that is kept about one person, as rows for their own eyes."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from service.store import sql
from service.store.answers import FORMER, REVEALED
from service.store.lists import Cursor
from service.store.seats import PERSON_PLAYS
from service.values.enums import LinkPurpose

_KINDS = """ARRAY(SELECT DISTINCT n.kind FROM notice n
        WHERE n.game_id = m.game_id AND n.person_id = m.person_id AND n.mail_id = m.id
        ORDER BY n.kind)"""
_PAGE = """(CAST(%(id)s AS uuid) IS NULL
            OR (created_at, {0}) < (CAST(%(at)s AS timestamptz), CAST(%(id)s AS uuid)))
        ORDER BY created_at DESC, {0} DESC LIMIT %(limit)s"""
# What became of a mail to an address that isn't theirs yet tells who is known there.
_MAILS = f"""SELECT * FROM (
        (SELECT id, {_KINDS} AS kinds, game_id, state, created_at, settled_at,
                bounced_at AS returned_at
            FROM mail m WHERE person_id = %(person)s AND {_PAGE.format("id")})
        UNION ALL
        (SELECT mail_id, ARRAY[kind], NULL, state, created_at, settled_at, NULL
            FROM mailed_code WHERE person_id = %(person)s AND kind <> 'new_address'
                AND {_PAGE.format("mail_id")})) mails
    ORDER BY created_at DESC, id DESC LIMIT %(limit)s"""
_SEATS = """SELECT s.game_id, s.number, s.name, s.state, g.status,
        coalesce(g.host_id = s.person_id, false),
        coalesce(s.cards_for = s.person_id, false)
    FROM seat s JOIN game g ON g.id = s.game_id
    WHERE s.person_id = %(person)s ORDER BY g.created_at, g.id"""
_ANSWERS = f"""SELECT a.game_id, a.decision, a.seat, a.source,
        convert_from(a.answer, 'UTF8')::json,
        CASE WHEN {REVEALED} THEN a.wished END
    FROM answer a JOIN seat s ON s.game_id = a.game_id AND s.number = a.seat
    JOIN game g ON g.id = a.game_id
    WHERE s.person_id = %(person)s AND a.source <> '{FORMER}'
        AND (%(running)s AND {PERSON_PLAYS} OR g.status = 'over')
    ORDER BY a.game_id, a.decision"""
_INVITATIONS = """SELECT game_id, seat, person_id = %(person)s, state, created_at,
        answered_at
    FROM invitation WHERE person_id = %(person)s OR host_id = %(person)s
    ORDER BY created_at, id"""
_LINKS = """SELECT game_id, seat, purpose, decision, created_at FROM link
    WHERE person_id = %(person)s ORDER BY created_at"""
# What lies with ballots is theirs to read, and comes with these.
_SAID = """SELECT game_id, number, seat, decision, line, phrase, said_at FROM message
        WHERE person_id = %(person)s
    UNION ALL SELECT game_id, NULL, seat, decision, line, phrase, NULL FROM sealed_line
        WHERE person_id = %(person)s AND %(running)s
    ORDER BY game_id, number NULLS LAST"""
_MUTES = """SELECT game_id, seat FROM mute WHERE person_id = %(person)s
    ORDER BY game_id, seat"""
_STANDING = """SELECT game_id, seat, round,
        coalesce((array_agg(wish) FILTER (WHERE kind = 'placement'))[1], '[]'::json),
        (array_agg(wish) FILTER (WHERE kind = 'move'))[1],
        (array_agg(wish) FILTER (WHERE kind = 'election'))[1]
    FROM (SELECT *, convert_from(wishes, 'UTF8')::json AS wish FROM standing_answer
        WHERE person_id = %(person)s AND %(running)s) laid
    GROUP BY game_id, seat, round ORDER BY game_id, seat, round"""
_REPORTS = """SELECT game_id, message, created_at FROM report
    WHERE person_id = %(person)s ORDER BY created_at"""
_SINCE = """SELECT p.created_at, p.verified_at, p.free_changes,
        c.created_at AS calendar_since
    FROM person p LEFT JOIN calendar c ON c.person_id = p.id
    WHERE p.id = %(person)s"""
_UNSUBSCRIBED = """SELECT game_id, created_at FROM unsubscribed
    WHERE person_id = %(person)s ORDER BY created_at"""
_NETWORKS = "SELECT count(*) FROM known_network WHERE person_id = %(person)s"


class OwnMail(msgspec.Struct, frozen=True):
    """A mail to somebody: what it was about, not what it said."""

    id: UUID
    kinds: list[str]
    game: UUID | None
    state: str
    created_at: datetime
    settled_at: datetime | None
    returned_at: datetime | None

    @property
    def cursor(self) -> Cursor:
        """Where a page ends that ends with this mail."""
        return Cursor(self.created_at, self.id)


class OwnSeat(msgspec.Struct, frozen=True):
    """A seat somebody has, or is invited to; `status` is the game's.

    `cards_by_mail` tells that they have ordered its cards.
    """

    game: UUID
    seat: int
    name: str
    state: str
    status: str
    is_host: bool
    cards_by_mail: bool


class OwnAnswer(msgspec.Struct, frozen=True):
    """An answer somebody gave, or that was given for them."""

    game: UUID
    decision: int
    seat: int
    source: str
    answer: Mapping[str, object]
    wished: str | None


class OwnStandingAnswers(msgspec.Struct, frozen=True):
    """What somebody has answered ahead for a round of a game."""

    game: UUID
    seat: int
    round: int
    placements: Sequence[Mapping[str, object]]
    move: Mapping[str, object] | None
    election: Mapping[str, object] | None


class OwnInvitation(msgspec.Struct, frozen=True):
    """An invitation that somebody `received`, or else sent."""

    game: UUID
    seat: int
    received: bool
    state: str
    created_at: datetime
    answered_at: datetime | None


class OwnLink(msgspec.Struct, frozen=True):
    """A link somebody was mailed."""

    game: UUID
    seat: int
    purpose: LinkPurpose
    decision: int | None
    created_at: datetime


class OwnMessage(msgspec.Struct, frozen=True):
    """Something somebody said; without a number it lies with a ballot of theirs."""

    game: UUID
    id: int | None
    seat: int
    decision: int | None
    line: str | None
    phrase: str | None
    said_at: datetime | None


class OwnMute(msgspec.Struct, frozen=True):
    """A seat of whose talk somebody reads nothing."""

    game: UUID
    seat: int


class OwnReport(msgspec.Struct, frozen=True):
    """A message that somebody has reported."""

    game: UUID
    message: int
    created_at: datetime


class OwnUnsubscription(msgspec.Struct, frozen=True):
    """A game of which somebody wants no mails."""

    game: UUID
    created_at: datetime


class Belongings(msgspec.Struct, frozen=True):
    """What is kept of somebody beside their account, tokens, devices, mails.

    They are known since `created_at`, and their address since `verified_at`; on
    `known_networks` they proved it. At the last `free_time_changes` they changed when
    nothing of theirs shall end. Their calendar has its address since `calendar_since`.
    """

    created_at: datetime
    verified_at: datetime | None
    seats: tuple[OwnSeat, ...]
    answers: tuple[OwnAnswer, ...]
    standing_answers: tuple[OwnStandingAnswers, ...]
    invitations: tuple[OwnInvitation, ...]
    links: tuple[OwnLink, ...]
    messages: tuple[OwnMessage, ...]
    mutes: tuple[OwnMute, ...]
    reports: tuple[OwnReport, ...]
    unsubscribed: tuple[OwnUnsubscription, ...]
    known_networks: int
    free_time_changes: tuple[datetime, ...]
    calendar_since: datetime | None


def mails(
    person_id: UUID, after: Cursor | None, limit: int | None
) -> tuple[OwnMail, ...]:
    """Somebody's mails, the newest first; at most `limit`, or all for None."""
    return sql.structs(
        OwnMail,
        _MAILS,
        person=person_id,
        at=after and after.created_at,
        id=after and after.id,
        limit=limit,
    )


def belongings(person_id: UUID, running: bool) -> Belongings:
    """All else, oldest first. What others are to the same rows is left out.

    Answers of games that still run, standing ones too, and what lies with ballots
    there, are in it for `running` alone. The person is known.
    """
    (since,) = sql.rows(_SINCE, person=person_id)
    return Belongings(
        since.created_at,
        since.verified_at,
        sql.structs(OwnSeat, _SEATS, person=person_id),
        sql.structs(OwnAnswer, _ANSWERS, person=person_id, running=running),
        sql.structs(OwnStandingAnswers, _STANDING, person=person_id, running=running),
        sql.structs(OwnInvitation, _INVITATIONS, person=person_id),
        sql.structs(OwnLink, _LINKS, person=person_id),
        sql.structs(OwnMessage, _SAID, person=person_id, running=running),
        sql.structs(OwnMute, _MUTES, person=person_id),
        sql.structs(OwnReport, _REPORTS, person=person_id),
        sql.structs(OwnUnsubscription, _UNSUBSCRIBED, person=person_id),
        sql.value(_NETWORKS, person=person_id),
        tuple(since.free_changes),
        since.calendar_since,
    )
