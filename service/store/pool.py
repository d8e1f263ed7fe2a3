"""The engine's pool: connections that are used again, and their errors."""

from typing import Any, Final

import psycopg
from psycopg import Connection, Cursor
from psycopg.pq import TransactionStatus
from psycopg.rows import tuple_row
from sqlalchemy import PoolProxiedConnection
from sqlalchemy.exc import DBAPIError, StatementError

from service.models.base import db

_CURSOR: Final = "kingup_cursor"


def take() -> PoolProxiedConnection:
    """One that the server hasn't ended, as far as can be seen from here.

    Raises what SQLAlchemy does: its TimeoutError where none gets free.
    """
    while True:
        try:
            pooled = db.engine.raw_connection()
        except psycopg.Error as error:
            raise wrapped(error, closed=True) from error
        if not _is_ended(driver(pooled)):
            return pooled
        pooled.invalidate()


def _is_ended(line: Connection) -> bool:
    """Whether there is an end to read behind what was said last, if anything was."""
    try:
        line.pgconn.consume_input()
        line.pgconn.consume_input()
    except psycopg.OperationalError:
        return True
    return False


def give_back(pooled: PoolProxiedConnection) -> None:
    """Let go of one, and undo what isn't committed; where that fails it is closed."""
    line = driver(pooled)
    try:
        if line.pgconn.transaction_status != TransactionStatus.IDLE:
            line.rollback()
        if line.autocommit:
            line.autocommit = False
    except psycopg.Error as error:
        pooled.invalidate(error)
    finally:
        pooled.close()


def driver(pooled: PoolProxiedConnection) -> Connection:
    """The driver's own connection, past SQLAlchemy.

    Half of a statement's cost was SQLAlchemy's reading of it and of its result.
    """
    line = pooled.driver_connection
    if not isinstance(line, Connection):
        raise TypeError(type(line))
    return line


def cursor(pooled: PoolProxiedConnection) -> Cursor[tuple[Any, ...]]:
    """The cursor that a connection keeps for life.

    A new one would have to find out anew how each of the columns is read.
    """
    known: Cursor[tuple[Any, ...]] | None = pooled.info.get(_CURSOR)
    if known is None:
        known = pooled.info[_CURSOR] = driver(pooled).cursor(row_factory=tuple_row)
    return known


def wrapped(
    error: psycopg.Error, statement: str | None = None, *, closed: bool
) -> StatementError:
    """An error of the driver as SQLAlchemy's, without the values of the statement.

    `closed` tells that the connection is gone.
    """
    return DBAPIError.instance(
        statement,
        None,
        error,
        psycopg.Error,
        hide_parameters=True,
        connection_invalidated=closed,
    )
