"""Waiting for news: how long, and what whoever asks has already."""

from functools import cached_property
from typing import Final

import msgspec
from marshmallow import fields
from werkzeug.datastructures import ETags
from werkzeug.http import parse_etags

from service.api.schemas.base import Request
from service.api.schemas.validators import Range

LONGEST_WAIT: Final = 60
"""The most seconds a request may wait for news."""


def wait_field(description: str) -> fields.Integer:
    """How many seconds a request waits."""
    return fields.Integer(
        load_default=0,
        validate=Range(min=0, max=LONGEST_WAIT),
        metadata={"description": description},
    )


class Known(msgspec.Struct, frozen=True, dict=True):
    """The marks of answers that whoever asks has already."""

    if_none_match: str | None = None

    @cached_property
    def _marks(self) -> ETags:
        return parse_etags(self.if_none_match)

    def __bool__(self) -> bool:
        return bool(self._marks)

    def has(self, mark: str) -> bool:
        """Whether the answer of a mark is one of them."""
        return self._marks.contains_weak(mark)


class KnownSchema(Request):
    """What whoever asks has already."""

    makes = Known
    if_none_match = fields.String(
        data_key="If-None-Match",
        metadata={
            "description": "The `ETag` of the answer you have: with `wait` the next one"
            " comes as soon as it is another, and 304 when the time is up.",
            "example": '"2ad89fbd90f2"',
        },
    )
