# ruff: noqa: D102
"""The session of old, for the files that aren't converted yet: all runs by the door."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from psycopg import Cursor
from psycopg.errors import DataError
from psycopg.rows import namedtuple_row
from sqlalchemy import TextClause

from service.models import db
from service.store import sql

_VALUE = re.compile(r"(?<![:\w]):([a-z_]\w*)")


class Found:
    """What a statement has found."""

    def __init__(self, rows: list[Any]) -> None:
        self._rows = rows

    def __iter__(self) -> Iterator[Any]:
        return iter(self._rows)

    def all(self) -> list[Any]:
        return self._rows

    def first(self) -> Any | None:
        return self._rows[0] if self._rows else None

    def one(self) -> Any:
        (row,) = self._rows
        return row

    def scalars(self) -> "Found":
        return Found([row[0] for row in self._rows])

    def scalar_one(self) -> Any:
        return self.one()[0]

    def scalar(self) -> Any:
        return self._rows[0][0] if self._rows else None

    fetchall, fetchone, one_or_none = all, first, first
    scalar_one_or_none = scalar


class Session:
    """What takes the place of SQLAlchemy's."""

    def execute(
        self, statement: TextClause, values: Mapping[str, object] | None = None
    ) -> Found:
        asked = _VALUE.sub(r"%(\1)s", statement.text.replace("%", "%%"))
        return execute(asked, values or {})

    def commit(self) -> None:
        pass

    rollback = remove = commit


def execute(statement: str, values: Mapping[str, object]) -> Found:
    """What `transactions.execute` was."""
    return Found(sql._run(statement, values, _fetch))


def _fetch(cursor: Cursor[tuple[Any, ...]]) -> list[Any]:
    if cursor.description is None:
        return []
    try:
        name = namedtuple_row(cursor)
    except DataError:
        return cursor.fetchall()
    return [name(columns) for columns in cursor.fetchall()]


def install() -> None:
    """Let statements of the session go by the door."""
    db.session = Session()  # type: ignore[assignment]  # a while
