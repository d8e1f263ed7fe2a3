"""Whole records, on their way out of this database and into it."""

from collections.abc import Sequence
from uuid import UUID

import msgspec

from engine import fairness
from engine.events import LogEvent, Stored, TableClosed
from engine.state import Game, freeze
from service.store import clock, event_log, sql
from service.store.event_log import Entry, Writing
from service.values.enums import GameStatus

_RECORD = """SELECT version, public FROM event
    WHERE game_id = %(game)s AND record IS NOT NULL ORDER BY record"""


class StoredRecord(msgspec.Struct, frozen=True):
    """A record event as it is stored, and the version it was stored with."""

    version: int
    public: bytes


def whole(game_id: UUID) -> tuple[StoredRecord, ...]:
    """The record of a game from its first event on."""
    return sql.structs(StoredRecord, _RECORD, game=game_id)


def keep(game_id: UUID, whole: Sequence[tuple[LogEvent, Stored]], over: Game) -> None:
    """Write the whole log of a game that is over, and the state it ends in.

    The game's row must be there and have no event. All moments are that of writing:
    the record knows of none.
    """
    entries: list[Entry] = []
    head, record, table_head = fairness.chain_start(str(game_id)), 0, None
    for position, (event, row) in enumerate(whole, start=1):
        if row.public is not None:
            record += 1
            head = fairness.chain(head, record, row.public)
        if isinstance(event, TableClosed):
            table_head = head
        entries.append(event_log.entry(position, record, head, event, row))
    event_log.append(
        Writing(
            game_id=game_id,
            now=clock.now(),
            entries=tuple(entries),
            answers=(),
            due=(),
            notices=(),
            asked=None,
            position=len(entries),
            record=record,
            head=head,
            table_head=table_head,
            snapshot=freeze(over),
            status=GameStatus.OVER,
            deadline=None,
            same=False,
            paused=False,
            starts=True,
            ends=True,
        )
    )
