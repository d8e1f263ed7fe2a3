"""Tables that tests begin with, started once and then put back row by row.

A start takes eighty statements. What it has written into an empty database stands there
again in a later test, as long after the test's beginning as it had taken.
"""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from service.api.replies import conditional
from service.models.tables import Base
from service.values import entropy
from tests.rig.service.rows import run

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

_IS_NEW = "SELECT {} AND kingup_now() - :moment BETWEEN '-2 s' AND '2 s'".format(
    " AND ".join(f'NOT EXISTS (SELECT FROM "{t}")' for t in _TABLES)
)


class _Kept(NamedTuple):
    game_id: UUID
    moment: datetime
    rows: str


class _Wish(NamedTuple):
    times: int
    start: Callable[[], UUID]


_kept: dict[str, _Kept] = {}
_wished: dict[str, _Wish] = {}


def put_back(name: str, start: Callable[[], UUID]) -> UUID | None:
    """The table of that name, if it is kept and nothing has happened in this test yet.

    Else it is kept before the next test, if it is asked for a second time.
    """
    if name not in _kept:
        _wished[name] = _Wish(_wished[name].times + 1 if name in _wished else 1, start)
        return None
    kept = _kept[name]
    [(is_new,)] = run(_IS_NEW, {"moment": kept.moment})
    if not is_new:
        return None
    run(_PUT, {"rows": kept.rows, "moment": kept.moment})
    # A past view is known by game and event alone. Here one game goes on in many ways.
    conditional._texts = conditional.Texts()
    return kept.game_id


def keep_wished(wipe: Callable[[], None]) -> None:
    """Start what tests have asked for, in an empty database, which it is afterwards.

    Not within such a test: who knows what that has put in another's place.
    """
    for name, wish in list(_wished.items()):
        if wish.times > 1:
            with _chance_of(name):
                game_id = wish.start()
            [(moment, rows)] = run(_TAKE)
            _kept[name] = _Kept(game_id, moment, rows)
            del _wished[name]
            wipe()


@contextmanager
def _chance_of(name: str) -> Iterator[None]:
    """The same deal whichever test asked first."""
    source, entropy.source = entropy.source, random.Random(name).randbytes
    try:
        yield
    finally:
        entropy.source = source
