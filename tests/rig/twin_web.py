"""The app of one of two worlds: as it is, but for what both worlds must share.

Commitments are handles, and chance comes from a repeatable source. A leak can be
planted by its name. For gunicorn.
"""

import itertools
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from flask import Flask, Response, g, request

from service.api.http import access
from service.app import create_app
from service.store import games, sql
from service.values import entropy
from service.values.principals import System
from tests.rig.engine import twins, twins_leaks

Plant = Callable[[pytest.MonkeyPatch, Flask], None]


def app(leak: str = "") -> Flask:
    """The app of a world, with a leak or without one."""
    patch = pytest.MonkeyPatch()
    twins.handles(patch)
    patch.setattr(entropy, "source", repeatable())
    made = create_app()
    if leak:
        LEAKS[leak](patch, made)
    return made


def repeatable() -> Callable[[int], bytes]:
    """Bytes that are the same at each start."""
    counter = itertools.count()

    def drawn(size: int) -> bytes:
        return entropy.digest(f"draw {next(counter)}")[:size]

    return drawn


def etag_of_position(patch: pytest.MonkeyPatch, app: Flask) -> None:
    """The ETag of a view hangs on how long the log is, ballots and all."""
    del app
    honest = Response.add_etag

    def add_etag(answer: Response, *args: Any, **options: Any) -> None:
        if "position" in g:
            answer.set_etag(f"at-{g.position}")
        honest(answer, *args, **options)

    patch.setattr(Response, "add_etag", add_etag)
    _noticing(patch)


def counter_in_a_header(patch: pytest.MonkeyPatch, app: Flask) -> None:
    """A header counts the cards on the table."""
    _noticing(patch)

    @app.after_request
    def count(answer: Response) -> Response:
        answer.headers["X-Log"] = str(g.get("position", 0))
        return answer


def _noticing(patch: pytest.MonkeyPatch) -> None:
    """Keep how long the log of the game is that a request reads."""
    honest = access.read_model

    def seen(game_id: Any, *args: Any) -> games.GameReadModel:
        found = honest(game_id, *args)
        laid = sum(card is not None for card in found.game.ballots)
        g.position = found.record + laid
        return found

    patch.setattr(access, "read_model", seen)


def ballot_in_the_view(patch: pytest.MonkeyPatch, app: Flask) -> None:
    """The view says who has laid a card, as soon as one is laid."""
    del app
    twins_leaks.who_has_laid(patch)


def favourites_in_a_refusal(patch: pytest.MonkeyPatch, app: Flask) -> None:
    """A refusal is shorter or longer by somebody's favourites."""
    del patch

    @app.after_request
    def pad(answer: Response) -> Response:
        game_id = (request.view_args or {}).get("game_id")
        if answer.status_code < 400 or game_id is None:
            return answer
        found = games.read(game_id, System())
        if found is not None and found.game.deck:
            answer.set_data(answer.get_data() + b" " * found.game.deck[-1])
        return answer


def deck_in_the_pictures(patch: pytest.MonkeyPatch, app: Flask) -> None:
    """A picture's file name tells the next card."""
    del patch

    @app.after_request
    def name(answer: Response) -> Response:
        game_id = (request.view_args or {}).get("game_id")
        if answer.mimetype == "image/svg+xml" and game_id is not None:
            found = games.read(game_id, System())
            card = found.game.deck[-1:] if found is not None else ()
            answer.headers["Content-Disposition"] = f"inline; filename={card}.svg"
        return answer


def sealed_lines_in_the_talk(patch: pytest.MonkeyPatch, app: Flask) -> None:
    """What is read of the talk is longer by what lies with ballots."""
    del patch
    hidden = "SELECT coalesce(sum(length(line)), 0) FROM sealed_line"

    @app.after_request
    def pad(answer: Response) -> Response:
        if answer.status_code == 200 and request.path.endswith("/messages"):
            answer.set_data(answer.get_data() + b" " * sql.value(hidden))
        return answer


LEAKS: Mapping[str, Plant] = {
    plant.__name__: plant
    for plant in (
        etag_of_position,
        counter_in_a_header,
        ballot_in_the_view,
        favourites_in_a_refusal,
        deck_in_the_pictures,
        sealed_lines_in_the_talk,
    )
}
"""Each leak by its name."""
