"""What requests about tables have in common: their terms, a seat, a word."""

from typing import Any

from marshmallow import fields

from engine.commands import MISSES, History, PlacementOption
from engine.editions import EDITIONS
from service.api.schemas.base import Request
from service.api.schemas.validators import Range, check_time_of_day, check_zone
from service.game import pace

MOST_SEATS = max(law.seats[-1] for law in EDITIONS.values())
_MOST_SPARE = 14
_MOST_ROUNDS = max(max(law.choices.rounds) for law in EDITIONS.values())


def seat_field(description: str, **more: Any) -> fields.Integer:
    """The number of a seat, or null, in a request."""
    return fields.Integer(
        strict=True,
        allow_none=True,
        validate=Range(min=0, max=MOST_SEATS - 1),
        metadata={"description": description},
        **more,
    )


class TermsSchema(Request):
    """How a game is to be played, as far as its host says."""

    rounds = fields.Integer(strict=True, validate=Range(min=1, max=_MOST_ROUNDS))
    placement = fields.Enum(PlacementOption, by_value=True)
    ballot_history = fields.Enum(History, by_value=True)
    first = seat_field("The seat that begins; null: drawn.")
    decision_time = fields.Integer(
        strict=True,
        allow_none=True,
        validate=Range(min=pace.LEAST, max=pace.MOST),
        metadata={
            "description": "Seconds that a decision waits for; usually a day. Null: no"
            " clock."
        },
    )
    spare = fields.Integer(
        strict=True,
        validate=Range(min=0, max=_MOST_SPARE),
        metadata={
            "description": "How often each seat may go on for as long again, once its"
            " time is up, in a whole game."
        },
    )
    misses = fields.Integer(
        strict=True,
        validate=Range(min=MISSES[0], max=MISSES[-1]),
        metadata={
            "description": "After how many placements or moves in a row that a seat"
            " leaves to the clock a bot keeps it; usually three."
        },
    )
    take_back = fields.Boolean(
        metadata={
            "description": "Whether a placement or move can be taken back until anybody"
            " acts, unless it put somebody up for king; once a turn. Usually yes."
        },
    )
    daily_at = fields.String(
        allow_none=True,
        validate=check_time_of_day,
        metadata={
            "description": "Every decision ends at this time of the day (HH:MM), twelve"
            " hours from now at the earliest; needs `zone`.",
            "example": "20:00",
        },
    )
    zone = fields.String(
        allow_none=True,
        validate=check_zone,
        metadata={
            "description": "The time zone of `daily_at`, as IANA names it.",
            "example": "Europe/Zurich",
        },
    )
