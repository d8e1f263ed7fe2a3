"""The record as it grows: read behind an event, and rendered event by event."""

from functools import partial

import msgspec

from service.api.feeds.waiting import GameSeen
from service.store import event_log
from service.store.event_log import Recorded


class RecordEvent(msgspec.Struct, frozen=True):
    """A record event with its stored bytes as they are: they are JSON, and chained."""

    record: int
    head: str
    event: msgspec.Raw


def behind(seen: GameSeen, after: int, most: int) -> tuple[Recorded, ...]:
    """At most so many events behind `after`, as far as a game was read."""
    game = seen.row
    if after == game.record:
        return ()
    read = partial(event_log.record_after, game.id, after, most)
    found = seen.once(("record", after, most), read)
    # What has come since the game was read is for the next time.
    return tuple(each for each in found if each.record <= game.record)


def rendered(each: Recorded) -> RecordEvent:
    """A record event as programs get it."""
    return RecordEvent(each.record, each.link.hex(), msgspec.Raw(each.public))
