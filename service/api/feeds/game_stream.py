"""A game's stream: batches of record events, each with a view behind it.

Seats hear besides that something was said, and read what it was themselves.
"""

import re
from collections.abc import Sequence
from enum import StrEnum
from functools import partial
from typing import Annotated, Final, TypeAlias
from uuid import UUID

import msgspec
from msgspec import Meta

from service.api.feeds import record, waiting
from service.api.feeds.record import RecordEntryReply
from service.api.feeds.waiting import GameSeen
from service.api.http import etags, replies
from service.api.replies import game_view
from service.api.replies.view_reply import ViewReply
from service.live import sse
from service.live.sse import Batch
from service.live.subscriptions import News
from service.present import languages
from service.store.games import GameRow
from service.values.enums import GameStatus
from service.values.principals import Bearer

MOST_BEHIND: Final = 500
"""How many record events a stream makes up for."""

_NUMBER: Final = re.compile("[0-9]{1,10}", re.ASCII)


class ResetReason(StrEnum):
    """Why the record can't go on: the id is none of its, or too many events ago."""

    UNKNOWN = "unknown"
    TOO_OLD = "too-old"


class ResetReply(msgspec.Struct, frozen=True):
    """Why a stream begins anew instead of going on."""

    reason: ResetReason


class StreamViewReply(msgspec.Struct, frozen=True, tag_field="event", tag="view"):
    """What you may see now; its `id`, at the beginning, is the `revision`."""

    data: ViewReply


class StreamEntryReply(msgspec.Struct, frozen=True, tag_field="event", tag="entry"):
    """An event of the record; its number is the `id`."""

    id: int
    data: RecordEntryReply


class StreamResetReply(msgspec.Struct, frozen=True, tag_field="event", tag="reset"):
    """The record can't go on from `Last-Event-ID`: a view follows, and then it does."""

    data: ResetReply


class TalkReply(msgspec.Struct, frozen=True):
    """How far the talk at a table has come."""

    newest: Annotated[int, Meta(description="The `id` of what was said last.")]


class StreamTalkReply(msgspec.Struct, frozen=True, tag_field="event", tag="message"):
    """Something was said: for seats alone, and without an `id`.

    It is no part of the record. Read it with `GET …/messages`, from the last one on
    that you have.
    """

    data: TalkReply


StreamMessage: TypeAlias = (
    StreamViewReply | StreamEntryReply | StreamResetReply | StreamTalkReply
)


class GameBatch(Batch, frozen=True, kw_only=True):
    """What is sent of a game at once; `record` is how far that leads.

    `view_mark` is that of the view by then, and `newest_message` how far the talk had
    come, 0 for whoever has no seat.
    """

    record: int
    view_mark: str
    newest_message: int


class Viewer(msgspec.Struct, frozen=True):
    """Who watches a game, and in which language; `proof` is None without a token."""

    game_id: UUID
    proof: Bearer | None
    language: str


def beginning(row: GameRow, last: str | None) -> GameBatch:
    """What comes first, for somebody whose last message had the id `last`.

    Without one it is a view. A number that the record doesn't reach, or one too far
    behind, makes a reset, and then a view; any other is where the record goes on.
    """
    seen = GameSeen(row)
    if not last:
        messages = _anew(seen)
    elif not _NUMBER.fullmatch(last) or int(last) > row.record:
        messages = _anew(seen, ResetReason.UNKNOWN)
    else:
        messages = _onward(seen, int(last))
    return _batch(row, messages)


def after(viewer: Viewer, before: GameBatch, news: Sequence[News]) -> GameBatch:
    """What is new since a batch. Raises what `waiting.game` raises, and UnreadableLog.

    Whoever gets the same messages shares them: a mark says all that a view is made of.
    """
    # The request that chose the language is over by now.
    with languages.speaking(viewer.language):
        seen = waiting.game(viewer.game_id, viewer.proof, news)
        messages = _talk(seen.row, before.newest_message)
        mark = _view_mark(seen.row)
        if mark != before.view_mark:
            render = partial(_onward, seen, before.record)
            messages = (*seen.once((before.record, mark), render), *messages)
        return _batch(seen.row, messages) if messages else before


def _batch(row: GameRow, messages: tuple[bytes, ...]) -> GameBatch:
    view_mark, newest = _view_mark(row), _newest_message(row)
    return GameBatch(
        mark=f"{view_mark}/{newest}",
        messages=messages,
        over=row.status == GameStatus.OVER,
        record=row.record,
        view_mark=view_mark,
        newest_message=newest,
    )


def _newest_message(row: GameRow) -> int:
    """What its reader may know of the talk: without a seat not even that there is."""
    return 0 if row.seat is None else row.newest_message


def _talk(row: GameRow, known: int) -> tuple[bytes, ...]:
    """That something was said which the reader may read, behind what they know of."""
    newest = _newest_message(row)
    if newest <= known:
        return ()
    return (sse.message("message", replies.encode(TalkReply(newest))),)


def _onward(seen: GameSeen, behind: int) -> tuple[bytes, ...]:
    """The record from an event on, and what there is to see behind it."""
    if seen.row.record - behind > MOST_BEHIND:
        return _anew(seen, ResetReason.TOO_OLD)
    records = (
        sse.message("entry", replies.encode(record.rendered(each)), each.record)
        for each in record.behind(seen, behind, MOST_BEHIND)
    )
    return (*records, sse.message("view", _view(seen)))


def _anew(seen: GameSeen, reason: ResetReason | None = None) -> tuple[bytes, ...]:
    """A view to go on from: its id is where the record goes on."""
    view = sse.message("view", _view(seen), seen.row.record)
    if reason is None:
        return (view,)
    return (sse.message("reset", replies.encode(ResetReply(reason))), view)


def _view_mark(row: GameRow) -> str:
    """The mark of what the viewer sees: the one that GET …/view would give it."""
    return etags.now(row, languages.language())


def _view(seen: GameSeen) -> bytes:
    return replies.encode(game_view.now(seen.model()))
