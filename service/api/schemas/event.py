"""The record: asked for in order, or as it happens."""

from typing import Any, ClassVar

import msgspec
from marshmallow import fields

from service.api.schemas.base import Request
from service.api.schemas.validators import Range
from service.api.schemas.view import MOST
from service.api.schemas.waiting import wait_field


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

    makes = After
    after = fields.Integer(
        load_default=0,
        validate=Range(min=0, max=MOST),
        metadata={"description": "The number of the last event you have."},
    )
    limit = fields.Integer(load_default=100, validate=Range(min=1, max=500))
    wait = wait_field("How many seconds to wait for an event behind `after`.")


class ResumedSchema(Request):
    """Where a stream broke off."""

    makes: ClassVar[Any] = Resumed
    last_event_id = fields.String(
        data_key="Last-Event-ID",
        metadata={
            "description": "The id of the last message you had that has one, as"
            " browsers send it: the number of a record event."
        },
    )
