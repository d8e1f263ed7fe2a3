"""Invitations: sent, shown to whoever holds one, answered."""

from typing import Any

import msgspec
from marshmallow import fields, post_load, validate

from service.api.schemas.base import Moment, Reply, Request
from service.api.schemas.game import STATES, STATUSES, OptionsSchema, SeatSchema
from service.api.schemas.person import zone_field
from service.api.schemas.terms import seat_field
from service.api.schemas.typed import address_field, name_field, word_field
from service.present.languages import API_LANGUAGES
from service.tables.creation import VISIBILITIES
from service.tables.seating import InvitationAnswer
from service.values.enums import InvitationState


class InvitationRequest(msgspec.Struct, frozen=True):
    """Whom a host asks, and to which seat."""

    address: str
    name: str
    seat: int | None


class AcceptanceRequest(msgspec.Struct, frozen=True):
    """What somebody answers to an invitation, and how they want to be addressed."""

    choice: InvitationAnswer
    name: str | None
    language: str | None
    zone: str | None
    word: str


class InvitationWishSchema(Request):
    """Somebody to be invited to a seat that nobody has taken."""

    address = address_field(required=True)
    name = name_field(blank=True, load_default="")
    seat = seat_field("Null: the first one that is free.", load_default=None)

    @post_load
    def made(self, values: dict[str, Any], **_: object) -> InvitationRequest:
        """The wish."""
        return InvitationRequest(**values)


class SentInvitationSchema(Reply):
    """An invitation that was mailed; addresses are told to nobody."""

    id = fields.UUID()
    seat = fields.Integer()
    name = fields.String(
        allow_none=True,
        metadata={"description": "The seat's; null once it is somebody else's."},
    )
    state = fields.String(
        validate=validate.OneOf([state.value for state in InvitationState])
    )
    created_at = Moment()


class SentInvitationsSchema(Reply):
    """All invitations to a table, the oldest first."""

    invitations = fields.List(fields.Nested(SentInvitationSchema))


class InvitationSchema(Reply):
    """What one is invited to."""

    game = fields.UUID()
    seat = fields.Integer(metadata={"description": "Yours, if you are in."})
    state = fields.String(
        validate=validate.OneOf(STATES),
        metadata={"description": "Yours: invited until you answer."},
    )
    host = fields.String(metadata={"description": "Who invites you."})
    edition = fields.String(metadata={"example": "classic"})
    options = fields.Nested(OptionsSchema)
    visibility = fields.String(validate=validate.OneOf(VISIBILITIES))
    seats = fields.List(fields.Nested(SeatSchema))
    seed = fields.String(
        metadata={
            "description": "What binds the service to the seed of the shuffle, fixed"
            " before anybody was invited. The deal hangs on the words, too.",
            "pattern": "^[0-9a-f]{64}$",
            "example": "9a3ddb5cd315e7af7dcf0c9da2b5a851"
            "736742bec76cb12d27812aee6cec3938",
        }
    )


class AcceptanceSchema(Request):
    """Your answer to an invitation; `never` lets nobody invite this address again."""

    choice = fields.Enum(InvitationAnswer, by_value=True, required=True)
    name = name_field(
        load_default=None,
        metadata={"description": "How you are called at the table."},
    )
    language = fields.String(load_default=None, validate=validate.OneOf(API_LANGUAGES))
    zone = zone_field(load_default=None)
    word = word_field()

    @post_load
    def made(self, values: dict[str, Any], **_: object) -> AcceptanceRequest:
        """The answer."""
        return AcceptanceRequest(**values)


class AcceptedSchema(Reply):
    """How the seat stands after an answer."""

    game = fields.UUID()
    seat = fields.Integer()
    state = fields.String(validate=validate.OneOf(STATES))
    status = fields.String(
        validate=validate.OneOf(STATUSES), metadata={"description": "The game's."}
    )
