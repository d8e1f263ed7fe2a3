"""Tokens, asked for."""

from datetime import UTC, datetime
from typing import Any

from marshmallow import ValidationError, fields, validates_schema

from service.api.schemas.base import Request
from service.api.schemas.typed import name_field
from service.api.schemas.validators import Length, Range
from service.auth import bearer
from service.auth.bearer import Scope
from service.auth.tokens import TokenWish

_LONGEST = 366 * 24 * 60 * 60
_FIRST, _LAST = datetime(2000, 1, 1, tzinfo=UTC), datetime(2999, 12, 31, tzinfo=UTC)
_NAME = "What you call it, so that you know it again."


def scopes_field(description: str, **more: Any) -> fields.List[Scope]:
    """What a token shall be good for, in a request: in order, each once."""
    return fields.List(
        fields.Enum(Scope, by_value=fields.String),
        validate=Length(min=1, max=len(bearer.SCOPES)),
        post_load=bearer.in_order,
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
        validate=Range(min=1, max=most),
        metadata={"description": description},
    )


def _check_our_times(moment: datetime) -> None:
    if not _FIRST <= moment <= _LAST:
        raise ValidationError("number")


class TokenCreationSchema(Request):
    """A new token; it ends with the one that makes it, if not earlier."""

    makes = TokenWish
    description = name_field(
        required=True,
        metadata={"description": _NAME},
    )
    scopes = scopes_field("No more than the token has that asks for it.", required=True)
    game = only_game_field()
    expires_in = lifetime_field(_LONGEST, "Seconds until it is good no more.")
    expires_at = fields.AwareDateTime(
        load_default=None,
        allow_none=True,
        validate=_check_our_times,
        metadata={"description": "The same as a moment; only one of the two."},
    )

    @validates_schema
    def _one_end(self, values: dict[str, Any], **_: object) -> None:
        if values["expires_in"] is not None and values["expires_at"] is not None:
            raise ValidationError("two-ends", "expires_at")
