"""Personal access tokens: made, listed and revoked by their owner."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

import msgspec
from flask import Response
from flask.views import MethodView

from service.api.http import access, preconditions
from service.api.http.annotations import Who
from service.api.openapi.blueprint import Blueprint
from service.api.schemas.token import NewTokenSchema, TokensSchema, TokenWishSchema
from service.auth import tokens
from service.auth.tokens import TokenWish
from service.store import tokens as tokenstore
from service.store.tokens import Issued, TokenRow
from service.store.transactions import transaction
from service.values import public_urls
from service.values.errors import NotFound, TooManyTokens

blueprint = Blueprint("tokens", "Your tokens.")


def shown(issued: Issued) -> dict[str, object]:
    """A new token as its one answer has it."""
    return {**msgspec.structs.asdict(issued.row), "token": issued.token}


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


@blueprint.route("/me/tokens")
class Tokens(MethodView):
    """All your tokens."""

    @blueprint.access(Who.PERSON, access.PROFILE)
    @blueprint.response(200, TokensSchema)
    def get(self) -> dict[str, Sequence[TokenRow]]:
        """List your tokens, without their values."""
        return {"tokens": tokenstore.of_person(access.account())}

    @blueprint.once(shown_once="token", anew=_anew)
    @blueprint.access(Who.PERSON, access.PROFILE)
    @blueprint.fails(NotFound, TooManyTokens)
    @blueprint.arguments(TokenWishSchema)
    @blueprint.response(201, NewTokenSchema)
    def post(self, wish: TokenWish) -> tuple[dict[str, object], dict[str, str]]:
        """Make a token; it is shown only now.

        The same again with the same `Idempotency-Key` shows another value of it within
        a minute, and ends the first.
        It may do no more, and for no longer, than the one it is asked with.
        """
        access.account()
        preconditions.check_unmarked(shown=True)
        issued = tokens.make_token(access.token(access.PROFILE), wish)
        return shown(issued), made(issued)


@blueprint.route("/me/tokens/<uuid:token_id>")
class Token(MethodView):
    """One of your tokens."""

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
