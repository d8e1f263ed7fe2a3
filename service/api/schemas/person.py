"""People: signing in, and what is kept of them."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID
from zoneinfo import available_timezones

import msgspec
from marshmallow import ValidationError, fields, post_load, validate

from engine.commands import Source
from service.api.schemas.answer import AnswerSchema
from service.api.schemas.base import Flag, Moment, Reply, Request
from service.api.schemas.device import DeviceSchema
from service.api.schemas.game import STATES, STATUSES
from service.api.schemas.token import (
    TokenSchema,
    lifetime_field,
    only_game_field,
    scopes_field,
)
from service.api.schemas.typed import address_field, name_field
from service.auth import bearer
from service.people.accounts import AccountChange, Arrival
from service.present.languages import API_LANGUAGES
from service.store.grants import A_YEAR, Grant
from service.store.outbox import MailState
from service.values.enums import InvitationState

_CODE = validate.Length(max=64)
_LANGUAGE = validate.OneOf(API_LANGUAGES)
_PURPOSES = (
    "decision",
    "next",
    "invitation",
    "table",
    "game",
    "remember",
    "devices",
)
_ZONES = available_timezones()
_SIGNED_IN = "sign-in"


def _is_zone(name: str) -> None:
    if name not in _ZONES:
        raise ValidationError("Not a known zone.")


def zone_field(**more: Any) -> fields.String:
    """The name of a time zone, in a request."""
    return fields.String(
        validate=_is_zone,
        metadata={"description": "A zone's IANA name.", "example": "Europe/Rome"},
        **more,
    )


class Confirmed(msgspec.Struct, frozen=True):
    """A code that is sent back: for which sign-in, how somebody arrives, with what."""

    sign_in: UUID
    code: str
    arrival: Arrival
    grant: Grant


class GrantSchema(Request):
    """What a token shall be good for; what isn't said is the most there may be."""

    scopes = scopes_field("Null: every one.", load_default=None, allow_none=True)
    game = only_game_field()
    expires_in = lifetime_field(
        A_YEAR, "Seconds until it is good no more; null: a year."
    )


def _granted(values: Mapping[str, Any]) -> Grant:
    """What is wanted, with each scope once."""
    scopes = bearer.in_order(values["scopes"] or ())
    return Grant(scopes or None, values["game"], values["expires_in"])


class SignInSchema(GrantSchema):
    """Somebody who wants to sign in, with a token that is good for so much."""

    address = address_field(required=True, metadata={"example": "rita@example.org"})

    @post_load
    def made(self, values: dict[str, Any], **_: object) -> tuple[str, Grant]:
        """The address, and what is wanted."""
        return values["address"], _granted(values)


class SignInAskedSchema(Reply):
    """What a code has to be sent back with, whether or not one was mailed."""

    sign_in = fields.UUID()


class ConfirmationSchema(GrantSchema):
    """The code from the mail, and what of all that it says is wanted."""

    sign_in = fields.UUID(required=True)
    code = fields.String(
        required=True, validate=_CODE, metadata={"example": "WDJB-MJHT"}
    )
    name = name_field(
        load_default=_SIGNED_IN,
        metadata={"description": "What you call the token you get."},
    )
    person_name = name_field(
        blank=True,
        load_default=None,
        metadata={
            "description": "How others see you, if you weren't known yet: else that is"
            " “Player 1”. Whoever is known keeps their name."
        },
    )
    language = fields.String(load_default=None, validate=_LANGUAGE)
    zone = zone_field(load_default=None)

    @post_load
    def made(self, values: dict[str, Any], **_: object) -> Confirmed:
        """What was asked for, the code, how its owner arrives, and with what."""
        named = ("language", "zone", "person_name")
        arrival = Arrival(values["name"], *(values[name] for name in named))
        return Confirmed(values["sign_in"], values["code"], arrival, _granted(values))


