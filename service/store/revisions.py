"""How new a database's tables are: what it says of itself, against our migrations."""

from functools import cache
from pathlib import Path
from typing import Final

import psycopg

from service.store import connections

MIGRATIONS: Final = Path(__file__).parents[1] / "migrations"

READ: Final = "SELECT version_num FROM alembic_version"


def is_behind(version: str) -> bool:
    """Whether it is one of our migrations, but not the newest; newer code has more."""
    known, head = _revisions(MIGRATIONS)
    return version in known and version != head


def is_newest(database_url: str) -> bool:
    """Whether a database has all our migrations and no other; not if it can't tell."""
    try:
        with connections.connect(database_url, autocommit=True) as connection:
            found = connection.execute(READ).fetchone()
    except psycopg.Error:
        return False
    return found is not None and found[0] == _revisions(MIGRATIONS)[1]


@cache
def _revisions(folder: Path) -> tuple[frozenset[str], str | None]:
    """The migrations of a folder by the numbers of their files, and the newest.

    Read once, and without Alembic, which takes a tenth of each start to load.
    """
    files = (folder / "versions").glob("[0-9]*_*.py")
    known = frozenset(file.name.partition("_")[0] for file in files)
    return known, max(known, default=None)
