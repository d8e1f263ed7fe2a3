"""Fields for what people type, with the flaws that the service itself finds."""

from typing import Any
from uuid import UUID

from marshmallow import fields

from service.api.schemas.validators import Typed
from service.tables import seating
from service.values import addresses, lines, names

_ANY_GAME = UUID(int=0)


def name_field(*, blank: bool = False, **more: Any) -> fields.String:
    """A name as others are to see it; `blank` is for whoever chooses none."""
    about = {"description": f"1 to {names.NAME_LIMIT} characters as people count them."}
    check = Typed(_blank_or_name if blank else _name, 256)
    return fields.String(**{"validate": check, "metadata": about, **more})


def address_field(**more: Any) -> fields.String:
    """An e-mail address."""
    return fields.String(validate=Typed(_address, 320), **more)


def line_field(**more: Any) -> fields.String:
    """A line for the table."""
    return fields.String(validate=Typed(_line, lines.LINE_LIMIT), **more)


def word_field() -> fields.String:
    """A word for the shuffle."""
    return fields.String(
        load_default="",
        validate=Typed(_word, 256),
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


def _line(text: str) -> None:
    lines.clean(text, "line")


def _word(text: str) -> None:
    seating.hash_word(_ANY_GAME, 0, text)
