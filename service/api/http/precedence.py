"""Which of several refusals is told: what is wrong with a token comes before the rest.

A token is looked at where its game or its person is, in the statement that reads them.
So most of what is wrong with a request is seen sooner: it can't be answered in the
media type, its body isn't understood. Before any of that is told the token is looked
at, here, by itself. Whoever asks rightly pays nothing for it.
"""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, Final

from flask import Request, request

from service.api.http import annotations
from service.api.http.annotations import Who
from service.api.http.routed import operation
from service.auth import bearer
from service.present import error_texts
from service.store import failures, tokens
from service.store.tokens import BearerRow
from service.values.errors import Forbidden, PublicError, Unauthorized

_LATER: Final = frozenset(
    (
        HTTPStatus.NOT_FOUND,
        HTTPStatus.NOT_ACCEPTABLE,
        HTTPStatus.PRECONDITION_FAILED,
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
        HTTPStatus.UNPROCESSABLE_ENTITY,
    )
)
"""The statuses of what is told to nobody whose token is no good for what they ask."""


def first(error: PublicError) -> PublicError:
    """The refusal that comes first: this one, or what is wrong with the token."""
    act = operation(request) if error_texts.status(error) in _LATER else None
    if act is None:
        return error
    try:
        check(request, act)
    except Exception as earlier:
        told = failures.public(earlier)
        if told is None:
            raise
        return told
    return error


def check(asked: Request, act: Callable[..., Any]) -> None:
    """Look at a token alone, whatever else is asked for with it.

    Raises Unauthorized, or Forbidden for a missing scope and for a token of one game
    that is another or where an account is asked for.
    """
    access = annotations.access_of(act)
    if not access.security:
        return
    proof = bearer.bearer(asked, access.scope or "")
    if proof is None:
        by_ticket = "ticket" in asked.args and annotations.takes_tickets(act)
        if by_ticket or access.who in (Who.VISITOR, Who.READER):
            return
        raise Unauthorized(reason="no-token")
    owner = tokens.bearer(proof.token_hash) if access.others else None
    if owner is None or access.others not in owner.scopes:
        owner = bearer.require(proof)
    check_game(owner, asked.view_args or {}, access.scope)


def check_game(
    owner: BearerRow, places: Mapping[str, object], scope: str | None
) -> None:
    """Refuse a token of one game where it is asked for more. Raises Forbidden."""
    if owner.game_id is None:
        return
    if places.get("game_id", owner.game_id) != owner.game_id:
        raise Forbidden(reason="other-game")
    if "game_id" not in places and scope in bearer.OF_ACCOUNTS:
        raise Forbidden(reason="one-game")
