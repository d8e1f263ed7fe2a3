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
    FROM mail WHERE person_id = (SELECT person_id FROM seat
            WHERE game_id = %(game)s AND number = %(seat)s)
        AND state IN ('{MailState.SENT}', '{MailState.FAILED}')
    ORDER BY created_at DESC, id DESC LIMIT 1"""


class LastMail(msgspec.Struct, frozen=True):
    """What became of somebody's latest mail, and when."""

    state: DeliveryState
    at: datetime


def of_seat(game_id: UUID, seat: int) -> LastMail | None:
    """What became of the latest mail of any game to a seat's person; None for none."""
    row = sql.row(_LATEST, game=game_id, seat=seat)
    return None if row is None else LastMail(DeliveryState(row.state), row.at)
