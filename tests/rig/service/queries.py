"""What a test reads and writes in the app's database itself."""

import re
from collections.abc import Mapping

from service.store import pool, transactions
from service.store.transactions import transaction

_VALUE = re.compile(r"(?<![:\w]):([a-z_]\w*)")


def run(statement: str, values: Mapping[str, object] | None = None) -> list[tuple]:
    """The rows of a statement on the app's database; committed, or with what is open.

    Values stand as `:name`. The database gives rows in any order, and in another one as
    soon as something is written meanwhile: where the statement names none they are
    sorted.
    """
    with transaction():
        opened = transactions.current()
        assert opened is not None
        cursor = pool.driver(opened.connection()).cursor()
        # Past the house's own door: it is no statement of the house.
        if values:
            cursor.execute(_named(statement).encode(), values)
        else:
            cursor.execute(statement.encode())
        rows = [] if cursor.description is None else cursor.fetchall()
    return rows if "ORDER BY" in statement else sorted(rows, key=repr)


def loop_over_rows() -> None:
    """Have what follows in a transaction planned as for few rows: each by itself."""
    for other in ("hashjoin", "mergejoin", "hashagg", "sort", "material"):
        run(f"SET LOCAL enable_{other} = off")


def _named(statement: str) -> str:
    if "%(" in statement:
        return statement
    return _VALUE.sub(r"%(\1)s", statement.replace("%", "%%"))
