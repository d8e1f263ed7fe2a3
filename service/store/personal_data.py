"""All that is kept about one person, as rows for their own eyes."""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

import msgspec
from sqlalchemy import text

from service.models import db
from service.store.lists import Cursor

_KINDS = """ARRAY(SELECT DISTINCT n.kind FROM notice n
        WHERE n.game_id = m.game_id AND n.person_id = m.person_id AND n.mail_id = m.id
        ORDER BY n.kind)"""
_PAGE = """(CAST(:id AS uuid) IS NULL
            OR (created_at, {0}) < (CAST(:at AS timestamptz), CAST(:id AS uuid)))
        ORDER BY created_at DESC, {0} DESC LIMIT :limit"""
# What became of a mail to an address that isn't theirs yet tells who is known there.
_MAILS = text(
    f"""(SELECT id, {_KINDS} AS kinds, game_id, state, created_at, settled_at
        FROM mail m WHERE person_id = :person AND {_PAGE.format("id")})
    UNION ALL
    (SELECT mail_id, ARRAY[kind], NULL, state, created_at, settled_at
        FROM mailed_code WHERE person_id = :person AND kind <> 'new_address'
            AND {_PAGE.format("mail_id")})
    ORDER BY created_at DESC, id DESC LIMIT :limit"""
)
_SEATS = text(
    """SELECT s.game_id, s.number, s.name, s.state, g.status,
        coalesce(g.host_id = s.person_id, false)
    FROM seat s JOIN game g ON g.id = s.game_id
    WHERE s.person_id = :person ORDER BY g.created_at, g.id"""
)
_ANSWERS = text(
    """SELECT a.game_id, a.decision, a.seat, a.source,
        convert_from(a.answer, 'UTF8')::json
    FROM answer a JOIN seat s ON s.game_id = a.game_id AND s.number = a.seat
        AND s.bot IS NULL
    JOIN game g ON g.id = a.game_id
    WHERE s.person_id = :person AND (:running OR g.status = 'over')
    ORDER BY a.game_id, a.decision"""
)
_INVITATIONS = text(
    """SELECT game_id, seat, person_id = :person, state, created_at, answered_at
    FROM invitation WHERE person_id = :person OR host_id = :person
    ORDER BY created_at, id"""
)
_LINKS = text(
    """SELECT game_id, seat, purpose, decision, created_at FROM link
    WHERE person_id = :person ORDER BY created_at"""
)
_SINCE = text("SELECT created_at, verified_at FROM person WHERE id = :person")
_NETWORKS = text("SELECT count(*) FROM known_network WHERE person_id = :person")


class OwnMail(msgspec.Struct, frozen=True):
    """A mail to somebody: what it was about, not what it said."""

    id: UUID
    kinds: tuple[str, ...]
    game: UUID | None
    state: str
    created_at: datetime
    settled_at: datetime | None

    @property
    def cursor(self) -> Cursor:
        """Where a page ends that ends with this mail."""
        return Cursor(self.created_at, self.id)


class OwnSeat(msgspec.Struct, frozen=True):
    """A seat somebody has, or is invited to; `status` is the game's."""

    game: UUID
    number: int
    name: str
    state: str
    status: str
    host: bool


class OwnAnswer(msgspec.Struct, frozen=True):
    """An answer somebody gave, or that was given for them."""

    game: UUID
    decision: int
    seat: int
    source: str
    answer: Mapping[str, object]


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
    purpose: str
    decision: int | None
    created_at: datetime


class Belongings(msgspec.Struct, frozen=True):
    """What is kept of somebody beside their account, tokens, devices, mails.

    They are known since `created_at`, and their address since `verified_at`; on
    `known_networks` they proved it.
    """

    created_at: datetime
    verified_at: datetime | None
    seats: tuple[OwnSeat, ...]
    answers: tuple[OwnAnswer, ...]
    invitations: tuple[OwnInvitation, ...]
    links: tuple[OwnLink, ...]
    known_networks: int


def mails(
    person_id: UUID, after: Cursor | None, limit: int | None
) -> tuple[OwnMail, ...]:
    """Somebody's mails, the newest first; at most `limit`, or all for None."""
    values = {
        "person": person_id,
        "at": after and after.created_at,
        "id": after and after.id,
        "limit": limit,
    }
    found = db.session.execute(_MAILS, values)
    return tuple(OwnMail(row[0], tuple(row[1]), *row[2:]) for row in found)


def belongings(person_id: UUID, running: bool) -> Belongings:
    """All else, oldest first. What others are to the same rows is left out.

    Answers of games that still run are in it for `running` alone. The person is known.
    """
    of_person = {"person": person_id}
    run = db.session.execute
    created_at, verified_at = run(_SINCE, of_person).one()
    answers = run(_ANSWERS, {**of_person, "running": running})
    return Belongings(
        created_at,
        verified_at,
        tuple(OwnSeat(*row) for row in run(_SEATS, of_person)),
        tuple(OwnAnswer(*row) for row in answers),
        tuple(OwnInvitation(*row) for row in run(_INVITATIONS, of_person)),
        tuple(OwnLink(*row) for row in run(_LINKS, of_person)),
        run(_NETWORKS, of_person).scalar_one(),
    )
