"""Every statement that goes to the database, and what it takes to run it.

The driver is listened to, so that nothing passes by. What is new is explained first, in
a transaction that is rolled back: by the plan that serves every value alike, on the
very rows that are there.
"""

import itertools
import json
import pkgutil
import re
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple
from uuid import UUID

import psycopg
import pytest
from psycopg import sql

from service import store
from service.models.tables import Base
from service.store import sql as store_sql

ROOT = Path(__file__).parents[2]

_VALUE = re.compile(r"%\((\w+)\)s|:(?<!::)(\w+)\b")
_WORD = re.compile(r"\w+")
_TABLES = frozenset(Base.metadata.tables)
_PLACE = re.compile(r"%\((\w+)\)s|%s|%%")
_TYPES = (
    (bool, "boolean"),
    (int, "int"),
    (float, "float"),
    (UUID, "uuid"),
    (bytes, "bytea"),
    (datetime, "timestamptz"),
    (timedelta, "interval"),
)
_VERBS = ("SELECT", "INSERT", "UPDATE", "DELETE", "WITH")
_numbers = itertools.count(1)


class Scan(NamedTuple):
    """What one step of a plan reads: how, from which table, how many rows."""

    kind: str
    table: str
    rows: int


class Explained(NamedTuple):
    """What a statement took: its scans, and the pages of all of them."""

    statement: str
    scans: tuple[Scan, ...]
    pages: int
    seconds: float

    @property
    def most(self) -> Scan:
        """The scan that reads the most rows."""
        return max(self.scans, key=lambda scan: scan.rows, default=Scan("", "", 0))


def spelt(statement: str) -> str:
    """A statement in the one spelling by which it is known, wherever it was seen."""
    return " ".join(_VALUE.sub("?", statement).replace("%%", "%").split())


def of_tables(statement: str) -> bool:
    """Whether a statement reads or writes rows of ours."""
    return not _TABLES.isdisjoint(_WORD.findall(statement))


def of_the_store() -> dict[str, str]:
    """Every statement of the store on tables, as it is spelt, and its name there."""
    found: dict[str, str] = {}
    for module in pkgutil.iter_modules(store.__path__, f"{store.__name__}."):
        room = module.name.rpartition(".")[2]
        for name, value in vars(import_module(module.name)).items():
            for statement in _flat(value):
                if of_tables(spelt(statement)):
                    found.setdefault(spelt(statement), f"{room}.{name}")
    return found


def _flat(value: object) -> Iterator[str]:
    """The statements in what a module keeps under a name."""
    match value:
        case str() if value.split(maxsplit=1)[:1] and value.split()[0] in _VERBS:
            yield value
        case Mapping():
            for each in value.values():
                yield from _flat(each)
        case tuple():
            for each in value:
                yield from _flat(each)
        case _:
            pass


@contextmanager
def heard() -> Iterator[list[str]]:
    """Every statement that goes through the house's door meanwhile."""
    found: list[str] = []
    real = store_sql._on

    def note(pooled: Any, statement: str, *rest: Any) -> Any:
        found.append(statement)
        return real(pooled, statement, *rest)

    with pytest.MonkeyPatch.context() as hearing:
        hearing.setattr(store_sql, "_on", note)
        yield found


@contextmanager
def explained(
    monkeypatch: pytest.MonkeyPatch, *, often: int = 3, scanning: bool = True
) -> Iterator[list[Explained]]:
    """Explain each statement that the house runs inside, the first times `often`.

    Without `scanning` the planner reads a whole table only where it has no other way:
    a small one then shows what a large one would.
    """
    found: list[Explained] = []
    times: dict[str, int] = {}
    real = psycopg.Cursor.execute
    explaining = threading.local()

    def execute(
        cursor: Any, query: Any, params: Any = None, **options: Any
    ) -> psycopg.Cursor:
        if not getattr(explaining, "now", False) and _is_ours():
            explaining.now = True
            hear(cursor.connection, query, params or {})
            explaining.now = False
        return real(cursor, query, params, **options)

    def hear(line: psycopg.Connection, query: Any, values: Any) -> None:
        said = query if isinstance(query, str) else query.decode()
        times[spelt(said)] = times.get(spelt(said), 0) + 1
        if times[spelt(said)] <= often:
            found.append(_explain(line, said, values, scanning))

    with monkeypatch.context() as hearing:
        hearing.setattr(psycopg.Cursor, "execute", execute)
        yield found


