"""The mark of what one viewer gets: known from a game's row, before anything is made.

It is made of nothing but what that viewer sees: number and hash of the record, which
grow with every public event, what else is public of a game and its seats, and for a
seat the latest decision it has answered itself. Neither the log's position nor the
state has a part in it: a card that somebody else has laid changes no mark.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final
from uuid import UUID

import msgspec

from service.api.http import replies
from service.store.games import GameRow
from service.values.enums import GameStatus

_CODE: Final = Path(__file__).parents[3]
_PACKAGES: Final = ("engine", "service")
_WORDING: Final = (".py", ".po")

_encode = msgspec.msgpack.Encoder(enc_hook=replies.text_of).encode
_sorted = msgspec.json.Encoder(enc_hook=replies.text_of, order="sorted").encode


def now(row: GameRow, language: str) -> str:
    """The mark of a game as whoever read its row may see it now."""
    return _mark(
        language,
        row.id,
        row.status,
        row.record,
        row.head,
        row.deadline,
        row.laid,
        row.paused_at,
        row.seats,
        row.own_table_absences,
        row.own_table_proposal,
        row.edition,
        row.options,
        row.started_at is None,
        row.seat,
        row.answered,
        row.beside,
    )


def past(row: GameRow, at: int, language: str) -> str:
    """The mark of a game right after record event `at`, the same for everybody."""
    if settled(row, at):
        return _mark(language, row.id, at)
    # The table is not closed yet: the record knows nothing of it.
    return _mark(language, row.id, at, row.edition, row.options, row.seats)


def turns(
    running: Sequence[UUID], asked: Sequence[object], views: Sequence[str]
) -> str:
    """The mark of what all of one's running games ask, with the marks of views."""
    return _mark(running, asked, views)


def record(row: GameRow, after: int, limit: int) -> str:
    """The mark of so many events behind `after`: no two records share a head."""
    over = row.status == GameStatus.OVER
    return _mark(row.id, row.record, row.head, over, after, limit)


def of(body: object) -> str:
    """The mark of an answer that is made: of all that it says, and nothing else."""
    return hashlib.blake2b(_sorted(body), digest_size=16).hexdigest()


def settled(row: GameRow, at: int) -> bool:
    """Whether a moment of the past stays as it is, and is no table being laid."""
    return row.started_at is not None and at > 1


def _mark(*parts: object) -> str:
    told = _encode((_MAKE, *parts))
    return hashlib.blake2b(told, digest_size=16).hexdigest()


def _make() -> bytes:
    """What makes answers of rows: other code and other words make others.

    Read when the code itself is: a newer version may lie there later.
    """
    found = hashlib.blake2b(digest_size=16)
    for package in _PACKAGES:
        for path in sorted((_CODE / package).rglob("*")):
            if path.suffix in _WORDING:
                found.update(path.read_bytes())
    return found.digest()


_MAKE: Final = _make()
