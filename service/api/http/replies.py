"""Replies: frozen structs, sent as they are and described from the same types.

All that a reply has is always there; more may come in later versions.
"""

from datetime import UTC, datetime
from typing import Annotated, Any, Self, TypeAlias, TypeVar

import msgspec
from msgspec import Meta

_Reply = TypeVar("_Reply")


class Moment(str):
    """A moment in RFC 3339, UTC, to the millisecond."""

    __slots__ = ()

    @classmethod
    def of(cls, value: datetime) -> Self:
        """A moment as every answer tells it."""
        text = value.astimezone(UTC).isoformat(timespec="milliseconds")
        return cls(text.replace("+00:00", "Z"))


Revision: TypeAlias = Annotated[
    int, Meta(description="The number of the latest event of the game's record.")
]

Head: TypeAlias = Annotated[
    str,
    Meta(
        description="That number and the hash of the record up to there: the same for"
        " everybody, to be kept and compared.",
        pattern="^[0-9]+:[0-9a-f]{64}$",
    ),
]

Url: TypeAlias = Annotated[str, Meta(extra_json_schema={"format": "uri"})]


def one_of(name: str) -> Meta:
    """That a text is one of the words which the contract describes by a name."""
    return Meta(extra_json_schema={"x-words": name})


StoredEvent: TypeAlias = Annotated[
    msgspec.Raw,
    Meta(extra_json_schema={"$ref": "#/components/schemas/RecordEvent"}),
]
"""An event of the record, with its stored bytes as they are: they are JSON."""

StoredView: TypeAlias = Annotated[
    msgspec.Raw,
    Meta(extra_json_schema={"$ref": "#/components/schemas/View"}),
]
"""A view that is JSON already."""


def text_of(value: object) -> str:
    """What an encoder writes for what it doesn't know by itself: moments alone."""
    if isinstance(value, Moment):
        return str(value)
    # What nobody thought of is no text that anybody may read.
    raise TypeError(type(value))


encode = msgspec.json.Encoder(enc_hook=text_of).encode
"""A reply as JSON. Raises TypeError for what is neither a struct nor made of some."""


def of(kind: type[_Reply], row: object) -> _Reply:
    """A reply with what a row says under the same names."""
    return msgspec.convert(row, kind, from_attributes=True, dec_hook=_moment)


def moment(value: datetime | None) -> Moment | None:
    """A moment as every answer tells it, where there is one."""
    return None if value is None else Moment.of(value)


def _moment(kind: type, value: Any) -> Moment:
    return Moment.of(value)
