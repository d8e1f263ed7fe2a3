"""Fields for what people type, with the flaws that the service itself finds."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from marshmallow import ValidationError, fields, validate

from service.tables import seating
from service.values import addresses, names
from service.values.errors import Invalid

_ANY_GAME = UUID(int=0)


class Typed(fields.String):
    """A text that `check` takes, or raises Invalid for: that is told as it is."""

    def __init__(self, check: Callable[[str], object], **more: Any) -> None:
        super().__init__(**more)
        self._check = check

    def _deserialize(
        self, value: object, attr: str | None, data: object, **kwargs: object
    ) -> str:
        text = str(super()._deserialize(value, attr, data, **kwargs))
        try:
            self._check(text)
        except Invalid as flaw:
            raise ValidationError([flaw]) from flaw
        return text


def name_field(*, blank: bool = False, **more: Any) -> Typed:
    """A name as others are to see it; `blank` is for whoever chooses none."""
    about = {"description": f"1 to {names.NAME_LIMIT} characters as people count them."}
    return Typed(
        _blank_or_name if blank else _name,
        **{"validate": validate.Length(max=256), "metadata": about, **more},
    )


def address_field(**more: Any) -> Typed:
    """An e-mail address."""
    return Typed(_address, validate=validate.Length(max=320), **more)


def word_field() -> Typed:
    """A word for the shuffle."""
    return Typed(
        _word,
        load_default="",
        validate=validate.Length(max=256),
        metadata={
            "description": "Your word for the shuffle, up to 64 characters. Only its"
            " hash is kept, for everybody to read: a word that can be guessed is found"
            " from it."
        },
    )


def _name(text: str) -> None:
    names.clean(text, "name")


def _blank_or_name(text: str) -> None:
    if text:
        _name(text)


def _address(text: str) -> None:
    addresses.parse(text, "address")


def _word(text: str) -> None:
    seating.hash_word(_ANY_GAME, 0, text)
