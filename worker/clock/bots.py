"""Bots: what each answers is found first, and given at a moment that tells nothing."""

from typing import Final

from engine import views
from engine.board import Seat
from engine.bots import BOTS, blind
from engine.commands import Answer
from engine.errors import Refusal
from engine.state import Game
from service.game import handlers
from service.store import games
from service.store.due import Claimed
from service.store.transactions import transaction
from service.values import entropy
from service.values.principals import Bot, System

STEP_SECONDS: Final = 0.25
"""Answers are given at whole steps after their turns fell due, far longer than any
search, so that nobody reads from the clock what a bot had to think about."""


def think(row: Claimed) -> Answer | None:
    """A bot's answer, from its own view alone; None when it isn't asked any more.

    What a person was dealt it doesn't look at when it keeps their seat.
    """
    game = _game(row)
    bot = None if game is None else game.seats[row.seat].bot
    if game is None or bot is None:
        return None
    view = views.view(game, Seat(row.seat))
    if game.kept[row.seat] == game.round:
        return blind.answer(view, entropy.dice())
    return BOTS[bot](view, entropy.dice())


def give(row: Claimed, answer: Answer) -> None:
    """Answer for a bot, unless somebody was quicker. Raises NotAtTable."""
    try:
        handlers.answer(row.game_id, Bot(Seat(row.seat)), row.decision, answer)
    except Refusal:
        # The clock was quicker, or another sweeper's whim.
        if _game(row) is not None:
            raise


def _game(row: Claimed) -> Game | None:
    """The game, while it waits for this seat's answer to this decision."""
    with transaction():
        seen = games.read(row.game_id, System())
    if seen is None or seen.game.last_decision != row.decision:
        return None
    return seen.game if row.seat in seen.game.asked() else None
