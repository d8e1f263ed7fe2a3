"""Tokens: asked for, listed, shown once."""

from datetime import UTC, datetime
from typing import Any

from marshmallow import ValidationError, fields, post_load, validate, validates_schema

from service.api.schemas.base import Moment, Reply, Request
from service.api.schemas.typed import name_field
from service.auth import bearer
from service.auth.tokens import TokenWish

_LONGEST = 366 * 24 * 60 * 60
_FIRST, _LAST = datetime(2000, 1, 1, tzinfo=UTC), datetime(2999, 12, 31, tzinfo=UTC)
_NAME = "What you call it, so that you know it again."
_SCOPE = validate.OneOf(bearer.SCOPES)


def scopes_field(description: str, **more: Any) -> fields.List[str]:
    """What a token shall be good for, in a request."""
    return fields.List(
        fields.String(validate=_SCOPE),
        validate=validate.Length(min=1, max=len(bearer.SCOPES)),
        metadata={"description": description},
        **more,
    )


def only_game_field() -> fields.UUID:
    """The game that a token shall be good for alone, in a request."""
    return fields.UUID(
        load_default=None,
        allow_none=True,
        metadata={"description": "The one game it shall be good for; null: all."},
    )


def lifetime_field(most: int, description: str) -> fields.Integer:
    """How many seconds a token shall be good, in a request."""
    return fields.Integer(
        load_default=None,
        allow_none=True,
        strict=True,
        validate=validate.Range(min=1, max=most),
        metadata={"description": description},
    )


def _in_our_times(moment: datetime) -> None:
    if not _FIRST <= moment <= _LAST:
        raise ValidationError("number")


class TokenWishSchema(Request):
    """A new token; it ends with the one that makes it, if not earlier."""

    name = name_field(
        required=True,
        metadata={"description": _NAME},
    )
    scopes = scopes_field("No more than the token has that asks for it.", required=True)
    game = only_game_field()
    expires_in = lifetime_field(_LONGEST, "Seconds until it is good no more.")
    expires_at = fields.AwareDateTime(
        load_default=None,
        allow_none=True,
        validate=_in_our_times,
        metadata={"description": "The same as a moment; only one of the two."},
    )

    @validates_schema
    def _one_end(self, values: dict[str, Any], **_: object) -> None:
        if values["expires_in"] is not None and values["expires_at"] is not None:
            raise ValidationError("Not with expires_in.", "expires_at")

    @post_load
    def made(self, values: dict[str, Any], **_: object) -> TokenWish:
        """The wish, with each scope once."""
        scopes = bearer.in_order(values.pop("scopes"))
        return TokenWish(scopes=scopes, **values)


class TokenSchema(Reply):
    """A token without its value."""

    id = fields.UUID()
    name = fields.String()
    scopes = fields.List(fields.String(validate=_SCOPE))
    game = fields.UUID(allow_none=True)
    created_at = Moment()
    expires_at = Moment(allow_none=True)
    last_used_at = Moment(
        allow_none=True, metadata={"description": "To some five minutes."}
    )
    revoked_at = Moment(allow_none=True)


class TokensSchema(Reply):
    """All your tokens, the newest first, also those that are over."""

    tokens = fields.List(fields.Nested(TokenSchema))


class NewTokenSchema(TokenSchema):
    """A new token; its value is shown only now."""

    token = fields.String(
        allow_none=True,
        metadata={
            "description": "Authorization: Bearer. Null in an answer that is repeated"
            " after a minute."
        },
    )
