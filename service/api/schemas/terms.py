"""What requests about tables have in common: their terms, a seat, a word."""

from typing import Any

from marshmallow import fields

from engine.commands import History, PlacementOption
from engine.editions import EDITIONS
from service.api.schemas.base import Request
from service.api.schemas.validators import Range

MOST_SEATS = max(law.seats[-1] for law in EDITIONS.values())
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
