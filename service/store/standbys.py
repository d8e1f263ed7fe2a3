"""What the database tells of its standbys."""

from typing import NamedTuple

from service.store import sql

# A backup that is being taken is none. Without the rights of pg_monitor all that can be
# seen of a standby is that it is there.
_READ = """
    SELECT count(*), count(*) FILTER (WHERE sync_state IN ('sync', 'quorum')),
        count(*) FILTER (WHERE sync_state IS NULL),
        current_setting('synchronous_standby_names') <> ''
            AND current_setting('synchronous_commit') NOT IN ('off', 'local')
    FROM pg_stat_replication WHERE state IS DISTINCT FROM 'backup'
"""


class Standbys(NamedTuple):
    """How many there are, are waited for, and can't be told; whether any is to be."""

    there: int
    synchronous: int
    untold: int
    wanted: bool


def read() -> Standbys:
    """The standbys of the server at the other end."""
    (found,) = sql.structs(Standbys, _READ)
    return found
