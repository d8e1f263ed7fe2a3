"""Remembered devices: listed for whoever has the seat."""

from marshmallow import fields

from service.api.schemas.base import Moment, Reply


class DeviceSchema(Reply):
    """A browser that is remembered for a seat of yours, without its secret."""

    id = fields.UUID()
    game = fields.UUID()
    seat = fields.Integer()
    description = fields.String(
        metadata={
            "description": "What it said it was, coarsely.",
            "example": "Firefox on Android",
        }
    )
    created_at = Moment()
    last_used_at = Moment(metadata={"description": "To a day."})
    expires_at = Moment(
        metadata={
            "description": "180 days after its last use, or 30 after the game was over."
        }
    )


class DevicesSchema(Reply):
    """A page of your devices, the newest first; `Link` leads to the next one."""

    devices = fields.List(fields.Nested(DeviceSchema))
