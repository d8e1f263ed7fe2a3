"""Answers to decisions, as they are sent."""

from typing import ClassVar

from marshmallow import fields

from engine.board import Card
from engine.commands import Ballot, Move, Placement
from service.api.schemas.base import Request, Variants
from service.api.schemas.validators import Length, OneOf

_KEY = Length(min=1, max=16)


class PlacementSchema(Request):
    """Put a character that is not placed yet onto a floor."""

    makes = Placement
    kind = fields.String(required=True, validate=OneOf(["placement"]))
    character = fields.String(required=True, validate=_KEY)
    place = fields.String(required=True, validate=_KEY)


class MoveSchema(Request):
    """Move a character up."""

    makes = Move
    kind = fields.String(required=True, validate=OneOf(["move"]))
    character = fields.String(required=True, validate=_KEY)


class BallotSchema(Request):
    """Lay a card in an election."""

    makes = Ballot
    kind = fields.String(required=True, validate=OneOf(["election"]))
    card = fields.Enum(
        Card, by_value=fields.String, required=True, metadata={"x-open": True}
    )


class AnswerSchema(Variants):
    """An answer to a decision, by the kind of its question."""

    forms: ClassVar = {
        "placement": PlacementSchema(),
        "move": MoveSchema(),
        "election": BallotSchema(),
    }
