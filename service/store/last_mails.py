"""What became of the latest mail of a game to somebody, for their own eyes."""

from datetime import datetime
from uuid import UUID

import msgspec

from service.store import sql
from service.store.outbox import MailState
from service.values.enums import DeliveryState

_LATEST = f"""SELECT CASE WHEN bounced_at IS NOT NULL THEN '{DeliveryState.RETURNED}'
        WHEN state = '{MailState.SENT}' THEN '{DeliveryState.DELIVERED}'
        ELSE '{DeliveryState.REFUSED}' END AS state,
        coalesce(bounced_at, settled_at) AS at
    FROM mail WHERE person_id = %(person)s
        AND state IN ('{MailState.SENT}', '{MailState.FAILED}')
    ORDER BY created_at DESC, id DESC LIMIT 1"""
_PERSON = "SELECT person_id FROM seat WHERE game_id = %(game)s AND number = %(seat)s"


class LastMail(msgspec.Struct, frozen=True):
    """What became of somebody's latest mail, and when."""

    state: DeliveryState
    at: datetime


def latest(person_id: UUID) -> LastMail | None:
    """What became of somebody's latest mail of a game; None before the first."""
    row = sql.row(_LATEST, person=person_id)
    return None if row is None else LastMail(DeliveryState(row.state), row.at)


def of_seat(game_id: UUID, seat: int) -> LastMail | None:
    """The same for the person of a seat."""
    person = sql.value(_PERSON, game=game_id, seat=seat)
    return None if person is None else latest(person)
