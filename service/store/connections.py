"""How every connection to the database is made, and how long anything waits on it.

The server ends what waits in it: a lock, a statement, a transaction that does nothing.
A server that has been stopped ends nothing, nor does one whose COMMIT waits for a
standby that is gone. So each line has a longer patience of its own. Past that it is
closed, and whether what was asked last has happened isn't known.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

import psycopg
from psycopg import conninfo
from psycopg.abc import RV, PQGen
from psycopg.errors import OperationalError, _WaitTimeout

ANSWER_SECONDS: Final = 12.0
"""How long an answer is waited for: longer than any limit that the server keeps."""

CONNECT_SECONDS: Final = 5
"""How long each host has to let us in."""

LIMITS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "lock_timeout": "5s",
        "idle_in_transaction_session_timeout": "5s",
        "statement_timeout": "10s",
        # Else it would give up a COMMIT that nobody waits for any more, and show what
        # no standby has.
        "client_connection_check_interval": "0",
    }
)
"""What the server keeps on each connection, as it shows it."""

_KEPT_ALIVE: Final = {
    "keepalives": 1,
    "keepalives_idle": 15,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
"""How a host that has vanished is noticed; settings may say otherwise."""

# Not as options of the connection's start: a pooler in between refuses or drops them.
_SET = """SELECT set_config(name, value, false)
    FROM unnest(%s::text[], %s::text[]) AS t(name, value)"""
_SHOW = "SELECT name, current_setting(name) FROM unnest(%s::text[]) AS t(name)"
_ISOLATION = "transaction_isolation"
_INTERVAL_SECONDS: Final = 0.1


class NoAnswer(OperationalError):
    """The database didn't answer in time; the connection is closed."""


class BoundedConnection(psycopg.Connection):
    """A connection on which every wait has an end, unless `patience` is None."""

    patience: float | None = ANSWER_SECONDS

    def wait(
        self,
        gen: PQGen[RV],
        interval: float = _INTERVAL_SECONDS,
        timeout: float | None = None,
    ) -> RV:
        """What a conversation with the server yields. Raises NoAnswer."""
        if timeout is not None:
            return super().wait(gen, interval, timeout)
        try:
            return super().wait(gen, interval, self.patience)
        except _WaitTimeout:
            self.close()
            raise NoAnswer("no answer in time") from None

    def cancel_safe(self, *, timeout: float = 30.0) -> None:
        """Hang up; whoever interrupts us would else have a statement cancelled.

        A COMMIT that waits for a standby would be committed here alone, and be told as
        one like any other.
        """
        del timeout
        self.close()


def connect(
    url: str,
    *,
    limits: Mapping[str, str] = LIMITS,
    autocommit: bool = False,
    **options: Any,
) -> BoundedConnection:
    """A connection to the database of the settings, with these limits set.

    Of several hosts it is one that can be written to. The options are psycopg's, not
    libpq's. Raises psycopg.Error.
    """
    parameters = {**_KEPT_ALIVE, **conninfo.conninfo_to_dict(url)}
    parameters["connect_timeout"] = CONNECT_SECONDS
    if "," in str(parameters.get("host") or parameters.get("hostaddr")):
        parameters.setdefault("target_session_attrs", "read-write")
    line = BoundedConnection.connect(
        conninfo.make_conninfo("", **parameters),
        autocommit=True,
        **options,
    )
    try:
        # Before a transaction is begun: with its rollback the limits would be gone,
        # too.
        line.execute(_SET, (list(limits), list(limits.values())))
        line.autocommit = autocommit
    except BaseException:
        line.close()
        raise
    return line


def wait_without_end(line: object) -> None:
    """Let a line wait as long as it takes, for what may take long."""
    if not isinstance(line, BoundedConnection):
        raise TypeError(type(line))
    line.patience = None


def session_settings(line: object) -> tuple[str, Mapping[str, str]]:
    """The isolation level of a line and its limits, as the server has them."""
    if not isinstance(line, BoundedConnection):
        raise TypeError(type(line))
    rows = line.execute(_SHOW, ([_ISOLATION, *LIMITS],)).fetchall()
    found: dict[str, str] = dict(rows)
    return found.pop(_ISOLATION), found
