"""Subscriptions: who waits here for news of which game, or of whose games."""

import itertools
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import TypeVar
from uuid import UUID

_Made = TypeVar("_Made")


class News:
    """There is news of a game: what is read of it now serves all who are notified.

    `proofs` are the hashes of the tokens that they brought.
    """

    def __init__(self, game_id: UUID, proofs: frozenset[bytes]) -> None:
        self.game_id = game_id
        self.proofs = proofs
        # What is made of a reading takes it from here, too.
        self._lock = threading.RLock()
        self._begun: float | None = None
        self._made: dict[object, object] = {}
        self._failed: dict[object, Exception] = {}

    def once(self, key: object, make: Callable[[], _Made]) -> _Made:
        """What `make` returns or raises, a single time for all who want `key`.

        Only for what is the same for all of them. A failure is shared, too: nobody
        waits in a row with others for a database that is away.
        """
        with self._lock:
            if self._begun is None:
                self._begun = time.monotonic()
            if key in self._failed:
                raise self._failed[key]
            if key not in self._made:
                try:
                    self._made[key] = make()
                except Exception as error:
                    self._failed[key] = error
                    raise
            made: _Made = self._made[key]  # type: ignore[assignment]  # by the same key
            return made

    def was_read_before(self, moment: float) -> bool:
        """Whether the reading had begun already at a moment of the machine's clock."""
        return self._begun is not None and self._begun < moment


class Subscription:
    """One who waits; `number` is another one for each, `proof` their token's hash."""

    def __init__(self, number: int, proof: bytes | None) -> None:
        self.number = number
        self.proof = proof
        self._called = threading.Event()
        self._lock = threading.Lock()
        self._news: dict[UUID, News] = {}
        self._missed = False

    def notify(self, news: News) -> None:
        """End the waiting, now or when it begins: there is news of a game."""
        with self._lock:
            self._news[news.game_id] = news
        self._called.set()

    def wake(self) -> None:
        """End the waiting: there may be news of anything."""
        with self._lock:
            self._missed = True
        self._called.set()

    def wait(self, seconds: float) -> tuple[News, ...]:
        """Wait for news, at most so long; the latest of each game since the last time.

        There is none when the time is up, or when nobody knows of what there is news:
        whoever waits then reads by themself.
        """
        entered = time.monotonic()
        self._called.wait(seconds)
        # Cleared before the news are taken: what comes in between ends the next wait,
        # where cleared afterwards it would be forgotten.
        self._called.clear()
        with self._lock:
            news, self._news = self._news, {}
            missed, self._missed = self._missed, False
        # While one was busy with what one read last, others may have read something
        # older, or with rights that one has no more.
        if missed or any(each.was_read_before(entered) for each in news.values()):
            return ()
        return tuple(news.values())


class Subscriptions:
    """Everybody in this process who waits.

    `listen` is called for each of them and makes sure, at once, that somebody hears of
    news and notifies us.
    """

    def __init__(self, listen: "Callable[[Subscriptions], None]") -> None:
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self._numbers = itertools.count()
        self._games: dict[UUID, set[Subscription]] = {}
        self._people: dict[UUID, set[Subscription]] = {}
        self._listen = listen

    def watch_game(
        self, game_id: UUID, proof: bytes | None = None
    ) -> AbstractContextManager[Subscription]:
        """Wait for news of a game; what was read before doesn't count."""
        return self._watch(self._games, game_id, proof)

    def watch_person(
        self, person_id: UUID, proof: bytes
    ) -> AbstractContextManager[Subscription]:
        """Wait for news of any game in which a person has a seat."""
        return self._watch(self._people, person_id, proof)

    @contextmanager
    def _watch(
        self, topics: dict[UUID, set[Subscription]], key: UUID, proof: bytes | None
    ) -> Iterator[Subscription]:
        with self._lock:
            subscription = Subscription(next(self._numbers), proof)
            topics.setdefault(key, set()).add(subscription)
            self._listen(self)
            # Whoever was woken by the end is already gone through: nobody else would
            # wake this one.
            if self.closed:
                subscription.wake()
        try:
            yield subscription
        finally:
            with self._lock:
                topics[key].discard(subscription)
                if not topics[key]:
                    del topics[key]

    @property
    def closed(self) -> bool:
        """Whether everybody is to go."""
        return self._closing.is_set()

    def rest(self, seconds: float) -> None:
        """Hear no news for so long, unless everybody is to go."""
        self._closing.wait(seconds)

    @property
    def waits_for_people(self) -> bool:
        """Whether anybody waits for news of a person's games."""
        return bool(self._people)

    def notify(self, games: Mapping[UUID, Collection[UUID]]) -> None:
        """There is news of some games, at which the people sit who stand behind them.

        They matter only if `waits_for_people`.
        """
        with self._lock:
            for game_id, people in games.items():
                waiting = set(self._games.get(game_id, ()))
                waiting.update(*(self._people.get(each, ()) for each in people))
                proofs = (each.proof for each in waiting if each.proof is not None)
                news = News(game_id, frozenset(proofs))
                for subscription in waiting:
                    subscription.notify(news)

    def wake_all(self) -> None:
        """There may be news of anything: nobody knows what was missed."""
        with self._lock:
            for topics in (self._games, self._people):
                for subscription in itertools.chain(*topics.values()):
                    subscription.wake()

    def close(self) -> None:
        """Let everybody go, and whoever comes after them."""
        self._closing.set()
        self.wake_all()
