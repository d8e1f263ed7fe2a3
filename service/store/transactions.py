"""One short transaction: committed at its end, rolled back by whatever is raised."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import CursorResult, text
from sqlalchemy.exc import OperationalError, TimeoutError

from service.errors import Busy
from service.models import db


@contextmanager
def transaction() -> Iterator[None]:
    """Commit what is done inside, or nothing of it.

    Raises Busy for a row or a connection that is not to be had in time.
    """
    try:
        yield
        db.session.commit()
    except (OperationalError, TimeoutError) as error:
        db.session.rollback()
        raise Busy from error
    except BaseException:
        db.session.rollback()
        raise


def execute(statement: str, values: dict[str, object]) -> CursorResult[Any]:
    """Run a statement in the driver's own words, with `%(name)s` for values.

    For the two statements of an answer: it saves what SQLAlchemy does to read and
    compile a statement, which costs as much as the rules themselves.
    """
    return db.session.connection().exec_driver_sql(statement, values)


def isolation() -> str:
    """The isolation level this database session writes at."""
    level: str = db.session.execute(text("SHOW transaction_isolation")).scalar_one()
    return level
