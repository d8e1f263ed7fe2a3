"""The messages of one stream: batches of record events, each with a view behind it."""

import re
from collections.abc import Iterator
from typing import Final
from uuid import UUID

import flask_babel
import msgspec
from flask import Flask
from sqlalchemy.exc import SQLAlchemyError

from engine.errors import UnreadableLog
from service import live
from service.api.http import access, etags
from service.api.replies import game_view, view_json
from service.api.resources import events
from service.live import sse
from service.live.client_socket import ClientSocket
from service.live.subscriptions import Subscription
from service.present import languages
from service.store import event_log
from service.store.games import GameRow
from service.values.enums import GameStatus
from service.values.principals import Bearer

MOST_BEHIND: Final = 500
"""How many record events a stream makes up for."""

HEARTBEAT_SECONDS: Final = 15.0
"""The longest that a stream says nothing, and that a revoked token is believed."""

_SPREAD_SECONDS: Final = 4.0
_SPREAD: Final = 16
_SLOWEST_SECONDS: Final = 30.0
_AGAIN_SECONDS: Final = 2.0

_NUMBER: Final = re.compile("[0-9]{1,10}", re.ASCII)


class Viewer(msgspec.Struct, frozen=True):
    """Who watches a game, and in which language; `proof` is None without a token."""

    game_id: UUID
    proof: Bearer | None
    language: str


class Batch(msgspec.Struct, frozen=True):
    """What is to be told at once.

    `record` is how far it leads, `over` whether nothing comes after it, and `mark`
    the one of its view.
    """

    record: int
    over: bool
    mark: str
    messages: tuple[bytes, ...]


def beginning(glance: GameRow, last: str | None) -> Batch:
    """What comes first, for somebody whose last message had the id `last`.

    Without one it is a view. A number that the record doesn't reach, or one too far
    behind, is told by a reset, and then a view; any other is where the record goes on.
    """
    if not last:
        return _anew(glance)
    if not _NUMBER.fullmatch(last) or int(last) > glance.record:
        return _anew(glance, "unknown")
    return _onward(glance, int(last))


def follow(
    app: Flask, viewer: Viewer, batch: Batch, watch: Subscription, line: ClientSocket
) -> Iterator[bytes]:
    """All messages from the first batch on, for as long as there are any.

    Runs while the answer is being sent, outside of any request. Ends when the game is
    over, or no longer shown to the viewer, or of a newer version; when the client has
    hung up or reads too slowly; and when the process ends. Whoever comes back with the
    id of their last message has missed nothing. A database that is away is waited for.
    """
    hub = live.of(app).hub
    # Not all of them at the same moment.
    patience = HEARTBEAT_SECONDS - watch.number % _SPREAD * _SPREAD_SECONDS / _SPREAD
    pause = patience
    yield sse.BEGINNING
    while True:
        for message in batch.messages:
            if not line.ready(_SLOWEST_SECONDS):
                line.hang_up()
                return
            yield message
        if batch.over:
            return
        called = watch.wait(pause)
        if hub.closed or line.gone:
            return
        try:
            later = _after(app, viewer, batch, watch if called else None)
            pause = patience
        except SQLAlchemyError:
            later, pause = _still(batch), _AGAIN_SECONDS
        except UnreadableLog:
            return
        if later is None:
            return
        batch = later


def _after(
    app: Flask, viewer: Viewer, batch: Batch, watch: Subscription | None
) -> Batch | None:
    """What is new since a batch: at least a heartbeat, or None for the end.

    Spectators who were called get it from one reading: it is the same for all of them.
    """

    def read() -> Batch | None:
        with (
            live.of(app).gate.reading(),
            app.app_context(),
            flask_babel.force_locale(viewer.language),
        ):
            return _read(viewer, batch)

    if watch is None or viewer.proof is not None:
        return read()
    # Marks tell languages apart.
    return watch.topic.once((batch.record, batch.mark), read)


def _read(viewer: Viewer, batch: Batch) -> Batch | None:
    glance = access.game_row_still(viewer.game_id, viewer.proof)
    if glance is None:
        return None
    if _mark(glance) == batch.mark:
        return _still(batch)
    return _onward(glance, batch.record)


def _still(batch: Batch) -> Batch:
    """Nothing new."""
    return msgspec.structs.replace(batch, messages=(sse.HEARTBEAT,))


def _onward(glance: GameRow, after: int) -> Batch:
    """The record from an event on, and what there is to see behind it."""
    if glance.record - after > MOST_BEHIND:
        return _anew(glance, "too-old")
    found = event_log.record_after(glance.id, after, MOST_BEHIND)
    records = (
        sse.message("record", msgspec.json.encode(events.told(each)), each.record)
        for each in found
        # What has come since the game was read is for the next batch.
        if each.record <= glance.record
    )
    return _batch(glance, *records, sse.message("view", _view(glance)))


def _anew(glance: GameRow, reason: str | None = None) -> Batch:
    """A view to go on from: its id is where the record goes on."""
    view = sse.message("view", _view(glance), glance.record)
    if reason is None:
        return _batch(glance, view)
    why = msgspec.json.encode({"reason": reason})
    return _batch(glance, sse.message("reset", why), view)


def _batch(glance: GameRow, *messages: bytes) -> Batch:
    return Batch(
        glance.record, glance.status == GameStatus.OVER, _mark(glance), messages
    )


def _mark(glance: GameRow) -> str:
    """The mark of what the viewer sees: the one that GET …/view would give it."""
    return etags.now(glance, languages.language())


def _view(glance: GameRow) -> bytes:
    return view_json.view(game_view.now(glance.seen()))
