"""People: signing in, and what changes of them."""

from typing import Any
from uuid import UUID

import msgspec
from marshmallow import ValidationError, fields, validates_schema

from service.api.schemas.base import Request, flag
from service.api.schemas.token import lifetime_field, only_game_field, scopes_field
from service.api.schemas.typed import address_field, name_field
from service.api.schemas.validators import Length, check_time_of_day, check_zone
from service.people.accounts import AccountChange, Arrival
from service.store.grants import A_YEAR, Grant
from service.values import free_time
from service.values.enums import Language, MailChoice
from service.values.free_time import QuietHours

_CODE = Length(max=64)
_SIGNED_IN = "sign-in"


def zone_field(**more: Any) -> fields.String:
    """The name of a time zone, in a request."""
    return fields.String(
        validate=check_zone,
        metadata={"description": "A zone's IANA name.", "example": "Europe/Rome"},
        **more,
    )


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """What a token shall be good for; None is the most there may be."""

    scopes: tuple[str, ...] | None
    game: UUID | None
    expires_in: int | None

    @property
    def grant(self) -> Grant:
        """The same, for those who grant it."""
        return Grant(self.scopes, self.game, self.expires_in)


class SignInWish(Wanted, frozen=True, kw_only=True):
    """Who wants to sign in, and what their token shall be good for."""

    address: str


class Confirmed(Wanted, frozen=True, kw_only=True):
    """A code that is sent back: for which sign-in, how somebody arrives, with what."""

    sign_in: UUID
    code: str
    description: str
    name: str | None
    language: Language | None
    zone: str | None

    @property
    def arrival(self) -> Arrival:
        """How they arrive."""
        return Arrival(self.description, self.language, self.zone, self.name)


class AddressCodes(msgspec.Struct, frozen=True):
    """What was mailed to an old address and to a new one."""

    old_code: str
    new_code: str


class GrantSchema(Request):
    """What a token shall be good for; what isn't said is the most there may be."""

    scopes = scopes_field("Null: every one.", load_default=None, allow_none=True)
    game = only_game_field()
    expires_in = lifetime_field(
        A_YEAR, "Seconds until it is good no more; null: a year."
    )


class NewSignInSchema(GrantSchema):
    """Somebody who wants to sign in, with a token that is good for so much."""

    makes = SignInWish
    address = address_field(required=True, metadata={"example": "rita@example.org"})


class SignInConfirmationSchema(GrantSchema):
    """The code from the mail, and what of all that it says is wanted."""

    makes = Confirmed
    sign_in = fields.UUID(required=True)
    code = fields.String(
        required=True, validate=_CODE, metadata={"example": "WDJB-MJHT"}
    )
    description = name_field(
        load_default=_SIGNED_IN,
        metadata={"description": "What you call the token you get."},
    )
    name = name_field(
        blank=True,
        load_default=None,
        metadata={
            "description": "How others see you, if you weren't known yet: else that is"
            " “Player 1”. Whoever is known keeps their name."
        },
    )
    language = fields.Enum(Language, by_value=fields.String, load_default=None)
    zone = zone_field(load_default=None)


def _time_of_day(name: str, example: str) -> fields.String:
    return fields.String(
        data_key=name,
        required=True,
        validate=check_time_of_day,
        metadata={"description": "HH:MM.", "example": example},
    )


class QuietHoursWishSchema(Request):
    """Hours of every day in which no question is to end that you are asked.

    By your own clock, twelve hours at most; they may go over midnight. What only keeps
    the time that was left may end then: after a pause, an outage or a late mail, and
    what is asked again since it was taken back.
    """

    makes = QuietHours
    begin = _time_of_day("from", "22:00")
    end = _time_of_day("to", "08:00")

    @validates_schema
    def _some_hours(self, values: dict[str, str], **_: object) -> None:
        if not free_time.may_be_quiet(QuietHours(**values)):
            raise ValidationError("quiet-hours", "to")


class MeUpdateSchema(Request):
    """What shall change of your account; the rest stays."""

    makes = AccountChange
    name = name_field()
    language = fields.Enum(Language, by_value=fields.String)
    zone = zone_field()
    address = address_field(
        metadata={"description": "Changes once the codes from both mailboxes are in."},
    )
    program = flag()
    quiet_hours = fields.Nested(
        QuietHoursWishSchema,
        allow_none=True,
        metadata={"description": "Null: none."},
    )
    weekends = flag(
        metadata={"description": "The same on Saturdays and Sundays, if true."}
    )
    mails = fields.Enum(
        MailChoice,
        by_value=fields.String,
        metadata={
            "description": "Which mails of a game's course you want: each at once, or"
            " only those by which you act, where the rest is told with the next."
        },
    )


class AddressConfirmationSchema(Request):
    """The codes from the old mailbox and from the new one."""

    makes = AddressCodes
    old_code = fields.String(required=True, validate=_CODE)
    new_code = fields.String(required=True, validate=_CODE)
