"""Games: asked for and found."""

from collections.abc import Mapping
from typing import Any, ClassVar

import msgspec
from marshmallow import fields

from engine.bots import BOTS
from engine.editions import EDITIONS
from service.api.schemas.base import Request, Variants
from service.api.schemas.terms import MOST_SEATS, TermsSchema
from service.api.schemas.typed import address_field, name_field, word_field
from service.api.schemas.validators import Length, OneOf, Range
from service.store.lists import GameFilter
from service.tables.creation import (
    DEFAULT_BOT,
    DEFAULT_EDITION,
    BotSeat,
    Guest,
    OpenSeat,
    TableWish,
)
from service.tables.options import TermsChange
from service.tables.practice import NAME, PACES, THREE, Against
from service.values.enums import GameStatus, Visibility

_BOT = fields.String(validate=OneOf(sorted(BOTS), "BotKind"))


class HostedTable(TableWish, frozen=True, kw_only=True):
    """A table that somebody opens, and their word for the shuffle."""

    word: str


class PracticeGameCreation(Against, frozen=True, kw_only=True):
    """Somebody who practises, what, and against whom."""

    name: str


class GuestSchema(Request):
    """Somebody to be invited; called after their seat until they say otherwise."""

    makes = Guest
    kind = fields.String(required=True, validate=OneOf(["person"]))
    address = address_field(required=True)
    name = name_field(blank=True, load_default="")


class BotSeatSchema(Request):
    """A seat for a bot."""

    makes = BotSeat
    kind = fields.String(required=True, validate=OneOf(["bot"]))
    bot = fields.String(
        load_default=DEFAULT_BOT, validate=OneOf(sorted(BOTS), "BotKind")
    )


class OpenSeatSchema(Request):
    """A seat for whoever comes first; not where `visibility` is `players`."""

    makes = OpenSeat
    kind = fields.String(required=True, validate=OneOf(["open"]))


class SeatWishSchema(Variants):
    """Who shall sit on a seat."""

    forms: ClassVar = {
        "person": GuestSchema(),
        "bot": BotSeatSchema(),
        "open": OpenSeatSchema(),
    }


class GameCreationSchema(TermsSchema):
    """A new table: you on seat 0, the others beside you, clockwise."""

    makes = HostedTable
    seats = fields.List(
        fields.Nested(SeatWishSchema),
        required=True,
        validate=Length(min=1, max=MOST_SEATS - 1),
    )
    edition = fields.String(
        load_default=DEFAULT_EDITION, validate=OneOf(sorted(EDITIONS), "EditionKey")
    )
    visibility = fields.Enum(
        Visibility, by_value=fields.String, load_default=Visibility.LINK
    )
    word = word_field()


class GameUpdateSchema(TermsSchema):
    """What shall be otherwise at a table; what isn't named stays."""

    makes = TermsChange
    visibility = fields.Enum(Visibility, by_value=fields.String)


class PracticeGameCreationSchema(Request):
    """Somebody who practises, and against whom."""

    makes = PracticeGameCreation
    name = name_field(load_default=NAME)
    edition = fields.String(
        load_default=DEFAULT_EDITION, validate=OneOf(sorted(EDITIONS), "EditionKey")
    )
    bots = fields.List(
        _BOT,
        load_default=list(THREE.bots),
        validate=Length(min=1, max=MOST_SEATS - 1),
        metadata={"description": "One bot a seat, clockwise from you."},
    )
    decision_time = fields.Integer(
        strict=True,
        allow_none=True,
        load_default=None,
        validate=Range(min=PACES.start, max=PACES.stop - 1),
        metadata={
            "description": "Seconds that a decision waits for, reminded at half time;"
            " null: for ever. `POST /v1/games/{game}/clock` lets them pass at once."
        },
    )


YES_OR_NO: Mapping[str, Any] = {
    "truthy": {"true"},
    "falsy": {"false"},
    "load_default": False,
}
"""What a parameter of the query takes that is true or false."""


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a list: of how many, and where it goes on."""

    limit: int
    cursor: str | None = None


class GamesPage(GameFilter, frozen=True, kw_only=True):
    """Which games are wanted, and which part of their list."""

    limit: int
    cursor: str | None = None

    @property
    def filters(self) -> Mapping[str, str]:
        """What is wanted, as a query says it."""
        named = {name: getattr(self, name) for name in GameFilter.__struct_fields__}
        return {
            name: "true" if value is True else value
            for name, value in named.items()
            if value
        }


class PageSchema(Request):
    """Which part of a list is wanted."""

    makes: ClassVar[Any] = Page
    limit = fields.Integer(load_default=50, validate=Range(min=1, max=200))
    cursor = fields.String(
        validate=Length(max=200),
        metadata={"description": "From the `Link` of the page before."},
    )


class WantedSchema(PageSchema):
    """Which games are wanted, and which part of their list."""

    makes = GamesPage
    status = fields.Enum(GameStatus, by_value=fields.String)
    edition = fields.String(validate=OneOf(sorted(EDITIONS), "EditionKey"))
    open = fields.Boolean(
        **YES_OR_NO,
        metadata={"description": "Listed tables with a seat for whoever comes."},
    )
    mine = fields.Boolean(
        **YES_OR_NO, metadata={"description": "Games in which you sit."}
    )
