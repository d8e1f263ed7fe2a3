"""The record as it grows: read behind an event, and rendered event by event."""

from collections.abc import Sequence
from functools import partial
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from service.api.feeds.waiting import GameSeen
from service.api.http import etags, replies
from service.api.http.replies import Head, Revision, StoredEvent
from service.store import event_log
from service.store.event_log import Recorded
from service.store.games import GameRow, head_of
from service.values.conflicts import BeyondTheRecord
from service.values.enums import GameStatus


class RecordEntryReply(msgspec.Struct, frozen=True):
    """An event of the record, with its number.

    `event` is told as it is stored: serialised with sorted keys, without spaces and in
    ASCII it gives the bytes that `head` chains.
    """

    revision: Annotated[int, Meta(description="Its number in the record.")]
    head: Head
    event: StoredEvent


class EventsReply(msgspec.Struct, frozen=True):
    """A part of the record, in order; `Link` leads on when there is more."""

    game: UUID
    revision: Revision
    head: Head
    events: Sequence[RecordEntryReply]
    over: Annotated[
        bool,
        Meta(description="Whether the game is over: nothing comes after `head`."),
    ]


class RecordPage(msgspec.Struct, frozen=True):
    """A game as it was read, and its record behind a number, at most up to there.

    `more` tells that there are further events.
    """

    game: GameRow
    events: tuple[Recorded, ...]
    more: bool
    mark: str

    @property
    def is_over(self) -> bool:
        """Whether no event will ever come."""
        return self.game.status == GameStatus.OVER

    def body(self) -> bytes:
        """The page as JSON. Raises UnreadableLog."""
        # One that only a newer process can read is refused here as everywhere.
        self.game.game()
        return replies.encode(
            EventsReply(
                game=self.game.id,
                revision=self.game.record,
                head=head_of(self.game.record, self.game.head),
                events=[rendered(each) for each in self.events],
                over=self.is_over,
            )
        )


def page(seen: GameSeen, after: int, limit: int) -> RecordPage:
    """A part of the record. Raises BeyondTheRecord."""
    game = seen.row
    if after > game.record:
        head = head_of(game.record, game.head)
        raise BeyondTheRecord(revision=game.record, head=head)
    found = behind(seen, after, limit + 1)
    mark = etags.record(game, after, limit)
    return RecordPage(game, found[:limit], len(found) > limit, mark)


def behind(seen: GameSeen, after: int, most: int) -> tuple[Recorded, ...]:
    """At most so many events behind `after`, as far as a game was read."""
    game = seen.row
    if after == game.record:
        return ()
    read = partial(event_log.record_after, game.id, after, most)
    found = seen.once(("record", after, most), read)
    # What has come since the game was read is for the next time.
    return tuple(each for each in found if each.record <= game.record)


def rendered(each: Recorded) -> RecordEntryReply:
    """A record event as programs get it."""
    head = head_of(each.record, each.link)
    return RecordEntryReply(each.record, head, msgspec.Raw(each.public))
