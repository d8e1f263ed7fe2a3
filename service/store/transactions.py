"""One short transaction: committed at its end, rolled back by whatever is raised."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg import Connection, Cursor
from psycopg.rows import namedtuple_row
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, OperationalError, TimeoutError

from service.models import db
from service.store import commit_guard
from service.values.errors import Busy

_OPEN = "kingup_after_commit"


@contextmanager
def transaction() -> Iterator[None]:
    """Commit what is done inside, or nothing of it.

    Inside another one it is a part of that: the outermost commits, or rolls back, all.
    Raises Busy for a row or a connection that is not to be had in time, and for a
    database that doesn't answer; then it may be committed all the same.
    """
    session = db.session()
    # A creating request with an Idempotency-Key opens one around all that it does: its
    # key, the stored answer and what was made are there together or not at all.
    if _OPEN in session.info:
        yield
        return
    after: list[Callable[[], None]] = []
    session.info[_OPEN] = after
    try:
        yield
        commit_guard.commit(session)
    except (OperationalError, TimeoutError) as error:
        session.rollback()
        raise Busy from error
    except BaseException:
        session.rollback()
        raise
    finally:
        del session.info[_OPEN]
    for act in after:
        act()


def after_commit(act: Callable[[], None]) -> None:
    """Act once the open transaction is committed, never if it isn't; else at once."""
    after: list[Callable[[], None]] | None = db.session().info.get(_OPEN)
    if after is None:
        act()
    else:
        after.append(act)


def end_session(_error: BaseException | None = None) -> None:
    """Let go of what was read; a connection that broke meanwhile is thrown away.

    Runs when a request or task is over: by then an error would cut off the answer.
    """
    if not db.session.registry.has():
        return
    try:
        db.session.rollback()
    except DBAPIError:
        db.session().invalidate()


def execute(statement: str, values: Mapping[str, object]) -> Cursor[Any]:
    """Run a statement on the session's own connection, past SQLAlchemy.

    For the statements of an answer, of a reading and of a mail, which run all the time:
    half of their cost was SQLAlchemy's reading of statement and result. Values stand as
    `%(name)s`; rows come as named tuples; errors are raised as SQLAlchemy's, and a
    broken connection leaves the pool, as ever.
    """
    connection = db.session.connection()
    driver = connection.connection.driver_connection
    if not isinstance(driver, Connection):
        raise TypeError(type(driver))
    cursor = driver.cursor(row_factory=namedtuple_row)
    try:
        return cursor.execute(statement, values)
    except psycopg.Error as error:
        if driver.closed:
            connection.invalidate(error)
        raise DBAPIError.instance(
            statement,
            None,
            error,
            psycopg.Error,
            hide_parameters=True,
            connection_invalidated=driver.closed,
        ) from error


def isolation() -> str:
    """The isolation level this database session writes at."""
    level: str = db.session.execute(text("SHOW transaction_isolation")).scalar_one()
    return level
