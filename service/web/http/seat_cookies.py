"""Browsers that are remembered for one seat of one game, by a cookie for each game."""

import re
from datetime import timedelta
from typing import Final
from uuid import UUID

from flask import Response, current_app, request

from service import config
from service.auth import last_use
from service.store import games
from service.store.games import GameReadModel
from service.store.transactions import transaction
from service.values import entropy
from service.values.errors import Forbidden
from service.values.principals import DeviceHolder, System

_COOKIE: Final = re.compile(r"seat_([0-9a-f]{32})")
_MAX_AGE: Final = timedelta(days=400)
"""As long as browsers keep any: the end that counts is that of the row."""

_MOST: Final = 40


def _cookie(game_id: UUID) -> str:
    return f"seat_{game_id.hex}"


def remembered() -> tuple[UUID, ...]:
    """The games this browser says it is remembered for."""
    found = (_COOKIE.fullmatch(name) for name in request.cookies)
    return tuple(UUID(each[1]) for each in found if each is not None)


def secrets() -> tuple[str, ...]:
    """What shows for which seats this browser is remembered, of any game."""
    found = (secret(game_id) for game_id in remembered())
    return tuple(each for each in found if each is not None)


def secret(game_id: UUID) -> str | None:
    """What shows for which seat of a game this browser is remembered, if it does."""
    return request.cookies.get(_cookie(game_id))


def holder(game_id: UUID) -> DeviceHolder | None:
    """The seat this browser says it is remembered for; None when it says nothing."""
    token = secret(game_id)
    return None if token is None else DeviceHolder(entropy.digest(token))


def read(game_id: UUID) -> GameReadModel | None:
    """A game as this browser may read it: as its seat, or as a spectator.

    That it is used is noted, and written down later: reading writes nothing.
    """
    device = holder(game_id)
    with transaction():
        seen = games.read(game_id, device or System())
    if device is not None and seen is not None and seen.proved:
        last_use.current().note_device(device.token_hash)
    return seen


def keep(response: Response, game_id: UUID, token: str) -> Response:
    """The response with the cookie of a seat: no script and no other site gets it.

    For a link that was mailed for it, and for practice.
    """
    # A browser sends the oldest first; too many, and no server takes its requests.
    for game in remembered()[:-_MOST]:
        response.delete_cookie(_cookie(game))
    response.set_cookie(
        _cookie(game_id),
        token,
        max_age=_MAX_AGE,
        httponly=True,
        # With Strict, nobody who reads mails on a page would be known behind their
        # links.
        samesite="Lax",
        secure=config.of(current_app).public_url.startswith("https:"),
    )
    return response


def drop(response: Response, game_id: UUID) -> Response:
    """The response that ends the cookie of a seat."""
    response.delete_cookie(_cookie(game_id))
    return response


def check_origin() -> None:
    """Refuse what a page of another site has sent. Raises Forbidden."""
    # Browsers say where a form comes from; whatever says nothing is no browser and
    # needs the form's token anyway.
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None and site not in ("same-origin", "none"):
        raise Forbidden(reason="other-site")
    origin = request.headers.get("Origin")
    if origin is not None and not _is_ours(origin):
        raise Forbidden(reason="other-site")


def _is_ours(origin: str) -> bool:
    ours = (config.of(current_app).public_url, f"{request.scheme}://{request.host}")
    return origin in ours
