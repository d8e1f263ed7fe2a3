"""A brake on writing while commits wait for a standby that is gone.

Each of them leaves a session behind in the server, which waits on when we have given
up. They would use up its connections, and with them all reading would end.
"""

from psycopg import Connection

from service.store.connections import NoAnswer
from service.values.errors import Busy

# Where all is well a commit waits too, but not for a second.
_LOOK = """SELECT pg_current_xact_id_if_assigned() IS NOT NULL, EXISTS (
        SELECT FROM pg_stat_activity
        WHERE wait_event = 'SyncRep' AND usename = current_user
            AND query_start < clock_timestamp() - interval '1 s'
    )"""


class _Brake:
    """Whether this process has had a commit without an answer since all was well."""

    on = False


def commit(connection: Connection) -> None:
    """Commit, unless that is known to wait. Raises Busy, and psycopg.Error."""
    if _Brake.on:
        [(writes, waiting)] = connection.execute(_LOOK).fetchall()
        if writes and waiting:
            raise Busy
        _Brake.on = waiting
    try:
        connection.commit()
    except NoAnswer:
        _Brake.on = True
        raise
