"""People who act through the handlers, as requests do once they are understood."""

import random
from contextlib import suppress
from uuid import UUID

from engine import views
from engine.board import Seat
from engine.bots import BOTS
from engine.errors import Refusal
from service.game import acts_taken_back, handlers
from service.store import devices, games
from service.store.transactions import transaction
from service.values import entropy
from service.values.errors import Problem
from service.values.principals import DeviceHolder, System
from tests.rig.service import seated
from tests.rig.simulator.mail_server import Delivery


class ByHandlers:
    """Acts for a seat by a remembered browser, with the judgement of a bot."""

    def __init__(self, game_id: UUID, seat: int, chance: random.Random) -> None:
        self._game_id = game_id
        self._seat = Seat(seat)
        self._chance = chance
        self._answered: int | None = None
        with transaction():
            person = seated.person_on(game_id, seat)
            token = devices.remember(game_id, person, seat)
        self._proof = DeviceHolder(entropy.digest(token))

    def answer(self, letter: Delivery | None) -> bool:
        """Answer the open decision, if it asks this seat."""
        with transaction():
            seen = games.read(self._game_id, System())
        assert seen is not None
        game = seen.game
        if not game.asks(self._seat) or game.has_bot(self._seat):
            return False
        answer = BOTS["steady"](views.view(game, self._seat), self._chance)
        self._answered = game.last_decision
        handlers.answer(self._game_id, self._proof, game.last_decision, answer)
        return True

    def hold_up(self, days: int) -> None:
        """Pause the game, and extend its question, where that may be."""
        with suppress(Refusal, Problem):
            handlers.pause(self._game_id, self._proof, days)
        with transaction():
            seen = games.read(self._game_id, System())
        assert seen is not None
        with suppress(Refusal, Problem):
            handlers.extend(self._game_id, self._proof, seen.game.last_decision)

    def take_back(self) -> None:
        """Take the latest answer back, where that may be."""
        if self._answered is not None:
            with suppress(Refusal, Problem):
                acts_taken_back.take_back(self._game_id, self._proof, self._answered)

    def leave(self) -> None:
        """Leave the seat to a bot."""
        handlers.depart(self._game_id, self._proof, self._seat)

    def come_back(self, letter: Delivery | None) -> bool:
        """Take the seat again; False in the round in which a bot took it."""
        try:
            handlers.come_back(self._game_id, self._proof, self._seat)
        except Refusal:
            return False
        return True
