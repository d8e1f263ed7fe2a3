"""The record up to the end of a round, read once for all who tell of that round."""

import functools
from typing import Final
from uuid import UUID

from engine.events import Record, RoundScored, read_record
from service.store import event_log

_CACHED: Final = 32
"""How many rounds are remembered: the mails of an end all tell of the same."""

_ALL: Final = 2**31 - 1


@functools.lru_cache(maxsize=_CACHED)
def until_end_of(game_id: UUID, number: int) -> tuple[Record, ...]:
    """All record events of a game up to the end of a round, which is over."""
    rows = event_log.record_after(game_id, 0, _ALL)
    events = tuple(read_record(each.public, each.version) for each in rows)
    ends = enumerate(events, start=1)
    return events[: next(at for at, event in ends if _is_end(event, number))]


def _is_end(event: Record, number: int) -> bool:
    return isinstance(event, RoundScored) and event.round == number
