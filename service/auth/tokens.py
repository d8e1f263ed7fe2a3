"""Tokens that people get: never for more than what they have, or than a mail said."""

from datetime import datetime, timedelta
from uuid import UUID

import msgspec

from service.auth import bearer
from service.store import clock, people, tokens
from service.store.grants import A_YEAR, Grant
from service.store.tokens import Issued, TokenRow
from service.store.transactions import transaction
from service.values import names
from service.values.conflicts import MoreThanMailed, TooManyTokens
from service.values.errors import Forbidden, Invalid, NotFound, Unauthorized
from service.values.principals import Bearer


class TokenWish(msgspec.Struct, frozen=True):
    """A token somebody wants: for one game or for all of them, until when.

    At most one of `expires_in`, in seconds, and `expires_at` is set; with neither the
    token is for ever.
    """

    description: str
    scopes: tuple[str, ...]
    game: UUID | None
    expires_in: int | None
    expires_at: datetime | None


def narrowed(mailed: Grant, wanted: Grant) -> Grant:
    """What is wanted of what a mail said. Raises MoreThanMailed."""
    if wanted.scopes and set(wanted.scopes) - set(mailed.scopes or bearer.SCOPES):
        raise MoreThanMailed(field="scopes")
    if mailed.game and wanted.game not in (None, mailed.game):
        raise MoreThanMailed(field="game")
    most = mailed.expires_in or A_YEAR
    if wanted.expires_in and wanted.expires_in > most:
        raise MoreThanMailed(field="expires_in")
    return Grant(
        wanted.scopes or mailed.scopes,
        wanted.game or mailed.game,
        wanted.expires_in or most,
    )


def issue(person_id: UUID, name: str, grant: Grant) -> Issued:
    """A token as granted. Raises NotFound for a game where the person has no seat."""
    if grant.game and not tokens.sits(person_id, grant.game):
        raise NotFound(what="game")
    # Whoever signs in may hold none of the others any more, so one of these is lost and
    # nobody is refused. With a token (`make_token`) one can revoke another.
    tokens.make_room(person_id)
    end = clock.now() + timedelta(seconds=grant.expires_in or A_YEAR)
    return tokens.issue(person_id, name, grant.scopes or bearer.SCOPES, grant.game, end)


def make_token(maker: Bearer, wish: TokenWish) -> Issued:
    """A token that may do no more, and for no longer, than the one that makes it.

    Raises Unauthorized for a maker that is no good, Forbidden for a scope it hasn't
    and for one of one game, NotFound for a game where its owner has no seat,
    TooManyTokens, and Invalid for the name.
    """
    with transaction():
        person_id = bearer.account(maker)
        # Whoever makes another one at the same time counts this one, too.
        if not people.hold(person_id):
            raise Unauthorized(reason="bad-token")
        own = tokens.by_hash(maker.token_hash)
        if own.revoked_at is not None:
            # It ended while this waited for whoever ended it.
            raise Unauthorized(reason="revoked-token")
        for scope in wish.scopes:
            if scope not in own.scopes:
                raise Forbidden(reason="scope", scope=scope)
        name, end = names.clean(wish.description, "name"), _end(wish, own)
        if wish.game and not tokens.sits(person_id, wish.game):
            raise NotFound(what="game")
        if tokens.count(person_id) >= tokens.MOST:
            raise TooManyTokens
        return tokens.issue(
            person_id, name, wish.scopes, wish.game, end, maker_id=own.id
        )


def _end(wish: TokenWish, maker: TokenRow) -> datetime | None:
    """When the new token ends: as wished, with its maker at the latest."""
    end = wish.expires_at
    if end is not None and end <= clock.now():
        raise Invalid(field="expires_at", reason="past")
    if wish.expires_in is not None:
        end = clock.now() + timedelta(seconds=wish.expires_in)
    ends = [each for each in (end, maker.expires_at) if each is not None]
    return min(ends, default=None)
