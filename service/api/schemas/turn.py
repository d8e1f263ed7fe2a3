"""Turns: what a person's games ask of them."""

from typing import Any, Final

import msgspec
from marshmallow import fields, post_load

from engine.state import Kind
from service.api.schemas.base import Moment, Reply
from service.api.schemas.event import ResumedSchema
from service.api.schemas.game import YES_OR_NO, PageSchema
from service.api.schemas.ticket import OpenedSchema, StreamOpening
from service.api.schemas.view import ViewSchema
from service.api.schemas.waiting import wait_field


class TurnFilter(msgspec.Struct, frozen=True):
    """Which part of the turns is wanted, with views or without, and how patiently."""

    limit: int
    cursor: str | None
    view: bool
    wait: int


_WITH_VIEWS: Final = "Each turn with its game as you see it, and `legal`."


class WantedTurnsSchema(PageSchema):
    """Which turns are wanted, and how patiently."""

    view = fields.Boolean(**YES_OR_NO, metadata={"description": _WITH_VIEWS})
    wait = wait_field("How many seconds to wait for a change.")

    @post_load
    def made(self, values: dict[str, Any], **_: object) -> TurnFilter:
        """What is wanted."""
        return TurnFilter(cursor=values.pop("cursor", None), **values)


class TurnSchema(Reply):
    """A decision that waits for your answer, and the game as you see it."""

    game = fields.UUID()
    decision = fields.Integer()
    kind = fields.Enum(Kind, by_value=True)
    deadline = Moment(allow_none=True)
    answer_url = fields.String(
        metadata={"description": "Where to PUT your answer.", "format": "uri"}
    )
    view = fields.Nested(
        ViewSchema,
        allow_none=True,
        metadata={"description": "The game as you see it; null without `view=true`."},
    )


class TurnsOpening(StreamOpening, frozen=True):
    """How a stream of turns is opened, and whether with views."""

    view: bool


class TurnsOpenedSchema(OpenedSchema):
    """What is said in the address of a stream of turns."""

    view = fields.Boolean(**YES_OR_NO, metadata={"description": _WITH_VIEWS})

    @post_load
    def made(self, values: dict[str, Any], **_: object) -> TurnsOpening:
        """How it is opened."""
        return TurnsOpening(**values)


class KnownTurnsSchema(ResumedSchema):
    """Which list of turns whoever comes back has."""

    last_event_id = fields.String(
        data_key="Last-Event-ID",
        metadata={
            "description": "The id of the last message you had, as browsers send it."
        },
    )


class TurnsSchema(Reply):
    """Your open decisions, the most urgent first; `Link` leads on to more."""

    turns = fields.List(fields.Nested(TurnSchema))
    running = fields.Integer(
        metadata={"description": "How many of your games run, asking you or not."}
    )


class StreamTurnsSchema(Reply):
    """Your open decisions, all of them; the `id` tells this list from any other."""

    event = fields.Constant("turns")
    id = fields.String()
    data = fields.Nested(TurnsSchema)
