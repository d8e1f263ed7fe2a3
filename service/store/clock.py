"""The one source of time: the database's clock, which tests may shift."""

from datetime import datetime, timedelta

from service.store import sql


def now() -> datetime:
    """The time now, aware, UTC."""
    # Postgres's now() is when the transaction began, before it waited for its lock: it
    # would let late answers pass.
    moment: datetime = sql.value("SELECT kingup_now()")
    return moment


def shift(by: timedelta) -> None:
    """Move the clock of every process on this database; for trials, not in earnest."""
    sql.execute("UPDATE clock SET shift = shift + %(by)s", by=by)
