"""Stream tickets: what a browser opens a stream with."""

from typing import Any

import msgspec
from marshmallow import fields, post_load, validate

from service.api.schemas.base import Reply, Request
from service.values import entropy


class StreamOpening(msgspec.Struct, frozen=True):
    """How a browser opens a stream: with a ticket, and from which message on."""

    ticket: str | None
    last_event_id: str | None


class OpenedSchema(Request):
    """What a browser, which sends no header, says in the address of a stream."""

    ticket = fields.String(
        load_default=None,
        validate=validate.Length(min=1, max=entropy.TOKEN_LENGTH),
        metadata={"description": "A stream ticket, in place of `Authorization`."},
    )
    last_event_id = fields.String(
        load_default=None,
        metadata={
            "description": "The same as the header `Last-Event-ID`, which comes first."
        },
    )

    @post_load
    def made(self, values: dict[str, Any], **_: object) -> StreamOpening:
        """How it is opened."""
        return StreamOpening(**values)


class TicketSchema(Reply):
    """A ticket for one connection."""

    ticket = fields.String()
    stream_url = fields.String(
        metadata={
            "description": "Where the ticket opens the stream.",
            "format": "uri",
        }
    )
    expires_in = fields.Integer(
        metadata={"description": "The seconds within which it is to be used."}
    )
