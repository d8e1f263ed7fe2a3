"""Who asks: bearer tokens of programs, and how they are issued."""

from collections.abc import Collection
from enum import StrEnum
from uuid import UUID

import msgspec
from flask import Request

from service.rate_limits import charging
from service.store import people, tokens
from service.store.people import Profile
from service.store.tokens import BearerRow
from service.store.transactions import transaction
from service.values import addresses, entropy, names
from service.values.errors import Forbidden, Unauthorized
from service.values.principals import Bearer
from service.values.signed_tokens import Origin


class Scope(StrEnum):
    """What a token may be good for."""

    READ = "games:read"
    PLAY = "games:play"
    CREATE = "games:create"
    INVITE = "invite"
    MESSAGES = "messages"
    PROFILE = "profile"


SCOPES = tuple(scope.value for scope in Scope)
"""All of them, in their usual order."""

OF_ACCOUNTS = (Scope.CREATE, Scope.PROFILE)
"""For what a token of one game is good in that game alone: all else is its owner's."""

_FATES = {None: "bad-token", True: "revoked-token", False: "expired-token"}
"""Why a token is no good, by whether it was revoked."""

_SCHEME = "bearer"
_BLANKS = " \t"


def in_order(scopes: Collection[str]) -> tuple[str, ...]:
    """Scopes in their usual order, each once."""
    return tuple(scope for scope in SCOPES if scope in scopes)


def bearer(request: Request, scope: str) -> Bearer | None:
    """The token a request brings, wanting `scope`; None when it brings none.

    Raises Unauthorized for a header that holds no token of ours.
    """
    if "HTTP_AUTHORIZATION" not in request.environ:
        return None
    found = token_hash(request)
    if found is None:
        charging.refuse()
        raise Unauthorized(reason="not-bearer")
    return Bearer(found, scope)


def token_hash(request: Request) -> bytes | None:
    """The hash of the token a request brings, whatever it may be; None without one."""
    token = brought(request.environ.get("HTTP_AUTHORIZATION", ""))
    return None if token is None else entropy.digest(token)


def brought(header: str) -> str | None:
    """The token in a header of a request; None where it holds none of ours."""
    # However it is spelled it is the same token, or each spelling had limits of its
    # own.
    scheme, _, token = header.strip(_BLANKS).partition(" ")
    return token.strip(_BLANKS) if token and scheme.lower() == _SCHEME else None


def require(proof: Bearer | None) -> BearerRow:
    """Whose token it is. Raises Unauthorized, or Forbidden for a missing scope."""
    if proof is None:
        raise Unauthorized(reason="no-token")
    row = tokens.bearer(proof.token_hash)
    if row is None:
        charging.refuse()
        raise Unauthorized(reason=_FATES[tokens.was_revoked(proof.token_hash)])
    if proof.scope not in row.scopes:
        raise Forbidden(reason="scope", scope=proof.scope)
    return row


def account(proof: Bearer | None) -> UUID:
    """Whose account it is; a token for one game is good for none.

    Raises Unauthorized, or Forbidden for a missing scope and for a token of one game.
    """
    owner = require(proof)
    if owner.game_id is not None:
        raise Forbidden(reason="one-game")
    return owner.person_id


def issue_token(address: str, name: str | None = None) -> str:
    """A token with every scope for an address, which counts as verified by it.

    Somebody we don't know yet is called `name`: never by a part of the address, which
    others would see. For whoever runs the instance. Raises Invalid.
    """
    with transaction():
        mailbox = addresses.parse(address, "address")
        called = names.clean(name or names.of_seat(0), "name")
        person = people.known_or_new(mailbox, Profile(called))
        people.spell(person.id, mailbox)
        profile = person.profile
        if name is not None:
            profile = msgspec.structs.replace(profile, name=called)
        people.verify(person.id, profile)
        return tokens.issue(person.id, "operator", SCOPES).token


def game_token(person_id: UUID, game_id: UUID) -> str:
    """A token good for one game, for somebody who practises."""
    scopes = (Scope.READ.value, Scope.PLAY.value)
    # Signed as a mailbox's, a token that anybody gets by a click would be served among
    # those of people who are known.
    issued = tokens.issue(person_id, "practice", scopes, game_id, origin=Origin.ANYBODY)
    return issued.token
