"""What an exception tells whoever asked: a refusal, or that the database can't now."""

from psycopg.errors import IdleInTransactionSessionTimeout, ReadOnlySqlTransaction
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from engine.errors import Refusal, UnreadableLog
from service.values.errors import Busy, GameUnreadable, Problem, PublicError


def public(error: Exception) -> PublicError | None:
    """What an exception tells whoever asked; None for a fault of ours.

    The one place that knows what an outage, a lock's end or an unknown log looks like.
    """
    match error:
        case Problem() | Refusal():
            return error
        case UnreadableLog():
            return GameUnreadable()
        case OperationalError() | PoolTimeout():
            return Busy()
        case DBAPIError(orig=IdleInTransactionSessionTimeout()):
            return Busy()
        case DBAPIError(orig=ReadOnlySqlTransaction()):
            # A standby, which is about to be promoted or has been put in its place.
            return Busy()
        case DBAPIError(connection_invalidated=True):
            return Busy()
        case _:
            return None
