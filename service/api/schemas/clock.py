"""Time that is let pass, asked for."""

import msgspec
from marshmallow import fields

from service.api.schemas.base import Request
from service.api.schemas.validators import Range
from service.api.schemas.view import MOST
from service.tables.practice import Until


class LettingPass(msgspec.Struct, frozen=True):
    """Of which decision time shall pass, and to which moment."""

    decision: int
    to: Until


class LettingPassSchema(Request):
    """Of which decision time shall pass, and to which moment."""

    makes = LettingPass
    decision = fields.Integer(
        strict=True,
        required=True,
        validate=Range(min=1, max=MOST),
        metadata={"description": "The number of the open one."},
    )
    to = fields.Enum(Until, by_value=fields.String, required=True)
