"""Answering a look at a game: with 304 where the reader has it, and from memory."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, Final

from flask import Response
from flask.globals import request_ctx
from werkzeug.datastructures import Headers

from service.api.http import etags, replies, response_headers
from service.api.replies import game_view
from service.present import languages
from service.store.games import GameReadModel, GameRow
from service.values.errors import NotFound

_SETTLED: Final = "private, max-age=300"

_MOST_BYTES: Final = 1024 * 1024


class Texts:
    """The views that were asked for last, as JSON, by their marks.

    A mark says everything that its text is made of, so a text never grows old; the ones
    not asked for longest make room for others.
    """

    def __init__(self, most_bytes: int = _MOST_BYTES) -> None:
        self._room = most_bytes
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, mark: str, make: Callable[[], bytes]) -> bytes:
        """The text of a mark, made if it isn't there."""
        with self._lock:
            found = self._kept.get(mark)
            if found is not None:
                self._kept.move_to_end(mark)
                return found
        text = make()
        with self._lock:
            if mark not in self._kept:
                self._kept[mark] = text
                self._room -= len(text)
            while self._room < 0:
                self._room += len(self._kept.popitem(last=False)[1])
        return text


# All readers share it, since a mark tells the seat and what it has answered last. What
# else a view may come to show of a seat's own has to be in the mark first.
_texts = Texts()


class _Ready(Response):
    """An answer whose headers are all there: nothing is looked for once more."""

    default_mimetype = None

    def get_wsgi_headers(self, environ: Mapping[str, Any]) -> Headers:
        """The headers as they are."""
        return self.headers


def now(row: GameRow) -> Response:
    """A game as whoever reads it may see it now. Raises UnreadableLog."""
    mark = etags.now(row, languages.asked_for(request_ctx.request))
    return _answer(
        mark,
        response_headers.FRESH,
        lambda: replies.encode(game_view.now(row.read_model())),
    )


def text(mark: str, model: Callable[[], GameReadModel]) -> bytes:
    """A game as whoever read it may see it now, as JSON, by its mark.

    Raises what `model` raises.
    """
    return _texts.get(mark, lambda: replies.encode(game_view.now(model())))


def past(row: GameRow, at: int) -> Response:
    """A game right after record event `at`.

    Raises NotFound when the record is not that long, and UnreadableLog.
    """
    if at > row.record:
        raise NotFound(what="revision", at=at, revision=row.record)
    mark = etags.past(row, at, languages.asked_for(request_ctx.request))
    kept = _SETTLED if etags.settled(row, at) else response_headers.FRESH
    return _answer(
        mark, kept, lambda: replies.encode(game_view.past(row.read_model(), at))
    )


def _answer(mark: str, kept: str, make: Callable[[], bytes]) -> Response:
    headers = {"ETag": f'"{mark}"', "Cache-Control": kept}
    request = request_ctx.request
    asked = request.environ.get("HTTP_IF_NONE_MATCH")
    if asked is not None and (
        asked == headers["ETag"] or request.if_none_match.contains_weak(mark)
    ):
        return _Ready(status=304, headers=headers)
    text = _texts.get(mark, make)
    headers |= {"Content-Type": "application/json", "Content-Length": str(len(text))}
    return _Ready(text, headers=headers)
