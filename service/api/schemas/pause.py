"""A game's time, which its players stop and add to."""

import msgspec
from marshmallow import fields

from service.api.schemas.base import Request
from service.api.schemas.validators import Range
from service.api.schemas.view import MOST
from service.game import timing


class Pausing(msgspec.Struct, frozen=True):
    """For how many days somebody pauses a game."""

    days: int


class PauseSchema(Request):
    """For how long you pause the game."""

    makes = Pausing
    days = fields.Integer(
        strict=True,
        required=True,
        validate=Range(min=1, max=timing.MOST_DAYS),
        metadata={"description": "Counted from the beginning of your pause."},
    )


class Extending(msgspec.Struct, frozen=True):
    """A decision that shall wait for longer."""

    decision: int


class ExtensionCreationSchema(Request):
    """A decision that shall wait for longer."""

    makes = Extending
    decision = fields.Integer(
        strict=True,
        required=True,
        validate=Range(min=1, max=MOST),
        metadata={"description": "The number of the open one."},
    )
