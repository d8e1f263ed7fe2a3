"""Who was asked to which seat, what became of it, and when their mail may leave."""

from datetime import datetime
from uuid import UUID

import msgspec
from sqlalchemy import text

from service.models import db
from service.store import quotas
from service.store.quotas import Recent
from service.store.tables import SeatRecord
from service.values import entropy
from service.values.enums import InvitationState

_INVITE = text(
    """INSERT INTO invitation (id, game_id, seat, host_id, person_id, asked, state)
    VALUES (:id, :game, :seat, :host, :person, :asked, 'open')"""
)
# Whoever is asked again has a new link: the old one was about other terms.
_UNLINK = text(
    """DELETE FROM link
    WHERE game_id = :game AND seat = :seat AND purpose = 'invitation'"""
)
_INVITATIONS = text(
    """SELECT i.id, i.seat, CASE WHEN s.asked = i.asked THEN s.name END,
        i.state, i.created_at
    FROM invitation i JOIN seat s ON s.game_id = i.game_id AND s.number = i.seat
    WHERE i.game_id = :game ORDER BY i.created_at, i.seat, i.id"""
)
_SETTLE = text(
    """UPDATE invitation SET state = :state, answered_at = kingup_now()
    WHERE game_id = :game AND seat = :seat AND state = 'open' RETURNING id"""
)
_TURN_DOWN = text(
    """UPDATE invitation SET state = 'declined', answered_at = kingup_now()
    WHERE game_id = :game AND seat = :seat AND person_id = :person
        AND state IN ('open', 'accepted') RETURNING id"""
)
_WITHDRAW = text(
    """UPDATE invitation SET state = 'withdrawn', answered_at = kingup_now()
    WHERE game_id = :game AND seat = :seat AND state IN ('open', 'accepted')"""
)
_OF_HOST_TO = text(
    f"""SELECT {quotas.RECENT} FROM invitation
    WHERE host_id = :host AND asked = :asked
    AND created_at > kingup_now() - interval '1 day'"""
)
_HAS_PLAYED = """EXISTS (SELECT FROM seat own JOIN seat other USING (game_id)
    JOIN game played ON played.id = own.game_id
    WHERE own.person_id = :person AND other.person_id = {host}
        AND own.state = 'joined' AND other.state = 'joined'
        AND played.started_at IS NOT NULL)"""
# Hosts with whom somebody has begun a game stand in another line than all others.
_ROOM = text(
    f"""WITH asking AS (SELECT {_HAS_PLAYED.format(host=":host")} AS fellow)
    SELECT extract(epoch FROM n.due_at + interval '1 day' - kingup_now())
    FROM notice n JOIN game g ON g.id = n.game_id CROSS JOIN asking
    WHERE n.person_id = :person AND n.kind = 'invitation' AND n.superseded_at IS NULL
        AND n.due_at > kingup_now() - interval '1 day'
        AND {_HAS_PLAYED.format(host="g.host_id")} = asking.fellow
    ORDER BY n.due_at DESC LIMIT 1 OFFSET (SELECT CASE WHEN fellow
        THEN CAST(:fellows AS int) ELSE CAST(:strangers AS int) END - 1 FROM asking)"""
)
_WAITING = text(
    """SELECT person_id FROM notice WHERE game_id = :game AND kind = 'invitation'
    AND mail_id IS NULL AND superseded_at IS NULL AND due_at > kingup_now()"""
)


class Invited(msgspec.Struct, frozen=True):
    """Somebody who was asked to a seat: no address, and no name but the seat's.

    `name` is None once somebody else is asked to the seat, or has it.
    """

    id: UUID
    seat: int
    name: str | None
    state: InvitationState
    created_at: datetime


def add(game_id: UUID, host_id: UUID, chair: SeatRecord) -> UUID:
    """Keep that a chair's person is asked to it; links of earlier invitations end."""
    number = entropy.identifier()
    values = {"id": number, "game": game_id, "seat": chair.number}
    db.session.execute(_UNLINK, values)
    asked = {"host": host_id, "person": chair.person_id, "asked": chair.asked}
    db.session.execute(_INVITE, values | asked)
    return number


def of_table(game_id: UUID) -> tuple[Invited, ...]:
    """All invitations to a table, the oldest first."""
    rows = db.session.execute(_INVITATIONS, {"game": game_id}).all()
    return tuple(Invited(*row) for row in rows)


def settle(game_id: UUID, seat: int, state: InvitationState) -> UUID | None:
    """Close the open invitation of a seat: accepted, declined or withdrawn; its id."""
    values = {"game": game_id, "seat": seat, "state": state}
    found: UUID | None = db.session.execute(_SETTLE, values).scalar_one_or_none()
    return found


def turn_down(game_id: UUID, seat: int, person_id: UUID) -> UUID | None:
    """Close somebody's invitation to a seat they don't want after all; its id.

    None where they came without one.
    """
    values = {"game": game_id, "seat": seat, "person": person_id}
    found: UUID | None = db.session.execute(_TURN_DOWN, values).scalars().first()
    return found


def withdraw(game_id: UUID, seat: int) -> None:
    """Take an invitation to a seat back, accepted or not."""
    db.session.execute(_WITHDRAW, {"game": game_id, "seat": seat})


def sent_to(host_id: UUID, asked: bytes) -> Recent:
    """The invitations that a host sent to one typed address in the last 24 hours."""
    values = {"host": host_id, "asked": asked}
    return Recent(*db.session.execute(_OF_HOST_TO, values).one())


def waiting(game_id: UUID) -> frozenset[UUID]:
    """Who is asked to a table, but is to be mailed only later."""
    found = db.session.execute(_WAITING, {"game": game_id})
    return frozenset(found.scalars())


def until_room(person_id: UUID, host_id: UUID, strangers: int, fellows: int) -> float:
    """Seconds until a person may be mailed one more invitation, by this host.

    So many a day of all hosts with whom they have begun a game, `fellows`, and so many
    of all other hosts.
    """
    values = {"person": person_id, "host": host_id}
    most = {"strangers": strangers, "fellows": fellows}
    wait = db.session.execute(_ROOM, values | most).scalar_one_or_none()
    return 0.0 if wait is None else max(0.0, float(wait))
