"""Who was asked to which seat, what became of it, and when their mail may leave."""

from datetime import datetime
from uuid import UUID

import msgspec

from service.store import quotas, sql
from service.store.outbox import MailState
from service.store.quotas import Recent
from service.store.tables import SeatRecord
from service.values import entropy
from service.values.enums import InvitationState, LinkPurpose, NoticeKind

_INVITE = """INSERT INTO invitation
        (id, game_id, seat, host_id, person_id, asked, state)
    VALUES (%(id)s, %(game)s, %(seat)s, %(host)s, %(person)s, %(asked)s, 'open')"""
# Whoever is asked again has a new link: the old one was about other terms.
_UNLINK = f"""DELETE FROM link
    WHERE game_id = %(game)s AND seat = %(seat)s
        AND purpose = '{LinkPurpose.INVITATION}'"""
# Its mail is found by the key of its notice (service/tables/invitations.py, `notice`).
_INVITATIONS = f"""SELECT i.id, i.seat, CASE WHEN s.asked = i.asked THEN s.name END,
        i.state, i.created_at, i.state = 'open' AND EXISTS (
            SELECT FROM notice n
            JOIN mail m ON m.person_id = n.person_id AND m.id = n.mail_id
            WHERE n.game_id = i.game_id AND n.key = i.game_id
                || '/{NoticeKind.INVITATION}/' || i.seat || '/' || i.id
                AND (m.state = '{MailState.FAILED}' OR m.bounced_at IS NOT NULL))
    FROM invitation i JOIN seat s ON s.game_id = i.game_id AND s.number = i.seat
    WHERE i.game_id = %(game)s AND NOT EXISTS (SELECT FROM replacement r
        WHERE r.game_id = i.game_id AND r.invitation_id = i.id)
    ORDER BY i.created_at, i.seat, i.id"""
_SETTLE = """UPDATE invitation SET state = %(state)s, answered_at = kingup_now()
    WHERE game_id = %(game)s AND seat = %(seat)s AND state = 'open' RETURNING id"""
_TURN_DOWN = """UPDATE invitation SET state = 'declined', answered_at = kingup_now()
    WHERE game_id = %(game)s AND seat = %(seat)s AND person_id = %(person)s
        AND state IN ('open', 'accepted') RETURNING id"""
_WITHDRAW = """UPDATE invitation SET state = 'withdrawn', answered_at = kingup_now()
    WHERE game_id = %(game)s AND seat = %(seat)s AND state IN ('open', 'accepted')"""
_OF_HOST_TO = f"""SELECT {quotas.RECENT} FROM invitation
    WHERE host_id = %(host)s AND asked = %(asked)s
    AND created_at > kingup_now() - interval '1 day'"""
_HAS_PLAYED = """EXISTS (SELECT FROM seat own JOIN seat other USING (game_id)
    JOIN game played ON played.id = own.game_id
    WHERE own.person_id = %(person)s AND other.person_id = {host}
        AND own.state = 'joined' AND other.state = 'joined'
        AND played.started_at IS NOT NULL)"""
# Hosts with whom somebody has begun a game stand in another line than all others.
_ROOM = f"""WITH asking AS (SELECT {_HAS_PLAYED.format(host="%(host)s")} AS fellow)
    SELECT extract(epoch FROM n.due_at + interval '1 day' - kingup_now())
    FROM notice n JOIN game g ON g.id = n.game_id CROSS JOIN asking
    WHERE n.person_id = %(person)s AND n.kind IN ('invitation', 'offered')
        AND n.superseded_at IS NULL AND n.due_at > kingup_now() - interval '1 day'
        AND {_HAS_PLAYED.format(host="g.host_id")} = asking.fellow
    ORDER BY n.due_at DESC LIMIT 1 OFFSET (SELECT CASE WHEN fellow
        THEN CAST(%(fellows)s AS int)
        ELSE CAST(%(strangers)s AS int) END - 1 FROM asking)"""
_WAITING = """SELECT person_id FROM notice
    WHERE game_id = %(game)s AND kind = 'invitation' AND mail_id IS NULL
        AND superseded_at IS NULL AND due_at > kingup_now()"""


class Invited(msgspec.Struct, frozen=True):
    """Somebody who was asked to a seat: no address, and no name but the seat's.

    `name` is None once somebody else is asked to the seat, or has it. `bounced` tells
    of an open one that its mail was refused for good, given up, or came back.
    """

    id: UUID
    seat: int
    name: str | None
    state: InvitationState
    created_at: datetime
    bounced: bool


def add(game_id: UUID, host_id: UUID, chair: SeatRecord) -> UUID:
    """Keep that a chair's person is asked to it; links of earlier invitations end."""
    number = entropy.identifier()
    seat = {"game": game_id, "seat": chair.number}
    sql.execute(_UNLINK, **seat)
    sql.execute(
        _INVITE,
        **seat,
        id=number,
        host=host_id,
        person=chair.person_id,
        asked=chair.asked,
    )
    return number


def of_table(game_id: UUID) -> tuple[Invited, ...]:
    """All invitations to a table, the oldest first."""
    return sql.structs(Invited, _INVITATIONS, game=game_id)


def settle(game_id: UUID, seat: int, state: InvitationState) -> UUID | None:
    """Close the open invitation of a seat: accepted, declined or withdrawn; its id."""
    found: UUID | None = sql.value(_SETTLE, game=game_id, seat=seat, state=state)
    return found


def turn_down(game_id: UUID, seat: int, person_id: UUID) -> UUID | None:
    """Close somebody's invitation to a seat they don't want after all; its id.

    None where they came without one.
    """
    found: UUID | None = sql.value(
        _TURN_DOWN, game=game_id, seat=seat, person=person_id
    )
    return found


def withdraw(game_id: UUID, seat: int) -> None:
    """Take an invitation to a seat back, accepted or not."""
    sql.execute(_WITHDRAW, game=game_id, seat=seat)


def withdrawn(game_id: UUID, seat: int) -> int:
    """How many invitations to a seat were taken back."""
    states = (each.state for each in of_table(game_id) if each.seat == seat)
    return sum(state == InvitationState.WITHDRAWN for state in states)


def bounced(game_id: UUID) -> frozenset[int]:
    """The seats that somebody is asked to whom no mail of it reaches."""
    return frozenset(each.seat for each in of_table(game_id) if each.bounced)


def sent_to(host_id: UUID, asked: bytes) -> Recent:
    """The invitations that a host sent to one typed address in the last 24 hours."""
    (recent,) = sql.structs(Recent, _OF_HOST_TO, host=host_id, asked=asked)
    return recent


def waiting(game_id: UUID) -> frozenset[UUID]:
    """Who is asked to a table, but is to be mailed only later."""
    return frozenset(sql.values(_WAITING, game=game_id))


def until_room(person_id: UUID, host_id: UUID, strangers: int, fellows: int) -> float:
    """Seconds until a person may be mailed one more invitation, by this host.

    So many a day of all hosts with whom they have begun a game, `fellows`, and so many
    of all other hosts.
    """
    wait = sql.value(
        _ROOM, person=person_id, host=host_id, strangers=strangers, fellows=fellows
    )
    return 0.0 if wait is None else max(0.0, float(wait))
