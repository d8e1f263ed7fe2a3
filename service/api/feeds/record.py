"""The record as it grows: read behind an event, and rendered event by event."""

from functools import partial
from typing import Annotated

import msgspec
from msgspec import Meta

from service.api.feeds.waiting import GameSeen
from service.api.http.replies import StoredEvent
from service.store import event_log
from service.store.event_log import Recorded


class RecordedReply(msgspec.Struct, frozen=True):
    """A record event.

    `event` is told as it is stored: serialised with sorted keys, without spaces and in
    ASCII it gives the bytes that `head` chains.
    """

    record: int
    head: Annotated[str, Meta(description="The head after it (64 hex).")]
    event: StoredEvent


def behind(seen: GameSeen, after: int, most: int) -> tuple[Recorded, ...]:
    """At most so many events behind `after`, as far as a game was read."""
    game = seen.row
    if after == game.record:
        return ()
    read = partial(event_log.record_after, game.id, after, most)
    found = seen.once(("record", after, most), read)
    # What has come since the game was read is for the next time.
    return tuple(each for each in found if each.record <= game.record)


def rendered(each: Recorded) -> RecordedReply:
    """A record event as programs get it."""
    return RecordedReply(each.record, each.link.hex(), msgspec.Raw(each.public))
