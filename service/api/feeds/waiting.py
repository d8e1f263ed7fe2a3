"""Who it is that waits for news, and how they read a game of which there is some."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import TypeVar
from uuid import UUID

import msgspec
from flask import request

from engine.state import Game
from service import live
from service.api.http import access
from service.api.schemas.waiting import Known
from service.auth import bearer
from service.game.visibility import is_shown
from service.live.quota import Client
from service.live.subscriptions import News, Subscription
from service.rate_limits import limits
from service.store import people, readings
from service.store.games import GameReadModel, GameRow
from service.store.readings import GameReading
from service.store.tokens import BearerRow
from service.values.principals import Bearer

_Made = TypeVar("_Made")


def client(proof: Bearer | None) -> Client:
    """The person a token belongs to, or else the network a request comes from."""
    return _network() if proof is None else client_of(bearer.require(proof))


def client_of(owner: BearerRow) -> Client:
    """The owner of a token; whoever practises counts by network.

    For of those anybody may be as many as they like.
    """
    if owner.game_id is not None:
        person = people.by_id(owner.person_id)
        if person is None or person.address is None:
            return _network()
    return Client(f"person {owner.person_id}", True)


def _network() -> Client:
    return Client(f"network {limits.network(request.remote_addr or '')}", False)


def watching(
    game_id: UUID, proof: Bearer | None
) -> AbstractContextManager[Subscription]:
    """Wait for news of a game, with a token or as a spectator."""
    token_hash = None if proof is None else proof.token_hash
    return live.current().subscriptions.watch_game(game_id, token_hash)


class GameSeen(msgspec.Struct, frozen=True):
    """A game as one who waits may see it, out of the reading that `news` led to.

    Without news it was read for them alone.
    """

    row: GameRow
    news: News | None = None

    def once(self, key: object, make: Callable[[], _Made]) -> _Made:
        """What `make` returns, a single time for all who share the reading."""
        return make() if self.news is None else self.news.once(key, make)

    def model(self) -> GameReadModel:
        """All that there is to show of it. Raises UnreadableLog."""
        return self.row.read_model(self.game())

    def game(self) -> Game:
        """The game itself. Raises UnreadableLog."""
        # All else is each reader's own, out of their own row.
        return self.once("game", self.row.game)


def shared(news: News) -> GameReading | None:
    """A game of which there is news, read once for all who wait for it here.

    None when it is gone.
    """
    read = partial(readings.read, news.game_id, news.proofs, access.READ)
    return news.once("reading", read)


def game(game_id: UUID, proof: Bearer | None, news: Sequence[News] = ()) -> GameSeen:
    """A game as whoever waits may see it now. Raises what `access.game_row_for` raises.

    Where there is news it is the one reading of all who were told.
    """
    reading = shared(news[0]) if news else None
    if reading is not None:
        row = reading.row(None if proof is None else proof.token_hash)
        if row is not None and is_shown(row):
            return GameSeen(row, news[0])
    # Why somebody is shown nothing is found out for them alone.
    return GameSeen(access.game_row_for(game_id, proof))


class ChangedAnswer:
    """What ends the waiting: another answer than those that whoever asks has.

    Who has none gets at once what there is, or else the first change.
    """

    def __init__(self, known: Known) -> None:
        self._known = known
        self._first: str | None = None

    def has_come(self, mark: str, has_news: bool) -> bool:
        """Whether the answer of a mark is to be sent; a first one if it `has_news`."""
        if self._known:
            return not self._known.has(mark)
        if self._first is None:
            self._first = mark
        return has_news or mark != self._first
