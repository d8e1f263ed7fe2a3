"""Who reads, and who may not: the second look at a token that got nowhere."""

from uuid import UUID

from flask import request

from engine.errors import SeatKept
from service.auth import bearer
from service.game.visibility import is_shown
from service.store import games, tokens
from service.store.games import GameReadModel, GameRow
from service.store.tokens import BearerRow
from service.values.errors import Forbidden, NotFound, Problem, Unauthorized
from service.values.principals import Bearer, System

READ, PLAY, CREATE, INVITE, MESSAGES, PROFILE = bearer.SCOPES


def token(scope: str) -> Bearer:
    """The token of this request. Raises Unauthorized when it brings none."""
    proof = bearer.bearer(request, scope)
    if proof is None:
        raise Unauthorized(reason="no-token")
    return proof


def person(scope: str) -> BearerRow:
    """Whose token it is. Raises Unauthorized, or Forbidden for a missing scope."""
    return bearer.require(bearer.bearer(request, scope))


def either(one: str, other: str) -> str:
    """Which of two scopes the token of this request has: the other, or else the one.

    Whether it has any is not asked here. Raises Unauthorized when there is no token.
    """
    found = tokens.bearer(token(one).token_hash)
    has_other = found is not None and other in found.scopes
    return other if found and has_other and one not in found.scopes else one


def account(scope: str = PROFILE) -> UUID:
    """Whose account it is; a token for one game is good for none.

    Raises Unauthorized, or Forbidden for a missing scope and for a token of one game.
    """
    return bearer.account(bearer.bearer(request, scope))


def maybe_person(scope: str) -> BearerRow | None:
    """Whose token it is; None without one. Raises what `person` raises."""
    proof = bearer.bearer(request, scope)
    return None if proof is None else bearer.require(proof)


def read_model(game_id: UUID, scope: str = READ) -> GameReadModel:
    """A game as this request may read it: with a token, or as a spectator.

    Raises what `game_row` raises, and UnreadableLog.
    """
    return game_row(game_id, scope).read_model()


def game_row(game_id: UUID, scope: str = READ) -> GameRow:
    """What tells whether a game has changed for whoever asks.

    Raises Unauthorized for a token that is no good, Forbidden for one that is good for
    something else, NotFound for a game that isn't there or isn't shown to the reader.
    """
    return game_row_for(game_id, bearer.bearer(request, scope))


def own_seat(
    game_id: UUID, scope: str, *, tells_kept: bool = False
) -> tuple[GameRow, int]:
    """A game, and the seat in it that whoever asks plays.

    Raises what `game_row` raises, Unauthorized without a token, and Forbidden for
    whoever plays none; with `tells_kept` SeatKept, where a bot keeps one for them.
    """
    token(scope)
    found = game_row(game_id, scope)
    if tells_kept and found.beside is not None:
        raise SeatKept(found.beside)
    if found.seat is None:
        raise Forbidden(reason="no-seat")
    return found, found.seat


def check_seat(game_id: UUID, seat: int, scope: str) -> None:
    """Refuse whoever plays no seat of a game, and a seat that it hasn't.

    Raises what `own_seat` raises, NotFound for no such seat, and UnreadableLog.
    """
    found, _ = own_seat(game_id, scope)
    if seat >= len(found.read_model().seats):
        raise NotFound(what="seat")


def game_row_for(game_id: UUID, proof: Bearer | None) -> GameRow:
    """The same for whoever has a token, which this request needn't bring itself."""
    found = games.find(game_id, proof or System())
    owner = None
    if proof is not None and (found is None or not found.proved):
        owner = bearer.require(proof)
    if found is None or not is_shown(found):
        raise NotFound(what="game")
    # Told last: by a 403 somebody would learn of a game that isn't shown to them.
    if owner is not None:
        raise Forbidden(reason="other-game")
    return found


def may_see(game_id: UUID) -> bool:
    """Whether whoever asks would be shown this game, too.

    Raises Unauthorized for a header that holds no token of ours.
    """
    proof = bearer.bearer(request, READ)
    found = games.find(game_id, proof or System())
    return found is not None and bool(found.proved) and is_shown(found)


def stranger(game_id: UUID, proof: Bearer) -> Problem:
    """Why a token may not act in a game; raised itself where it is no good at all."""
    owner = bearer.require(proof)
    found = games.read(game_id, proof)
    if found is None or not is_shown(found):
        return NotFound(what="game")
    if owner.game_id not in (None, game_id):
        return Forbidden(reason="other-game")
    return Forbidden(reason="no-seat")
