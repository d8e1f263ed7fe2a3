"""Subscriptions: who waits here for news of which game, or of whose games."""

import itertools
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar
from uuid import UUID

_Made = TypeVar("_Made")


class Topic:
    """What everybody shares who waits for news of one game or person."""

    def __init__(self) -> None:
        self.watches: set[Subscription] = set()
        self._calls = 0
        self._lock = threading.Lock()
        self._kept: dict[object, object] = {}
        self._kept_at = 0

    def call(self) -> None:
        """Tell everybody that there may be news."""
        self._calls += 1
        for watch in self.watches:
            watch.wake()

    def once(self, key: object, make: Callable[[], _Made]) -> _Made:
        """What `make` returns, made after the latest call, for all who want `key`.

        Only for what is the same for all of them.
        """
        with self._lock:
            calls = self._calls
            if self._kept_at != calls:
                self._kept, self._kept_at = {}, calls
            if key not in self._kept:
                self._kept[key] = make()
            made: _Made = self._kept[key]  # type: ignore[assignment]  # by the same key
            return made


class Subscription:
    """One who waits; `number` is another one for each."""

    def __init__(self, topic: Topic, number: int) -> None:
        self.topic = topic
        self.number = number
        self._called = threading.Event()

    def wake(self) -> None:
        """End the waiting, now or when it begins."""
        self._called.set()

    def wait(self, seconds: float) -> bool:
        """Wait for a call, at most so long; whether one came since the last time."""
        called = self._called.wait(seconds)
        self._called.clear()
        return called


class Subscriptions:
    """Everybody in this process who waits.

    `listen` is called for each of them and makes sure, at once, that somebody hears of
    news and calls.
    """

    def __init__(self, listen: "Callable[[Subscriptions], None]") -> None:
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self._numbers = itertools.count()
        self._games: dict[UUID, Topic] = {}
        self._people: dict[UUID, Topic] = {}
        self._listen = listen

    @contextmanager
    def watch_game(self, game_id: UUID) -> Iterator[Subscription]:
        """Wait for news of a game; what was read before doesn't count."""
        with self._watch(self._games, game_id) as watch:
            yield watch

    @contextmanager
    def watch_person(self, person_id: UUID) -> Iterator[Subscription]:
        """Wait for news of any game in which a person has a seat."""
        with self._watch(self._people, person_id) as watch:
            yield watch

    @contextmanager
    def _watch(self, topics: dict[UUID, Topic], key: UUID) -> Iterator[Subscription]:
        with self._lock:
            topic = topics.setdefault(key, Topic())
            watch = Subscription(topic, next(self._numbers))
            topic.watches.add(watch)
            self._listen(self)
            if self.closed:
                watch.wake()
        try:
            yield watch
        finally:
            with self._lock:
                topic.watches.discard(watch)
                if not topic.watches:
                    topics.pop(key, None)

    @property
    def closed(self) -> bool:
        """Whether everybody is to go."""
        return self._closing.is_set()

    def rest(self, seconds: float) -> None:
        """Hear no call for so long, unless everybody is to go."""
        self._closing.wait(seconds)

    @property
    def waits_for_people(self) -> bool:
        """Whether anybody waits for news of a person's games."""
        return bool(self._people)

    def call_games(self, game_ids: Iterable[UUID]) -> None:
        """There is news of some games."""
        self._call(self._games, game_ids)

    def call_people(self, person_ids: Iterable[UUID]) -> None:
        """There is news of games in which some people have seats."""
        self._call(self._people, person_ids)

    def _call(self, topics: dict[UUID, Topic], keys: Iterable[UUID]) -> None:
        with self._lock:
            for key in keys:
                if key in topics:
                    topics[key].call()

    def call_all(self) -> None:
        """There may be news of anything: nobody knows what was missed."""
        with self._lock:
            for topics in (self._games, self._people):
                for topic in topics.values():
                    topic.call()

    def close(self) -> None:
        """Let everybody go, and whoever comes after them."""
        self._closing.set()
        self.call_all()
