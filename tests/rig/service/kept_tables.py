"""Tables that tests begin with: asked for twice they are kept, and put back row by row.

A start takes eighty statements. What it has written into an empty database stands there
again in a later test, no earlier by the clock than it was done.
"""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from flask import current_app

from service import config
from service.api.replies import conditional
from service.config import Config
from service.models.tables import Base
from service.store import past_rounds
from service.values import entropy
from tests.rig.service.queries import run

_TABLES: Final = tuple(name for name in Base.metadata.tables if name != "clock")

_ROWS = "'{0}', (SELECT coalesce(json_agg(r), '[]') FROM \"{0}\" r)"

_TAKE = "SELECT kingup_now(), json_build_object({})::text".format(
    ", ".join(_ROWS.format(table) for table in _TABLES)
)

# Keys of other tables are looked for at the end of the statement.
_PUT = "WITH {} UPDATE clock SET shift = shift + greatest('0', {})".format(
    ", ".join(
        f'"put_{t}" AS (INSERT INTO "{t}" SELECT r.* FROM'
        f" json_populate_recordset(NULL::\"{t}\", CAST(:rows AS json)->'{t}') r)"
        for t in _TABLES
    ),
    "CAST(:moment AS timestamptz) - kingup_now()",
)

# A test that sets the clock forward before it starts a table means it.
_IS_NEW = "SELECT {} AND kingup_now() - {} < interval '9 hours 1 minute'".format(
    " AND ".join(f'NOT EXISTS (SELECT FROM "{t}")' for t in _TABLES),
    "(date_trunc('week', kingup_now(), 'UTC') + interval '2 days')",
)


class _Kept(NamedTuple):
    game_id: UUID
    moment: datetime
    rows: str


class Everything(NamedTuple):
    """All rows of a database, and when they were taken."""

    moment: datetime
    rows: str


def take() -> Everything:
    """Every row there is, to be put back."""
    [(moment, rows)] = run(_TAKE)
    return Everything(moment, rows)


def put_back(taken: Everything) -> None:
    """Have just those rows in an empty database, at no earlier a moment."""
    run(_PUT, {"rows": taken.rows, "moment": taken.moment})


_kept: dict[str, _Kept] = {}
_asked: dict[str, list[Callable[[], UUID]]] = {}
_settings: list[Config] = []
"""With which settings tables are kept: the app's own."""


def started(name: str, start: Callable[[], UUID]) -> UUID:
    """The table of that name, put back if it is kept and nothing has happened yet.

    It has the same deal whenever it is the first thing in a test. Put back it hints at
    no task and tells no news: a test of those starts its table with a wish of its own.
    """
    if config.of(current_app) not in _settings or not run(_IS_NEW)[0][0]:
        return start()
    kept = _kept.get(name)
    if kept is None:
        with chance_of(name):
            game_id = start()
        _asked.setdefault(name, []).append(start)
        return game_id
    run(_PUT, {"rows": kept.rows, "moment": kept.moment})
    return kept.game_id


def keep_asked(wipe: Callable[[], None]) -> None:
    """Start and keep what was asked for twice, in a database that is empty afterwards.

    In a context of the tests' app, before a test begins: what a test has put in
    another's place is gone by then.
    """
    _settings[:] = [config.of(current_app)]
    # A past view is known by game and event alone, a round that is over by its number.
    # Here one game goes on in many ways.
    conditional._texts = conditional.Texts()
    past_rounds.until_end_of.cache_clear()
    for name in [name for name, starts in _asked.items() if len(starts) > 1]:
        start, *_others = _asked.pop(name)
        with chance_of(name):
            game_id = start()
        _kept[name] = _Kept(game_id, *take())
        wipe()


@contextmanager
def chance_of(name: str) -> Iterator[None]:
    """Let a table have the same deal whichever test asks for it."""
    source, entropy.source = entropy.source, random.Random(name).randbytes
    try:
        yield
    finally:
        entropy.source = source
