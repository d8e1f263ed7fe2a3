"""Turns: what a person's games ask of them."""

from typing import Any

import msgspec
from marshmallow import fields, post_load, validate

from engine.state import Kind
from service.schemas.base import Moment, Reply, Request
from service.schemas.event import LONGEST_WAIT
from service.schemas.view import ViewSchema


class Wait(msgspec.Struct, frozen=True):
    """How many seconds turns are waited for."""

    wait: int


class WaitSchema(Request):
    """How patiently turns are asked for."""

    wait = fields.Integer(
        load_default=0,
        validate=validate.Range(min=0, max=LONGEST_WAIT),
        metadata={"description": "How many seconds to wait while there is no turn."},
    )

    @post_load
    def made(self, values: dict[str, Any], **_: object) -> Wait:
        """The patience."""
        return Wait(**values)


class TurnSchema(Reply):
    """A decision that waits for your answer, and the game as you see it."""

    game = fields.UUID()
    decision = fields.Integer()
    kind = fields.Enum(Kind, by_value=True)
    deadline = Moment(allow_none=True)
    answer_url = fields.String(
        metadata={"description": "Where to PUT your answer.", "format": "uri"}
    )
    view = fields.Nested(ViewSchema)


class TurnsSchema(Reply):
    """Your open decisions, the most urgent first."""

    turns = fields.List(fields.Nested(TurnSchema))
