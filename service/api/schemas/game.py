"""Games: asked for, found and described."""

from collections.abc import Mapping
from typing import Any, ClassVar

import msgspec
from marshmallow import fields, post_load, validate

from engine.bots import BOTS
from engine.commands import History, PlacementOption
from engine.editions import EDITIONS
from service.api.schemas.base import HEAD, Moment, Reply, Request, Variants
from service.api.schemas.terms import MOST_SEATS, TermsSchema
from service.api.schemas.typed import address_field, name_field, word_field
from service.store.games import head_of
from service.store.lists import GameFilter
from service.tables.creation import (
    DEFAULT_BOT,
    DEFAULT_EDITION,
    VISIBILITIES,
    BotSeat,
    Guest,
    OpenSeat,
    SeatWish,
    TableWish,
)
from service.tables.options import TermsChange
from service.tables.practice import NAME, THREE, Against
from service.values.enums import GameStatus, SeatState, Visibility

STATUSES = tuple(status.value for status in GameStatus)
KINDS = ("person", "bot", "open")
STATES = tuple(state.value for state in SeatState)
_BOT = fields.String(validate=validate.OneOf(sorted(BOTS)))


class GuestSchema(Request):
    """Somebody to be invited; called after their seat until they say otherwise."""

    kind = fields.String(required=True, validate=validate.Equal("person"))
    address = address_field(required=True)
    name = name_field(blank=True, load_default="")


class BotSeatSchema(Request):
    """A seat for a bot."""

    kind = fields.String(required=True, validate=validate.Equal("bot"))
    bot = fields.String(load_default=DEFAULT_BOT, validate=validate.OneOf(sorted(BOTS)))


class OpenSeatSchema(Request):
    """A seat for whoever comes first; not where `visibility` is `players`."""

    kind = fields.String(required=True, validate=validate.Equal("open"))


class SeatWishSchema(Variants):
    """Who shall sit on a seat."""

    forms: ClassVar = {
        "person": GuestSchema(),
        "bot": BotSeatSchema(),
        "open": OpenSeatSchema(),
    }

    def made(self, kind: str, values: Mapping[str, str]) -> SeatWish:
        """The wish for a seat."""
        match kind:
            case "bot":
                return BotSeat(values["bot"])
            case "open":
                return OpenSeat()
            case _:
                return Guest(values["address"], values["name"])


class TableWishSchema(TermsSchema):
    """A new table: you on seat 0, the others beside you, clockwise."""

    seats = fields.List(
        fields.Nested(SeatWishSchema),
        required=True,
        validate=validate.Length(min=1, max=MOST_SEATS - 1),
    )
    edition = fields.String(
        load_default=DEFAULT_EDITION, validate=validate.OneOf(sorted(EDITIONS))
    )
    visibility = fields.String(
        load_default=Visibility.LINK.value, validate=validate.OneOf(VISIBILITIES)
    )
    word = word_field()

    @post_load
    def made(self, values: dict[str, Any], **_: object) -> tuple[str, TableWish]:
        """The word for the shuffle, and the wish for the table."""
        word, seats = values.pop("word"), tuple(values.pop("seats"))
        return word, TableWish(seats=seats, **values)


class TableChangeSchema(TermsSchema):
    """What shall be otherwise at a table; what isn't named stays."""

    visibility = fields.String(validate=validate.OneOf(VISIBILITIES))

    @post_load
    def made(self, values: dict[str, Any], **_: object) -> TermsChange:
        """The wish."""
        return TermsChange(**values)


class PractiserSchema(Request):
    """Somebody who practises, and against whom."""

    name = name_field(load_default=NAME)
    edition = fields.String(
        load_default=DEFAULT_EDITION, validate=validate.OneOf(sorted(EDITIONS))
    )
    bots = fields.List(
        _BOT,
        load_default=list(THREE.bots),
        validate=validate.Length(min=1, max=MOST_SEATS - 1),
        metadata={"description": "One bot a seat, clockwise from you."},
    )

    @post_load
    def made(self, values: dict[str, Any], **_: object) -> tuple[str, Against]:
        """The name, and whom and what it practises against."""
        return values["name"], Against(values["edition"], tuple(values["bots"]))


YES_OR_NO: Mapping[str, Any] = {
    "truthy": {"true"},
    "falsy": {"false"},
    "load_default": False,
}
"""What a parameter of the query takes that is true or false."""


