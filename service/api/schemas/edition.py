"""Editions: everything a client needs to draw and to play one."""

from marshmallow import fields

from engine.board import PlaceKind
from service.api.schemas.base import Reply

_CARD = fields.String()


class NamesSchema(Reply):
    """A name in each language of the API."""

    en = fields.String()
    it = fields.String()
    fr = fields.String()
    de = fields.String()


class CharacterSchema(Reply):
    """A character; the letter is its id everywhere."""

    letter = fields.String()
    name = fields.String()
    names = fields.Nested(NamesSchema)
    title = fields.String()


class PlaceSchema(Reply):
    """A place where characters stand, top to bottom in lists."""

    key = fields.String()
    name = fields.String(metadata={"description": "In the reader's language."})
    kind = fields.Enum(PlaceKind, by_value=True)
    value = fields.Integer(metadata={"description": "Points at a coronation."})
    capacity = fields.Integer(
        allow_none=True, metadata={"description": "The most it holds; null: no limit."}
    )
    beside = fields.String(
        allow_none=True, metadata={"description": "The floor a place aside belongs to."}
    )


class EditionPlaceSchema(PlaceSchema):
    """A place of an edition."""

    names = fields.Nested(NamesSchema)


class CardSchema(Reply):
    """A vote card."""

    key = fields.String()
    name = fields.String(metadata={"description": "In the reader's language."})
    names = fields.Nested(NamesSchema)


class SeatsSchema(Reply):
    """What depends on the number of seats."""

    seats = fields.Integer()
    hand = fields.List(_CARD, metadata={"description": "At the start of every round."})
    quota = fields.Dict(
        keys=fields.String(),
        values=fields.List(fields.Integer()),
        metadata={
            "description": "How many characters each seat places, in turn order, by"
            " the option `placement`; the options missing can't be chosen."
        },
    )
    bonus = fields.Dict(
        keys=fields.String(),
        values=fields.List(fields.Integer()),
        metadata={
            "description": "What each seat gets every round on top, in turn order, by"
            " the option `placement`."
        },
    )


class ChoicesSchema(Reply):
    """The options of a table; the first of each is the default."""

    rounds = fields.List(fields.Integer())
    placement = fields.List(fields.String())
    ballot_history = fields.List(fields.String())


class EditionSchema(Reply):
    """An edition of the game."""

    id = fields.String()
    name = fields.String(metadata={"description": "In the reader's language."})
    names = fields.Nested(NamesSchema)
    summary = fields.String(metadata={"description": "What it is, in a sentence."})
    rules = fields.Integer(metadata={"description": "The version of its rules."})
    start_score = fields.Integer()
    characters = fields.List(fields.Nested(CharacterSchema))
    places = fields.List(fields.Nested(EditionPlaceSchema))
    cards = fields.List(fields.Nested(CardSchema))
    tables = fields.List(fields.Nested(SeatsSchema))
    options = fields.Nested(ChoicesSchema)
    favourites = fields.List(
        fields.List(fields.String()),
        metadata={"description": "The characters on each favourites card, by number."},
    )


class EditionsSchema(Reply):
    """All editions."""

    editions = fields.List(fields.Nested(EditionSchema))
