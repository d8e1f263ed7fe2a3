"""Stream tickets: what a browser opens a stream with."""

from typing import Any, ClassVar

import msgspec
from marshmallow import fields

from service.api.schemas.base import Request
from service.api.schemas.validators import Length
from service.values import entropy


class StreamOpening(msgspec.Struct, frozen=True):
    """How a browser opens a stream: with a ticket, and from which message on."""

    ticket: str | None
    last_event_id: str | None


class OpenedSchema(Request):
    """What a browser, which sends no header, says in the address of a stream."""

    makes: ClassVar[Any] = StreamOpening
    ticket = fields.String(
        load_default=None,
        validate=Length(min=1, max=entropy.TOKEN_LENGTH),
        metadata={"description": "A stream ticket, in place of `Authorization`."},
    )
    last_event_id = fields.String(
        load_default=None,
        metadata={
            "description": "The same as the header `Last-Event-ID`, which comes first."
        },
    )