def _is_ours() -> bool:
    """Whether the house itself runs a statement, and no test beside it."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        place = Path(frame.f_code.co_filename)
        if place.is_relative_to(ROOT) and ".venv" not in place.parts:
            return place.relative_to(ROOT).parts[0] != "tests"
        frame = frame.f_back
    return False


def _explain(
    line: psycopg.Connection, said: str, values: Any, scanning: bool
) -> Explained:
    """What a statement would take now; nothing of it stays."""
    nothing = Explained(spelt(said), (), 0, 0.0)
    if said.split()[0] not in _VERBS:
        return nothing
    name = f"explained_{next(_numbers)}"
    try:
        with line.transaction(force_rollback=True):
            line.execute("SET LOCAL plan_cache_mode = force_generic_plan")
            line.execute("SET LOCAL statement_timeout = 60000")
            if not scanning:
                line.execute("SET LOCAL enable_seqscan = off")
            return _plan(line, name, said, values)
    except psycopg.IntegrityError:
        # It is refused, and so it will be when it is run.
        return nothing


def _plan(line: psycopg.Connection, name: str, said: str, values: Any) -> Explained:
    numbered, given = _numbered(said, values)
    types = ", ".join(_type(value) for value in given)
    line.execute(
        f"PREPARE {name}{f' ({types})' if types else ''} AS {numbered}".encode()
    )
    literals = sql.SQL(", ").join(sql.Literal(value) for value in given)
    asked = sql.SQL("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE {}{}").format(
        sql.Identifier(name),
        sql.SQL("({})").format(literals) if given else sql.SQL(""),
    )
    [(printed,)] = line.execute(asked).fetchall()
    [plan] = printed if isinstance(printed, list) else json.loads(printed)
    top = plan["Plan"]
    pages = top.get("Shared Hit Blocks", 0) + top.get("Shared Read Blocks", 0)
    seconds = plan["Execution Time"] / 1000
    return Explained(spelt(said), tuple(_scans(top)), pages, seconds)


def _numbered(said: str, values: Any) -> tuple[str, list[Any]]:
    """A statement with numbers for its values, and these in their order."""
    names: list[str] = []
    given: list[Any] = [] if isinstance(values, Mapping) else list(values)
    places = itertools.count(1)

    def number(place: re.Match[str]) -> str:
        if place[0] == "%%":
            return "%"
        if place[0] == "%s":
            return f"${next(places)}"
        if place[1] not in names:
            names.append(place[1])
        return f"${names.index(place[1]) + 1}"

    numbered = _PLACE.sub(number, said) if values else said
    return numbered, given or [values[name] for name in names]


def _type(value: Any) -> str:
    """The type that the driver tells of a value, if it tells one."""
    if isinstance(value, int) and value.bit_length() > 31:
        return "bigint"
    if isinstance(value, list) and value:
        inner = _type(value[0])
        return inner if inner == "unknown" else f"{inner}[]"
    return next((name for kind, name in _TYPES if isinstance(value, kind)), "unknown")


def _scans(node: dict[str, Any]) -> Iterator[Scan]:
    """Each step that reads a table or an index, with the rows it looked at."""
    loops = node.get("Actual Loops", 0)
    table = node.get("Relation Name") or node.get("Index Name")
    if "Scan" in node["Node Type"] and table is not None:
        each = sum(
            node.get(name, 0)
            for name in (
                "Actual Rows",
                "Rows Removed by Filter",
                "Rows Removed by Index Recheck",
            )
        )
        yield Scan(node["Node Type"], table, round(each * loops))
    for inner in node.get("Plans", ()):
        yield from _scans(inner)
