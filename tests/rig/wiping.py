"""Empties a database and a Valkey between tests."""

from datetime import UTC, datetime, time, timedelta
from typing import Final

import psycopg
import redis
from psycopg.errors import DeadlockDetected

from tests.rig.parts import wait_until

_WEDNESDAY: Final = 2
_NINE: Final = time(9, tzinfo=UTC)


class Wiper:
    """Empties the database and Valkey over connections that it keeps.

    Each test begins on a Wednesday at 9, UTC, at whatever hour of the week it is run.
    """

    def __init__(
        self, database_url: str, redis_url: str, tables: tuple[str, ...]
    ) -> None:
        self._address = plain(database_url)
        self._valkey = redis.Redis.from_url(redis_url)
        # A tenth of what TRUNCATE takes, and another tenth where the plans are kept: a
        # session does so with those of a function. As a replica Postgres checks no
        # foreign key, so that the order doesn't matter.
        wipe = " ".join(f'DELETE FROM "{table}";' for table in tables)
        self._function = f"""CREATE FUNCTION pg_temp.wipe() RETURNS void
            LANGUAGE plpgsql AS $$
            BEGIN {wipe} UPDATE clock SET shift = '{_midweek()}' - clock_timestamp();
            END $$"""
        self._line = self._connect()

    def wipe(self) -> None:
        """Empty both; a test may have ended the connection to the database."""
        wait_until(self._is_wiped, "the end of what a process before had to write")
        self._valkey.flushdb()

    def _is_wiped(self) -> bool:
        if self._line.closed:
            self._line = self._connect()
        try:
            self._line.execute("SELECT pg_temp.wipe()")
        except DeadlockDetected:
            # One that was stopped by the last test, and whose session still writes.
            return False
        except psycopg.OperationalError:
            if not self._line.closed:
                raise
            return False
        return True

    def close(self) -> None:
        self._line.close()
        self._valkey.close()

    def _connect(self) -> psycopg.Connection:
        options = "-c session_replication_role=replica -c lock_timeout=5s"
        line = psycopg.connect(self._address, autocommit=True, options=options)
        line.execute(self._function.encode())
        return line


def _midweek() -> datetime:
    """This week's Wednesday at 9, UTC; the same for all tests of a process."""
    today = datetime.now(UTC).date()
    return datetime.combine(today + timedelta(_WEDNESDAY - today.weekday()), _NINE)


def plain(database_url: str) -> str:
    """Spell the address as libpq does."""
    _, rest = database_url.split("://", 1)
    return f"postgresql://{rest}"
