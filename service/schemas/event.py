"""The record: its events by number, to be fetched in order and checked."""

from marshmallow import fields, validate

from service.schemas.base import Reply, Request
from service.schemas.view import MOST


class AfterSchema(Request):
    """From where the record is wanted, and how much of it."""

    after = fields.Integer(
        load_default=0,
        validate=validate.Range(min=0, max=MOST),
        metadata={"description": "The number of the last event you have."},
    )
    limit = fields.Integer(load_default=100, validate=validate.Range(min=1, max=500))


class RecordedSchema(Reply):
    """A record event.

    `event` is told as it is stored: serialised with sorted keys, without spaces and in
    ASCII it gives the bytes that `head` chains.
    """

    record = fields.Integer()
    head = fields.String(metadata={"description": "The head after it (64 hex)."})
    event = fields.Dict(metadata={"description": "Its fields: docs/fairness.md."})


class EventsSchema(Reply):
    """A part of the record, in order; `Link` leads on when there is more."""

    game = fields.UUID()
    head = fields.String(
        metadata={
            "description": "Number and hash of the game's latest record event.",
            "pattern": "^[0-9]+:[0-9a-f]{64}$",
        }
    )
    events = fields.List(fields.Nested(RecordedSchema))
