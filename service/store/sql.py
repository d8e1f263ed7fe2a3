"""The one door to the database: every statement on tables runs through it.

Values stand as `%(name)s`, and a percent sign is doubled. Inside an open transaction a
statement is a part of that. Outside it runs alone and is committed at once, which costs
one way to the database and back where a transaction costs three: that is for reading.
Errors are SQLAlchemy's, and a connection that broke leaves the pool.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import psycopg
from psycopg import Cursor
from psycopg.rows import namedtuple_row
from sqlalchemy import PoolProxiedConnection

from service.store import pool, transactions

_T = TypeVar("_T")


def rows(statement: str, /, **values: object) -> list[Any]:
    """Every row, as a named tuple."""
    return _run(statement, values, _named)


def row(statement: str, /, **values: object) -> Any | None:
    """The first row, as a named tuple; None where there is none."""
    found = _run(statement, values, _named)
    return found[0] if found else None


def structs(
    kind: Callable[..., _T], statement: str, /, **values: object
) -> tuple[_T, ...]:
    """What a struct is of each row; columns come in the order of its fields."""
    return tuple(kind(*columns) for columns in _run(statement, values, Cursor.fetchall))


def struct(kind: Callable[..., _T], statement: str, /, **values: object) -> _T | None:
    """The same of the first row; None where there is none."""
    columns = _run(statement, values, Cursor.fetchone)
    return None if columns is None else kind(*columns)


def values(statement: str, /, **values: object) -> list[Any]:
    """The first column of every row."""
    return [columns[0] for columns in _run(statement, values, Cursor.fetchall)]


def value(statement: str, /, **values: object) -> Any:
    """The first column of the first row; None where there is none."""
    columns = _run(statement, values, Cursor.fetchone)
    return None if columns is None else columns[0]


def execute(statement: str, /, **values: object) -> int:
    """How many rows a statement changed, or found."""
    return _run(statement, values, _count)


def _count(cursor: Cursor[tuple[Any, ...]]) -> int:
    return cursor.rowcount


def _named(cursor: Cursor[tuple[Any, ...]]) -> list[Any]:
    name = namedtuple_row(cursor)
    return [name(columns) for columns in cursor.fetchall()]


def _run(
    statement: str,
    values: Mapping[str, object],
    fetch: Callable[[Cursor[tuple[Any, ...]]], _T],
) -> _T:
    opened = transactions.current()
    if opened is not None:
        return _on(opened.connection(), statement, values, fetch)
    pooled = pool.take()
    try:
        pool.driver(pooled).autocommit = True
        return _on(pooled, statement, values, fetch)
    finally:
        pool.give_back(pooled)


def _on(
    pooled: PoolProxiedConnection,
    statement: str,
    values: Mapping[str, object],
    fetch: Callable[[Cursor[tuple[Any, ...]]], _T],
) -> _T:
    cursor = pool.cursor(pooled)
    try:
        return fetch(cursor.execute(statement, values, binary=True))
    except psycopg.Error as error:
        closed = cursor.connection.closed
        raise pool.wrapped(error, statement, closed=closed) from error
