"""The one source of time: the database's clock, which tests may shift."""

from datetime import datetime, timedelta

from sqlalchemy import text

from service.models import db


def now() -> datetime:
    """The time now, aware, UTC."""
    # Postgres's now() is when the transaction began, before it waited for its lock: it
    # would let late answers pass.
    moment: datetime = db.session.execute(text("SELECT kingup_now()")).scalar_one()
    return moment


def shift(by: timedelta) -> None:
    """Move the clock of every process on this database; for trials, not in earnest."""
    db.session.execute(text("UPDATE clock SET shift = shift + :by"), {"by": by})
    db.session.commit()
