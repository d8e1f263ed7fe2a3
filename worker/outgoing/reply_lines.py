"""The lines that answer a mail's question, as its reader may write or tap them."""

from collections.abc import Sequence
from email.headerregistry import Address
from typing import Final, assert_never
from urllib.parse import quote

import msgspec

from engine.commands import Answer, Ballot, Move, Placement
from service.present import nouns

_SUBJECT: Final = "King Up!"
_MOST_BUTTONS: Final = 14
"""As many as characters can move; of more, as placements are, one is an example."""


class ReplyLine(msgspec.Struct, frozen=True):
    """A line that is an answer, and the link that begins a mail which says it."""

    line: str
    mailto: str


class ReplyLines(msgspec.Struct, frozen=True):
    """How a question is answered by mail.

    `example` is a line that would do, "" where nothing is asked; `each` are all there
    are, none where they are too many.
    """

    example: str = ""
    each: tuple[ReplyLine, ...] = ()


NONE: Final = ReplyLines()


def of(offers: Sequence[Answer], address: Address) -> ReplyLines:
    """How a question is answered by mail, by what it allows anybody."""
    lines = [line(offer) for offer in offers]
    if not lines:
        return NONE
    few = lines if len(lines) <= _MOST_BUTTONS else []
    return ReplyLines(
        lines[0], tuple(ReplyLine(line, _mailto(address, line)) for line in few)
    )


def line(offer: Answer) -> str:
    """An answer in one line; a floor goes by its number, which every castle shows."""
    match offer:
        case Ballot(card=card):
            return nouns.card_name(card)
        case Move(character=character):
            return nouns.name_of(character)
        case Placement(character=character, place=place):
            return f"{nouns.name_of(character)} {place}"
        case _:
            assert_never(offer)


def _mailto(address: Address, line: str) -> str:
    """A link that opens a mail program, with everything written but the sending."""
    # A plus would be a space to some of them.
    to = quote(address.addr_spec, safe="@")
    return f"mailto:{to}?subject={quote(_SUBJECT)}&body={quote(line)}"
