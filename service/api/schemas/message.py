"""What people say at a table: sent, and asked for."""

from typing import Any, ClassVar

import msgspec
from marshmallow import ValidationError, fields, post_load, validates_schema

from service.api.schemas.base import Request
from service.api.schemas.typed import line_field
from service.api.schemas.validators import Range
from service.api.schemas.view import MOST
from service.values import lines
from service.values.lines import Line, StockPhrase


class MessagesPart(msgspec.Struct, frozen=True):
    """From where messages are wanted, and how many."""

    after: int
    limit: int


class Spoken(Request):
    """Something that may be said: in one's own words, or by a code, not by both."""

    line = line_field(
        load_only=True,
        metadata={
            "description": "What you say with it, one line; with a ballot the others"
            " read it at the reveal."
        },
    )
    phrase = fields.Enum(
        StockPhrase,
        by_value=fields.String,
        load_only=True,
        metadata={"description": "A stock phrase instead.", "x-open": True},
    )

    @validates_schema
    def _one_of_both(self, values: dict[str, Any], **_: object) -> None:
        if "line" in values and "phrase" in values:
            raise ValidationError("two-lines", "phrase")


class MessageCreationSchema(Spoken):
    """Something to say to the table: a line of your own, or else a stock phrase."""

    line = line_field(metadata={"description": "One line, in your own words."})
    phrase = fields.Enum(
        StockPhrase,
        by_value=fields.String,
        metadata={
            "description": "A stock phrase instead: each reads it in their language."
        },
    )

    @post_load
    def made(self, values: dict[str, Any], **_: object) -> Line:
        """What is said. Raises ValidationError for nothing at all."""
        line = line_of(values)
        if line is None:
            raise ValidationError("missing", "line")
        return line


class MessagesSchema(Request):
    """From where messages are wanted, and how many."""

    makes: ClassVar[Any] = MessagesPart
    after = fields.Integer(
        load_default=0,
        validate=Range(min=0, max=MOST),
        metadata={"description": "The `id` of the last message you have."},
    )
    limit = fields.Integer(load_default=100, validate=Range(min=1, max=500))


def line_of(values: dict[str, Any]) -> Line | None:
    """What is said in a request, which is taken out of its values; None for nothing."""
    line, phrase = values.pop("line", None), values.pop("phrase", None)
    if line is None and phrase is None:
        return None
    return Line(None if line is None else lines.clean(line, "line"), phrase)
