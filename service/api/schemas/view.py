"""The view of a game, asked for."""

import msgspec
from marshmallow import fields

from service.api.schemas.base import Request
from service.api.schemas.validators import Range

MOST = 2**31 - 1
"""The highest number that anything has."""


class WantedView(msgspec.Struct, frozen=True):
    """Which moment of a game is asked for; None is now."""

    at: int | None = None


class AtSchema(Request):
    """Which moment of a game is asked for."""

    makes = WantedView
    at = fields.Integer(
        validate=Range(min=1, max=MOST),
        metadata={
            "description": "How the game stood right after this record event: the same"
            " for everybody and for good."
        },
    )
