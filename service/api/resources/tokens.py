"""Personal access tokens: made, listed and revoked by their owner."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any
from uuid import UUID

import msgspec
from flask import Response
from msgspec import Meta

from service.api.http import access, preconditions, replies
from service.api.http.annotations import Who
from service.api.http.replies import Moment
from service.api.http.resource import Blueprint, Resource
from service.api.schemas.token import TokenCreationSchema
from service.auth import tokens
from service.auth.bearer import Scope
from service.auth.tokens import TokenWish
from service.store import tokens as tokenstore
from service.store.tokens import Issued
from service.store.transactions import transaction
from service.values import public_urls
from service.values.conflicts import TooManyTokens
from service.values.errors import NotFound

blueprint = Blueprint("tokens", "Your tokens.")


class TokenReply(msgspec.Struct, frozen=True):
    """A token without its value."""

    id: UUID
    description: str
    scopes: Sequence[Scope]
    game: UUID | None
    created_at: Moment
    expires_at: Moment | None
    last_used_at: Annotated[Moment | None, Meta(description="To some five minutes.")]
    revoked_at: Moment | None


class TokensReply(msgspec.Struct, frozen=True):
    """All your tokens, the newest first, also those that are over."""

    tokens: Sequence[TokenReply]


class CreatedTokenReply(TokenReply, frozen=True):
    """A new token; its value is shown only now."""

    token: Annotated[
        str | None,
        Meta(
            description="Authorization: Bearer. Null in an answer that is repeated"
            " after a minute."
        ),
    ]


def shown(issued: Issued) -> CreatedTokenReply:
    """A new token as its one answer has it."""
    named = msgspec.structs.asdict(issued.row)
    return replies.of(CreatedTokenReply, {**named, "token": issued.token})


def made(issued: Issued) -> dict[str, str]:
    """The headers of that answer."""
    place = public_urls.api_url("me", "tokens", issued.row.id)
    return {"Location": place, "Cache-Control": "no-store"}


def _anew(made: Mapping[str, Any]) -> str | None:
    """Another value for a token whose answer was cut; None for one made long ago.

    To whoever couldn't have made it nothing of it is shown. Raises Forbidden for a
    scope that the token it is asked with hasn't.
    """
    for scope in made["scopes"]:
        access.person(scope)
    maker = access.token(access.PROFILE).token_hash
    return tokenstore.renew(access.account(), UUID(made["id"]), maker)


@blueprint.place("/me/tokens")
class Tokens(Resource):
    """All your tokens."""

    @blueprint.access(Who.PERSON, access.PROFILE)
    @blueprint.response(200, TokensReply)
    def get(self) -> TokensReply:
        """List your tokens, without their values."""
        found = tokenstore.of_person(access.account())
        return TokensReply([replies.of(TokenReply, row) for row in found])

    @blueprint.once(shown_once="token", anew=_anew)
    @blueprint.access(Who.PERSON, access.PROFILE)
    @blueprint.fails(NotFound, TooManyTokens)
    @blueprint.arguments(TokenCreationSchema)
    @blueprint.response(201, CreatedTokenReply)
    def post(self, wish: TokenWish) -> tuple[CreatedTokenReply, dict[str, str]]:
        """Make a token; it is shown only now.

        The same again with the same `Idempotency-Key` shows another value of it within
        a minute, and ends the first.
        It may do no more, and for no longer, than the one it is asked with.
        """
        access.account()
        preconditions.check_unmarked(shown=True)
        issued = tokens.make_token(access.token(access.PROFILE), wish)
        return shown(issued), made(issued)


@blueprint.place("/me/tokens/<uuid:token_id>")
class Token(Resource):
    """One of your tokens."""

    @blueprint.named("revokeToken")
    @blueprint.access(Who.PERSON, access.PROFILE)
    @blueprint.fails(NotFound)
    @blueprint.response(204)
    def delete(self, token_id: UUID) -> Response:
        """Revoke a token; with the one it is asked with, sign out."""
        person_id = access.account()
        with transaction():
            if not tokenstore.revoke(person_id, token_id):
                raise NotFound(what="token")
            preconditions.check_unmarked()
        return Response(status=204)
