"""Answers to decisions, as they are served and sent back, and their receipts."""

from collections.abc import Mapping
from typing import ClassVar

import msgspec
from marshmallow import fields, validate

from engine.board import Card
from engine.commands import Answer, Source
from service.api.schemas.base import Reply, Request, Variants

_KEY = validate.Length(min=1, max=16)


class PlacementSchema(Request):
    """Put a character that is not placed yet onto a floor."""

    kind = fields.String(required=True, validate=validate.Equal("placement"))
    character = fields.String(required=True, validate=_KEY)
    place = fields.String(required=True, validate=_KEY)


class MoveSchema(Request):
    """Move a character up."""

    kind = fields.String(required=True, validate=validate.Equal("move"))
    character = fields.String(required=True, validate=_KEY)


class BallotSchema(Request):
    """Lay a card in an election."""

    kind = fields.String(required=True, validate=validate.Equal("election"))
    card = fields.String(
        required=True, validate=validate.OneOf([card.value for card in Card])
    )


class AnswerSchema(Variants):
    """An answer to a decision, by the kind of its question."""

    forms: ClassVar = {
        "placement": PlacementSchema(),
        "move": MoveSchema(),
        "election": BallotSchema(),
    }

    def made(self, kind: str, values: Mapping[str, str]) -> Answer:
        """The engine's own answer, whose tags are these kinds."""
        answer: Answer = msgspec.convert(values, type=Answer)
        return answer

    def dump(self, obj: Answer, **options: object) -> object:
        """The answer as plain data, its kind included."""
        return msgspec.to_builtins(obj)


class OfferSchema(Reply):
    """An answer one may give: send `answer` verbatim."""

    answer = fields.Nested(AnswerSchema)
    label = fields.String(metadata={"description": "In the reader's language."})
    nominates = fields.Boolean(
        metadata={"description": "Whether it leads onto the throne: an election."}
    )


class ReceiptSchema(Reply):
    """What an answer is acknowledged with: the same for ever."""

    decision = fields.Integer()
    answer = fields.Nested(AnswerSchema)
    record = fields.Integer(
        allow_none=True,
        metadata={"description": "The record event of a placement or move."},
    )
    commitment = fields.String(
        allow_none=True,
        metadata={
            "description": "What binds a ballot until the reveal (64 hex). Keep it:"
            " `kingup verify` compares `--receipt DECISION:SEAT:COMMITMENT`."
        },
    )


class OwnReceiptSchema(ReceiptSchema):
    """An answer of your seat with its receipt, read back."""

    source = fields.String(
        validate=validate.OneOf([each.value for each in Source]),
        metadata={"description": "Who or what gave it."},
    )
