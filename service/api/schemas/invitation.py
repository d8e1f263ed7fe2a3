"""Invitations: sent, answered."""

import msgspec
from marshmallow import fields

from service.api.schemas.base import Request
from service.api.schemas.person import zone_field
from service.api.schemas.terms import seat_field
from service.api.schemas.typed import address_field, name_field, word_field
from service.tables.refusals import InvitationAnswer
from service.values.enums import Language


class InvitationCreation(msgspec.Struct, frozen=True):
    """Whom a host asks, and to which seat."""

    address: str
    name: str
    seat: int | None


class AnsweredInvitation(msgspec.Struct, frozen=True):
    """What somebody answers to an invitation, and how they want to be addressed."""

    choice: InvitationAnswer
    name: str | None
    language: Language | None
    zone: str | None
    word: str


class InvitationCreationSchema(Request):
    """Somebody to be invited to a seat that nobody has taken."""

    makes = InvitationCreation
    address = address_field(required=True)
    name = name_field(blank=True, load_default="")
    seat = seat_field("Null: the first one that is free.", load_default=None)


class InvitationAnswerSchema(Request):
    """Your answer to an invitation; `never` lets nobody invite this address again."""

    makes = AnsweredInvitation
    choice = fields.Enum(InvitationAnswer, by_value=True, required=True)
    name = name_field(
        load_default=None,
        metadata={"description": "How you are called at the table."},
    )
    language = fields.Enum(Language, by_value=fields.String, load_default=None)
    zone = zone_field(load_default=None)
    word = word_field()
