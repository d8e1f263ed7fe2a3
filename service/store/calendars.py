"""Calendars: who has one, and what their running games ask at a moment."""

from datetime import datetime
from uuid import UUID

from service.store import sql, turns
from service.store.seats import PERSON_HAS_JOINED
from service.store.turns import Brief
from service.values import entropy, signed_tokens
from service.values.signed_tokens import Origin

_RENEW = """INSERT INTO calendar (person_id, token_hash, created_at)
    SELECT id, %(hash)s, kingup_now() FROM person
        WHERE id = %(person)s AND address IS NOT NULL FOR KEY SHARE
    ON CONFLICT (person_id) DO UPDATE
        SET token_hash = excluded.token_hash, created_at = excluded.created_at"""
_END = "DELETE FROM calendar WHERE person_id = %(person)s"
_SINCE = "SELECT created_at FROM calendar WHERE person_id = %(person)s"
_OWNER = "SELECT person_id FROM calendar WHERE token_hash = %(hash)s"
_RUNNING = f"""SELECT {turns.BRIEF}, g.opened_at,
        (SELECT h.name FROM seat h WHERE h.game_id = g.id AND h.number = 0) AS host
    FROM seat s JOIN game g ON g.id = s.game_id AND g.status = 'running'
    WHERE s.person_id = %(person)s AND NOT s.ended AND {PERSON_HAS_JOINED}"""


class RunningGame(Brief, frozen=True):
    """A running game in which somebody sits, by the public facts of its question."""

    opened_at: datetime
    host: str


def renew(person_id: UUID) -> str:
    """The secret of a calendar's new address; the one before is good no more."""
    # It stands in programs and at other companies: it proves no mailbox.
    token = signed_tokens.make(Origin.ANYBODY)
    sql.execute(_RENEW, person=person_id, hash=entropy.digest(token))
    return token


def end(person_id: UUID) -> None:
    """End somebody's calendar, if there is one."""
    sql.execute(_END, person=person_id)


def since(person_id: UUID) -> datetime | None:
    """When the address of somebody's calendar was made; None without one."""
    found: datetime | None = sql.value(_SINCE, person=person_id)
    return found


def owner(token: str) -> UUID | None:
    """Whose calendar the secret of an address leads to; None for nobody's."""
    found: UUID | None = sql.value(_OWNER, hash=entropy.digest(token))
    return found


def running(person_id: UUID) -> tuple[RunningGame, ...]:
    """The running games in which somebody sits, in any order."""
    return sql.structs(RunningGame, _RUNNING, person=person_id)
