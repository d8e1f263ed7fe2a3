"""Waiting for news: how long, and what whoever asks has already."""

from typing import Any, Final

import msgspec
from marshmallow import fields, post_load, validate
from werkzeug.datastructures import ETags
from werkzeug.http import parse_etags

from service.api.schemas.base import Request

LONGEST_WAIT: Final = 60
"""The most seconds a request may wait for news."""


def wait_field(description: str) -> fields.Integer:
    """How many seconds a request waits."""
    return fields.Integer(
        load_default=0,
        validate=validate.Range(min=0, max=LONGEST_WAIT),
        metadata={"description": description},
    )


class Known(msgspec.Struct, frozen=True):
    """The marks of answers that whoever asks has already."""

    marks: ETags

    def __bool__(self) -> bool:
        return bool(self.marks)

    def has(self, mark: str) -> bool:
        """Whether the answer of a mark is one of them."""
        return self.marks.contains_weak(mark)


class KnownSchema(Request):
    """What whoever asks has already."""

    if_none_match = fields.String(
        data_key="If-None-Match",
        metadata={
            "description": "The `ETag` of the answer you have: with `wait` the next one"
            " comes as soon as it is another, and 304 when the time is up.",
            "example": '"2ad89fbd90f2"',
        },
    )

    @post_load
    def made(self, values: dict[str, Any], **_: object) -> Known:
        """The marks."""
        return Known(parse_etags(values.get("if_none_match")))
