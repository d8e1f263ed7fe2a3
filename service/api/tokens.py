"""Personal access tokens: made, listed and revoked by their owner."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec
from flask import Response
from flask.views import MethodView

from service import clock, links, names
from service.api import access
from service.api.blueprint import Blueprint
from service.api.declared import Who
from service.errors import Forbidden, NotFound, TooManyTokens
from service.schemas.token import NewTokenSchema, TokensSchema, TokenWishSchema
from service.store import tokens
from service.store.tokens import Issued, TokenRow
from service.store.transactions import transaction

blueprint = Blueprint("tokens", "Your tokens.")


def shown(issued: Issued) -> dict[str, object]:
    """A new token as its one answer has it."""
    return {**msgspec.structs.asdict(issued.row), "token": issued.token}


def made(issued: Issued) -> dict[str, str]:
    """The headers of that answer."""
    place = links.url(f"/v1/me/tokens/{issued.row.id}")
    return {"Location": place, "Cache-Control": "no-store"}


@blueprint.route("/me/tokens")
class Tokens(MethodView):
    """All your tokens."""

    @blueprint.access(Who.PERSON, access.PROFILE)
    @blueprint.response(200, TokensSchema)
    def get(self) -> dict[str, Sequence[TokenRow]]:
        """List your tokens, without their values."""
        return {"tokens": tokens.of_person(access.account())}

    @blueprint.once(shown_once="token")
    @blueprint.access(Who.PERSON, access.PROFILE)
    @blueprint.fails(NotFound, TooManyTokens)
    @blueprint.arguments(TokenWishSchema)
    @blueprint.response(201, NewTokenSchema)
    def post(self, wish: dict[str, Any]) -> tuple[dict[str, object], dict[str, str]]:
        """Make a token; it is shown only now.

        It may do no more, and for no longer, than the one it is asked with.
        """
        person_id = access.account()
        maker = tokens.by_hash(access.token(access.PROFILE).token_hash)
        for scope in wish["scopes"]:
            if scope not in maker.scopes:
                raise Forbidden(reason="scope", scope=scope)
        name = names.clean(wish["name"], "name")
        with transaction():
            if wish["game"] and not tokens.sits(person_id, wish["game"]):
                raise NotFound(what="game")
            if tokens.count(person_id) >= tokens.MOST:
                raise TooManyTokens
            end = _end(wish, maker)
            issued = tokens.issue(person_id, name, wish["scopes"], wish["game"], end)
        return shown(issued), made(issued)


def _end(wish: Mapping[str, Any], maker: TokenRow) -> datetime | None:
    """When the new token ends: as wished, with its maker at the latest."""
    end: datetime | None = wish["expires_at"]
    if wish["expires_in"] is not None:
        end = clock.now() + timedelta(seconds=wish["expires_in"])
    ends = [each for each in (end, maker.expires_at) if each is not None]
    return min(ends, default=None)


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
            if not tokens.revoke(person_id, token_id):
                raise NotFound(what="token")
        return Response(status=204)
