"""People who act through the handlers, as requests do once they are understood."""

import random
from contextlib import suppress
from itertools import starmap
from typing import Final
from uuid import UUID

from engine import views
from engine.board import Card, Seat
from engine.bots import BOTS
from engine.errors import Refusal
from service.api.schemas.standing_answer import MOST_PLACEMENTS
from service.game import acts_taken_back, answering_ahead, handlers, table_acts
from service.store import devices, games
from service.store.transactions import transaction
from service.values import entropy
from service.values.errors import Problem
from service.values.principals import DeviceHolder, System
from service.values.wishes import (
    WishedCard,
    WishedElection,
    WishedPlacement,
    Wishes,
)
from tests.rig.service import seated
from tests.rig.simulator.mail_server import Delivery

_VETOES: Final = 0.43
"""How often a steady player with a No lays it on a nominee who is no favourite."""


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
        """Pause the game, extend its question, propose to end it, where that may be."""
        with suppress(Refusal, Problem):
            table_acts.pause(self._game_id, self._proof, days)
        with transaction():
            seen = games.read(self._game_id, System())
        assert seen is not None
        with suppress(Refusal, Problem):
            table_acts.extend(self._game_id, self._proof, seen.game.last_decision)
        with suppress(Refusal, Problem):
            table_acts.propose(self._game_id, self._proof)

    def take_back(self) -> None:
        """Take the latest answer back, where that may be."""
        if self._answered is not None:
            with suppress(Refusal, Problem):
                acts_taken_back.take_back(self._game_id, self._proof, self._answered)

    def answer_ahead(self) -> None:
        """Wish for all placements in some order, and vote as whoever is asked does."""
        with transaction():
            seen = games.read(self._game_id, System())
        assert seen is not None
        if not seen.game.running:
            return
        possible = list(answering_ahead.placeable(seen.game.law))
        self._chance.shuffle(possible)
        placements = tuple(starmap(WishedPlacement, possible[:MOST_PLACEMENTS]))
        own = views.view(seen.game, self._seat).own
        liked = () if own is None else own.favourites
        named = tuple(WishedCard(each, Card.YES) for each in liked)
        other = Card.NO if self._chance.random() < _VETOES else Card.YES
        wishes = Wishes(placements, election=WishedElection(named, other))
        with suppress(Refusal, Problem):
            answering_ahead.lay(self._game_id, self._proof, wishes)

    def leave(self) -> None:
        """Leave the seat to a bot."""
        table_acts.depart(self._game_id, self._proof, self._seat)

    def come_back(self, letter: Delivery | None) -> bool:
        """Take the seat again; False in the round in which a bot took it."""
        try:
            table_acts.come_back(self._game_id, self._proof, self._seat)
        except Refusal:
            return False
        return True