class MeSchema(Reply):
    """Your account."""

    id = fields.UUID()
    name = fields.String()
    language = fields.String(validate=_LANGUAGE)
    zone = fields.String()
    address = fields.String()
    new_address = fields.String(
        allow_none=True,
        metadata={"description": "What you change to, while its codes are good."},
    )
    program = fields.Boolean(
        metadata={"description": "A program plays for it: others see that."}
    )


class MeChangeSchema(Request):
    """What shall change of your account; the rest stays."""

    name = name_field()
    language = fields.String(validate=_LANGUAGE)
    zone = zone_field()
    address = address_field(
        metadata={"description": "Changes once the codes from both mailboxes are in."},
    )
    program = Flag()

    @post_load
    def made(self, values: dict[str, Any], **_: object) -> AccountChange:
        """The wish."""
        named = ("name", "language", "zone", "address", "program")
        return AccountChange(**{name: values.get(name) for name in named})


class AddressConfirmationSchema(Request):
    """The codes from the old mailbox and from the new one."""

    old_code = fields.String(required=True, validate=_CODE)
    new_code = fields.String(required=True, validate=_CODE)


class OwnMailSchema(Reply):
    """A mail to you: what it was about, not what it said."""

    id = fields.UUID()
    kinds = fields.List(
        fields.String(), metadata={"description": "All that it tells of."}
    )
    game = fields.UUID(allow_none=True)
    state = fields.String(validate=validate.OneOf([each.value for each in MailState]))
    created_at = Moment()
    settled_at = Moment(allow_none=True)


class OwnMailsSchema(Reply):
    """A page of your mails, the newest first; `Link` leads to the next one."""

    mails = fields.List(fields.Nested(OwnMailSchema))


class OwnSeatSchema(Reply):
    """A seat of yours."""

    game = fields.UUID()
    number = fields.Integer()
    name = fields.String()
    state = fields.String(validate=validate.OneOf(STATES))
    status = fields.String(
        validate=validate.OneOf(STATUSES), metadata={"description": "The game's."}
    )
    host = fields.Boolean()


class OwnAnswerSchema(Reply):
    """An answer you gave, or that was given for you."""

    game = fields.UUID()
    decision = fields.Integer()
    seat = fields.Integer()
    source = fields.String(
        validate=validate.OneOf([each.value for each in Source]),
        metadata={"description": "Who or what gave it."},
    )
    answer = fields.Nested(AnswerSchema)


class OwnInvitationSchema(Reply):
    """An invitation to you, or by you; whom you asked is not told again."""

    game = fields.UUID()
    seat = fields.Integer()
    received = fields.Boolean()
    state = fields.String(
        validate=validate.OneOf([each.value for each in InvitationState])
    )
    created_at = Moment()
    answered_at = Moment(allow_none=True)


class OwnLinkSchema(Reply):
    """A link you were mailed, without its secret."""

    game = fields.UUID()
    seat = fields.Integer()
    purpose = fields.String(validate=validate.OneOf(_PURPOSES))
    decision = fields.Integer(allow_none=True)
    created_at = Moment()


class OwnExportSchema(Reply):
    """All that is kept about you."""

    me = fields.Nested(MeSchema)
    created_at = Moment()
    verified_at = Moment(allow_none=True)
    seats = fields.List(fields.Nested(OwnSeatSchema))
    answers = fields.List(fields.Nested(OwnAnswerSchema))
    invitations = fields.List(fields.Nested(OwnInvitationSchema))
    links = fields.List(fields.Nested(OwnLinkSchema))
    known_networks = fields.Integer(
        metadata={
            "description": "From how many networks you proved your address in the last"
            " 180 days. Only digests of them are kept: whoever asks for codes elsewhere"
            " uses up none of yours."
        }
    )
    mails = fields.List(fields.Nested(OwnMailSchema))
    tokens = fields.List(fields.Nested(TokenSchema))
    devices = fields.List(fields.Nested(DeviceSchema))