class PageSchema(Request):
    """Which part of a list is wanted."""

    limit = fields.Integer(load_default=50, validate=validate.Range(min=1, max=200))
    cursor = fields.String(
        validate=validate.Length(max=200),
        metadata={"description": "From the `Link` of the page before."},
    )


class Page(msgspec.Struct, frozen=True):
    """A part of a list, and of which one."""

    limit: int
    cursor: str | None
    wanted: GameFilter

    @property
    def filters(self) -> Mapping[str, str]:
        """What is wanted, as a query says it."""
        named = msgspec.structs.asdict(self.wanted)
        return {
            name: "true" if value is True else value
            for name, value in named.items()
            if value
        }


class WantedSchema(PageSchema):
    """Which games are wanted, and which part of their list."""

    status = fields.String(validate=validate.OneOf(STATUSES))
    edition = fields.String(validate=validate.OneOf(sorted(EDITIONS)))
    open = fields.Boolean(
        **YES_OR_NO,
        metadata={"description": "Listed tables with a seat for whoever comes."},
    )
    mine = fields.Boolean(
        **YES_OR_NO, metadata={"description": "Games in which you sit."}
    )

    @post_load
    def made(self, values: dict[str, Any], **_: object) -> Page:
        """The page that is wanted."""
        limit, cursor = values.pop("limit"), values.pop("cursor", None)
        return Page(limit, cursor, GameFilter(**values))


class SeatSchema(Reply):
    """A place at the table.

    A seat of kind `open` is for whoever comes first. In a view of the past `name` and
    `state` are null: they are no part of the record.
    """

    number = fields.Integer()
    name = fields.String(allow_none=True)
    kind = fields.String(validate=validate.OneOf(KINDS))
    bot = fields.String(allow_none=True)
    state = fields.String(allow_none=True, validate=validate.OneOf(STATES))
    program = fields.Boolean(
        allow_none=True,
        metadata={"description": "A program plays for the person, as they say."},
    )


class OptionsSchema(Reply):
    """What the host has chosen, every default filled in."""

    rounds = fields.Integer(metadata={"description": "How many are played."})
    placement = fields.String(
        validate=validate.OneOf([each.value for each in PlacementOption]),
        metadata={"description": "Who places the characters: the players, or chance."},
    )
    ballot_history = fields.String(
        validate=validate.OneOf([each.value for each in History]),
        metadata={"description": "How long the cards of an election stay readable."},
    )
    first = fields.Integer(
        allow_none=True,
        metadata={"description": "The seat that begins; null: drawn."},
    )
    decision_time = fields.Integer(
        allow_none=True,
        metadata={"description": "Seconds that a decision waits for; null: for ever."},
    )


class GameSchema(Reply):
    """A game as a thing; how it stands is in its view."""

    id = fields.UUID()
    status = fields.String(validate=validate.OneOf(STATUSES))
    edition = fields.String()
    options = fields.Nested(OptionsSchema)
    visibility = fields.String(validate=validate.OneOf(VISIBILITIES))
    practice = fields.Boolean()
    seats = fields.List(fields.Nested(SeatSchema))
    seat = fields.Integer(
        allow_none=True, metadata={"description": "Your own, or null."}
    )
    record = fields.Integer(metadata={"description": "The latest record event."})
    head = fields.Function(
        lambda game: head_of(game.record, game.head),
        metadata={"type": "string", "pattern": HEAD},
    )
    created_at = Moment()
    started_at = Moment(allow_none=True)
    ended_at = Moment(allow_none=True)


class GameAndRematchSchema(GameSchema):
    """A game as a thing, and where its players meet again."""

    rematch = fields.String(
        allow_none=True,
        metadata={"description": "The game's rematch, or null.", "format": "uri"},
    )


class GamesSchema(Reply):
    """A page of games, the newest first; `Link` leads to the next one."""

    games = fields.List(fields.Nested(GameSchema))


class PracticeSchema(Reply):
    """A practice game that has begun; the token is shown only now."""

    game = fields.UUID()
    seat = fields.Integer()
    token = fields.String(
        metadata={"description": "Good for this game alone: Authorization: Bearer."}
    )
    view = fields.String(metadata={"format": "uri"})
