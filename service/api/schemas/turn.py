"""Turns, asked for."""

from typing import ClassVar, Final

from marshmallow import fields

from service.api.schemas.event import ResumedSchema
from service.api.schemas.game import YES_OR_NO, Page, PageSchema
from service.api.schemas.ticket import OpenedSchema, StreamOpening
from service.api.schemas.waiting import wait_field

_WITH_VIEWS: Final = "Each turn with its game as you see it, and `legal`."


class TurnFilter(Page, frozen=True, kw_only=True):
    """Which part of the turns is wanted, with views or without, and how patiently."""

    view: bool
    wait: int


class TurnsOpening(StreamOpening, frozen=True):
    """How a stream of turns is opened, and whether with views."""

    view: bool


class WantedTurnsSchema(PageSchema):
    """Which turns are wanted, and how patiently."""

    makes = TurnFilter
    view = fields.Boolean(**YES_OR_NO, metadata={"description": _WITH_VIEWS})
    wait = wait_field("How many seconds to wait for a change.")


class TurnsOpenedSchema(OpenedSchema):
    """What is said in the address of a stream of turns."""

    makes: ClassVar = TurnsOpening
    view = fields.Boolean(**YES_OR_NO, metadata={"description": _WITH_VIEWS})


class KnownTurnsSchema(ResumedSchema):
    """Which list of turns whoever comes back has."""

    last_event_id = fields.String(
        data_key="Last-Event-ID",
        metadata={
            "description": "The id of the last message you had, as browsers send it."
        },
    )
