"""Answers to decisions, as they are sent."""

from typing import Any, ClassVar

import msgspec
from marshmallow import fields, post_load

from engine.board import Card
from engine.commands import Answer, Ballot, Move, Placement
from service.api.schemas.base import Variants
from service.api.schemas.message import Spoken, line_of
from service.api.schemas.validators import Length, OneOf
from service.values.lines import Line

_KEY = Length(min=1, max=16)


class SentAnswer(msgspec.Struct, frozen=True):
    """An answer, and what is said with it, if anything."""

    answer: Answer
    line: Line | None


class _AnswerRequest(Spoken):
    """An answer of one kind, perhaps with a line or a stock phrase."""

    @post_load
    def made(self, values: dict[str, Any], **_: object) -> SentAnswer:
        """The answer, and the line apart from it."""
        line = line_of(values)
        return SentAnswer(msgspec.convert(values, self.makes), line)


class PlacementSchema(_AnswerRequest):
    """Put a character that is not placed yet onto a floor."""

    makes = Placement
    kind = fields.String(required=True, validate=OneOf(["placement"]))
    character = fields.String(required=True, validate=_KEY)
    place = fields.String(required=True, validate=_KEY)


class MoveSchema(_AnswerRequest):
    """Move a character up."""

    makes = Move
    kind = fields.String(required=True, validate=OneOf(["move"]))
    character = fields.String(required=True, validate=_KEY)


class BallotSchema(_AnswerRequest):
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
