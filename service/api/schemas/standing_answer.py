"""Standing answers, as they are laid."""

from typing import Any, Final

from marshmallow import fields, post_load

from engine.board import Card
from service.api.schemas.base import Request
from service.api.schemas.validators import Length, OneOf
from service.values.wishes import (
    WishedCard,
    WishedElection,
    WishedMove,
    WishedPlacement,
    Wishes,
)

MOST_PLACEMENTS: Final = 60
"""More than there are characters and floors to choose from."""

_MOST_NOMINEES: Final = 20
_KEY = Length(min=1, max=16)
_OTHERWISE = (Card.YES.value, Card.NO.value)


def _key() -> fields.String:
    return fields.String(required=True, validate=_KEY)


class PlacementWishSchema(Request):
    """A character that you want on a floor."""

    makes = WishedPlacement
    character = _key()
    place = _key()


class MoveWishSchema(Request):
    """Your one next move, to the very place you name: the throne only if you do."""

    makes = WishedMove
    character = _key()
    to = _key()


class CardWishSchema(Request):
    """The card to lay where a character is up for king, whether you hold it or not."""

    makes = WishedCard
    nominee = _key()
    card = fields.Enum(Card, by_value=fields.String, required=True)


class ElectionWishSchema(Request):
    """What to lay in elections."""

    nominees = fields.List(
        fields.Nested(CardWishSchema),
        load_default=list,
        validate=Length(min=0, max=_MOST_NOMINEES),
        metadata={"description": "If one is named twice the first counts."},
    )
    otherwise = fields.String(
        data_key="else",
        required=True,
        validate=OneOf(_OTHERWISE, "ElseCard"),
        metadata={"description": "The card for whoever isn't named."},
    )

    @post_load
    def made(self, values: dict[str, Any], **_: object) -> WishedElection:
        """The cards, by the nominee and for all others."""
        return WishedElection(tuple(values["nominees"]), Card(values["otherwise"]))


class StandingAnswersUpdateSchema(Request):
    """What shall be answered for you; what isn't named is asked of you."""

    makes = Wishes
    placements = fields.List(
        fields.Nested(PlacementWishSchema),
        load_default=list,
        validate=Length(min=0, max=MOST_PLACEMENTS),
        metadata={"description": "The first that is possible by then is placed."},
    )
    move = fields.Nested(MoveWishSchema, load_default=None, allow_none=True)
    election = fields.Nested(ElectionWishSchema, load_default=None, allow_none=True)
