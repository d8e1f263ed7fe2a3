"""Answers that are compressed: those that hold nothing secret.

How well a text compresses tells what is in it. Where a secret and something that others
have chosen, a name for instance, stand in one body, they could find it out letter by
letter by the length of what is sent. So views, lists and nearly all pages are sent as
they are, and only what everybody gets alike, or what nobody chooses, is made smaller.
"""

from typing import Final

from flask import Flask, Response
from flask.globals import request_ctx
from flask_compress import Compress

ENDPOINTS: Final = frozenset(
    {
        "contract.Contract",
        "editions.Editions",
        "editions.OneEdition",
        # The record is the same for everybody who gets it, with its players' words.
        "events.Events",
        # With names, but nothing that whoever has chosen one doesn't get as well.
        "export.Export",
        "static",
        "web.reference.show",
        "web.rules.show",
    }
)
"""Where answers are the same for everybody who gets them."""

_MIMETYPES: Final = (
    "application/json",
    "application/yaml",
    "image/svg+xml",
    "text/css",
    "text/html",
)

_SETTINGS: Final = {
    "COMPRESS_ALGORITHM": ["gzip"],
    "COMPRESS_REGISTER": False,
    "COMPRESS_STREAMS": False,
    "COMPRESS_MIMETYPES": _MIMETYPES,
    "COMPRESS_MIN_SIZE": 1000,
}


def init_app(app: Flask) -> None:
    """Let an app compress what may be compressed, for whoever can read it."""
    app.config.update(_SETTINGS)
    compress = Compress()
    compress.init_app(app)

    @app.after_request
    def out(answer: Response) -> Response:
        request = request_ctx.request
        if request.endpoint not in ENDPOINTS:
            return answer
        if not request.accept_encodings.quality("gzip"):
            # The library takes a refusal (q=0) for a wish.
            answer.vary.add("Accept-Encoding")
            return answer
        if answer.is_streamed and answer.mimetype in _MIMETYPES:
            # A file, and ours are small; as a stream the library would leave it open.
            answer.direct_passthrough = False
            answer.make_sequence()
        mark, _ = answer.get_etag()
        if mark is not None:
            # Weak, and so one mark for both codings. A strong one the library would
            # make another, by which whoever waits with it would be told at once.
            answer.set_etag(mark, weak=True)
        compressed: Response = compress.after_request(answer)
        return compressed
