"""A database in which very many games run: real rows, copied inside Postgres.

Whatever was written last is the mould. Each copy has ids, hashes, keys and addresses
of its own, so that its games, people and mails are its own, too; what falls due does so
over the hours to come.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

_UNIQUE = {
    "address",
    "address_key",
    "bucket",
    "digest",
    "key",
    "message_id",
    "principal",
    "token_hash",
}
"""Columns of text or bytes that no two rows share, or that a person is found by."""

_SPREAD = {"due_at", "claim_at", "expiry_at", "expires_at", "deadline"}
"""Moments that lie ahead: a copy's come later."""

_DAILY = ("quota", "mailed_code", "kept_answer")
"""What is erased after a day or a week: of so many games a thirtieth has it."""

_KEPT = ("alembic_version", "budget_total", "clock", "sign_of_life")

_COLUMNS = """SELECT c.table_name, c.column_name, c.data_type, c.udt_name
    FROM information_schema.columns c
    JOIN pg_tables t ON t.tablename = c.table_name AND t.schemaname = c.table_schema
    WHERE c.table_schema = 'public' ORDER BY c.table_name, c.ordinal_position"""

_INDEXES = """SELECT indexrelid::regclass::text,
        pg_get_indexdef(indexrelid)
    FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
    WHERE relnamespace = 'public'::regnamespace
        AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)"""


def moment(database: str) -> int:
    """A number for now, in the database's own counting."""
    with psycopg.connect(database, autocommit=True) as line:
        [(number,)] = line.execute("SELECT pg_current_xact_id()::text::bigint")
    return int(number)


def multiply(database: str, copies: int, since: int = 0) -> None:
    """Add so many copies of all that was written `since` a moment.

    Statistics are as a database keeps them.
    """
    with psycopg.connect(database, autocommit=True) as line:
        # As a replica Postgres checks no foreign key: a copy is as sound as its mould.
        line.execute("SET session_replication_role = replica")
        line.execute("SET statement_timeout = 0")
        line.execute("SET maintenance_work_mem = '512MB'")
        with _without_indexes(line):
            for table, columns in _tables(line).items():
                share = 30 if table in _DAILY else 1
                values = {"copies": copies // share, "since": since}
                line.execute(_copying(table, columns).encode(), values)
        line.execute("VACUUM ANALYZE")


def large(database: str, rows: int) -> frozenset[str]:
    """The tables that have more than so many rows."""
    asked = """SELECT relname FROM pg_class WHERE relkind = 'r' AND reltuples > %s
        AND relnamespace = 'public'::regnamespace"""
    with psycopg.connect(database, autocommit=True) as line:
        return frozenset(table for (table,) in line.execute(asked, (rows,)))


def empty(database: str) -> None:
    """Leave no row of all these behind."""
    with psycopg.connect(database, autocommit=True) as line:
        _truncate(line)


def _truncate(line: psycopg.Connection) -> None:
    tables = ", ".join(f'"{table}"' for table in _tables(line))
    line.execute(f"TRUNCATE {tables}".encode())


def _tables(line: psycopg.Connection) -> dict[str, dict[str, str]]:
    """The types of all columns, by their tables."""
    found: dict[str, dict[str, str]] = {}
    for table, column, kind, base in line.execute(_COLUMNS):
        if table not in _KEPT:
            found.setdefault(table, {})[column] = base if kind == "ARRAY" else kind
    return found


@contextmanager
def _without_indexes(line: psycopg.Connection) -> Iterator[None]:
    """Make indexes when all rows are there: that takes a fraction of the time."""
    indexes = line.execute(_INDEXES).fetchall()
    for name, _ in indexes:
        line.execute(f"DROP INDEX {name}".encode())
    try:
        yield
    except BaseException:
        # Rows that failed may be there twice: none of them stays.
        _truncate(line)
        raise
    finally:
        for _, making in indexes:
            line.execute(making.encode())


def _copying(table: str, columns: dict[str, str]) -> str:
    names = ", ".join(f'"{name}"' for name in columns)
    copied = ", ".join(_copied(name, kind) for name, kind in columns.items())
    return f"""INSERT INTO "{table}" ({names}) SELECT {copied}
        FROM "{table}" t CROSS JOIN generate_series(1, %(copies)s) n
        WHERE t.xmin::text::bigint >= %(since)s"""


def _copied(name: str, kind: str) -> str:
    """What a copy has in a column: its own id for each of the mould's."""
    column = f't."{name}"'
    if kind == "uuid":
        return f"md5({column}::text || '/' || n)::uuid"
    if kind == "_uuid":
        own = "md5(id::text || '/' || n)::uuid"
        copied = f"ARRAY(SELECT {own} FROM unnest({column}) id)"
        return f"CASE WHEN {column} IS NOT NULL THEN {copied} END"
    if name in _UNIQUE:
        return (
            f"sha256({column} || int4send(n))" if kind == "bytea" else f"n || {column}"
        )
    if name in _SPREAD:
        # Twelve hours are half the time that a decision has.
        return f"{column} + mod(n, 43200) * interval '1 second'"
    return column
