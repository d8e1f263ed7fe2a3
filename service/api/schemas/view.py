"""The view of a game: what one viewer may see, and may do."""

from marshmallow import fields, validate

from engine.board import Verdict
from engine.state import Kind, Phase
from service.api.schemas.answer import OfferSchema
from service.api.schemas.base import HEAD, Moment, Reply, Request
from service.api.schemas.edition import PlaceSchema
from service.api.schemas.game import STATUSES, OptionsSchema, SeatSchema

MOST = 2**31 - 1
"""The highest number that anything has."""

_LETTERS = fields.List(fields.String())
_CARDS = fields.List(fields.String())
_POINTS = fields.List(fields.Integer())


class AtSchema(Request):
    """Which moment of a game is asked for."""

    at = fields.Integer(
        validate=validate.Range(min=1, max=MOST),
        metadata={
            "description": "How the game stood right after this record event: the same"
            " for everybody and for good."
        },
    )


class StandingSchema(PlaceSchema):
    """A place and who stands there."""

    characters = _LETTERS


class DecisionSchema(Reply):
    """The question the game waits on; `offers` is what it allows anybody."""

    number = fields.Integer()
    kind = fields.Enum(Kind, by_value=True)
    question = fields.String(metadata={"description": "In the reader's language."})
    seat = fields.Integer(
        allow_none=True, metadata={"description": "Who is asked; null: everybody."}
    )
    nominee = fields.String(
        allow_none=True,
        metadata={"description": "Who would be king; null outside an election."},
    )
    mover = fields.Integer(
        allow_none=True,
        metadata={"description": "The seat that put them up; null where nobody did."},
    )
    deadline = Moment(
        allow_none=True,
        metadata={"description": "When it is answered for whoever hasn't; or null."},
    )
    offers = fields.List(
        fields.Nested(OfferSchema),
        metadata={
            "description": "What the rules allow, the same for every reader; what you"
            " may answer yourself is `legal`."
        },
    )


class ElectionSchema(Reply):
    """An election that is over."""

    decision = fields.Integer()
    nominee = fields.String(metadata={"description": "Who was to be king."})
    mover = fields.Integer(metadata={"description": "The seat that put them up."})
    verdict = fields.Enum(
        Verdict, by_value=True, metadata={"description": "What became of them."}
    )


class ShowingSchema(Reply):
    """The cards of an election, in seat order, as long as they lie on the table."""

    election = fields.Nested(ElectionSchema)
    cards = _CARDS


class RoundSchema(Reply):
    """A round that is over, in seat order."""

    round = fields.Integer()
    king = fields.String(metadata={"description": "Whom it crowned."})
    favourites = fields.List(fields.List(fields.String()))
    points = _POINTS
    bonus = _POINTS
    totals = _POINTS


class OwnSchema(Reply):
    """What is your seat's own; nobody else gets it."""

    seat = fields.Integer()
    favourites = fields.List(
        fields.String(),
        metadata={
            "description": "The characters on your card, which bring you points."
        },
    )
    hand = fields.List(
        fields.String(),
        metadata={
            "description": "The cards you still hold; `hand` of the view is what all"
            " began with."
        },
    )
    laid = fields.String(
        allow_none=True,
        metadata={"description": "The card you have laid in the open election."},
    )


class ViewSchema(Reply):
    """A game as one viewer may see it now, or as everybody may know it was."""

    game = fields.UUID()
    status = fields.String(validate=validate.OneOf(STATUSES))
    record = fields.Integer()
    head = fields.String(
        metadata={
            "description": "Number and hash of the latest record event.",
            "pattern": HEAD,
        }
    )
    seats = fields.List(fields.Nested(SeatSchema))
    seat = fields.Integer(
        allow_none=True,
        metadata={
            "description": "Your own, also when the game is over; null for whoever sits"
            " elsewhere, and in the past."
        },
    )
    edition = fields.String(attribute="view.edition")
    rules = fields.Integer(
        attribute="view.rules",
        metadata={"description": "The version of its rules."},
    )
    options = fields.Nested(OptionsSchema, attribute="view.options")
    phase = fields.Enum(Phase, by_value=True, attribute="view.phase")
    round = fields.Integer(attribute="view.round")
    first = fields.Integer(
        allow_none=True,
        metadata={
            "description": "The seat that began the round; null before the start."
        },
    )
    crown = fields.Integer(attribute="view.crown", allow_none=True)
    places = fields.List(fields.Nested(StandingSchema))
    unplaced = fields.List(
        fields.String(),
        attribute="view.unplaced",
        metadata={"description": "Characters that have no place yet this round."},
    )
    hand = fields.List(
        fields.String(),
        attribute="view.hand",
        metadata={
            "description": "The cards with which every seat begins a round; what you"
            " still hold is `own.hand`."
        },
    )
    decision = fields.Nested(DecisionSchema, allow_none=True)
    elections = fields.List(
        fields.Nested(ElectionSchema),
        attribute="view.elections",
        metadata={"description": "Those of this round that are over, in their order."},
    )
    showings = fields.List(
        fields.Nested(ShowingSchema),
        attribute="view.showings",
        metadata={"description": "Cards served by name now; none in the past."},
    )
    laid = fields.List(
        fields.Integer(),
        attribute="view.laid",
        allow_none=True,
        metadata={
            "description": "Who had laid a card at an election's latest reminder; null"
            " before the first one."
        },
    )
    rounds = fields.List(fields.Nested(RoundSchema), attribute="view.rounds")
    totals = fields.List(fields.Integer(), attribute="view.totals")
    reason = fields.String(
        attribute="view.reason",
        allow_none=True,
        metadata={"description": "How it ended: finished or cancelled."},
    )
    winners = fields.List(fields.Integer(), attribute="view.winners")
    own = fields.Nested(
        OwnSchema,
        attribute="view.own",
        allow_none=True,
        metadata={
            "description": "What your seat alone knows; null for whoever has none, and"
            " before and after the game."
        },
    )
    legal = fields.List(
        fields.Nested(OfferSchema),
        metadata={"description": "What you may answer now; empty when not asked."},
    )
