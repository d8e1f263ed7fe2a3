"""The record: its events by number, fetched in order or as they happen."""

from typing import Any

import msgspec
from marshmallow import fields, post_load, validate

from service.api.schemas.base import HEAD, Reply, Request
from service.api.schemas.view import MOST, ViewSchema
from service.api.schemas.waiting import wait_field

RECORD_EVENT = "RecordEvent"
"""The name under which the contract describes all events."""


class After(msgspec.Struct, frozen=True):
    """From where the record is wanted, how many events, and how many seconds later."""

    after: int
    limit: int
    wait: int


class Resumed(msgspec.Struct, frozen=True):
    """The id of the last message of a stream that broke off; None where none did."""

    last_event_id: str | None = None


class AfterSchema(Request):
    """From where the record is wanted, how much of it, and how patiently."""

    after = fields.Integer(
        load_default=0,
        validate=validate.Range(min=0, max=MOST),
        metadata={"description": "The number of the last event you have."},
    )
    limit = fields.Integer(load_default=100, validate=validate.Range(min=1, max=500))
    wait = wait_field("How many seconds to wait for an event behind `after`.")

    @post_load
    def made(self, values: dict[str, Any], **_: object) -> After:
        """The part that is wanted."""
        return After(**values)


class RecordedSchema(Reply):
    """A record event.

    `event` is told as it is stored: serialised with sorted keys, without spaces and in
    ASCII it gives the bytes that `head` chains.
    """

    record = fields.Integer()
    head = fields.String(metadata={"description": "The head after it (64 hex)."})
    event = fields.Raw(metadata={"x-schema": RECORD_EVENT})


class EventsSchema(Reply):
    """A part of the record, in order; `Link` leads on when there is more."""

    game = fields.UUID()
    head = fields.String(
        metadata={
            "description": "Number and hash of the game's latest record event.",
            "pattern": HEAD,
        }
    )
    events = fields.List(fields.Nested(RecordedSchema))
    over = fields.Boolean(
        metadata={
            "description": "Whether the game is over: nothing comes after `head`."
        }
    )


class ResumedSchema(Request):
    """Where a stream broke off."""

    last_event_id = fields.String(
        data_key="Last-Event-ID",
        metadata={
            "description": "The id of the last message you had that has one, as"
            " browsers send it: the number of a record event."
        },
    )

    @post_load
    def made(self, values: dict[str, Any], **_: object) -> Resumed:
        """Where it goes on."""
        return Resumed(**values)


class ResetSchema(Reply):
    """Why a stream begins anew instead of going on."""

    reason = fields.String(validate=validate.OneOf(("unknown", "too-old")))


class StreamViewSchema(Reply):
    """What you may see now; its `id`, at the beginning, is the number in `record`."""

    event = fields.Constant("view")
    data = fields.Nested(ViewSchema)


class StreamRecordSchema(Reply):
    """A record event; its number is the `id`."""

    event = fields.Constant("record")
    id = fields.Integer()
    data = fields.Nested(RecordedSchema)


class StreamResetSchema(Reply):
    """The record can't go on from `Last-Event-ID`: a view follows, and then it does."""

    event = fields.Constant("reset")
    data = fields.Nested(ResetSchema)
