"""Counts: so many of a key until its time is up, in this process or in Valkey."""

import hashlib
import threading
import time
from collections.abc import Callable
from enum import Enum, auto
from typing import Any, Final, Protocol, cast

import msgspec
import redis
import structlog
from redis.backoff import NoBackoff
from redis.retry import Retry

_PREFIX: Final = "kingup:limit:"
_TIMEOUT_SECONDS: Final = 0.1
_REST_SECONDS: Final = 5.0
_MOST_KEYS: Final = 50_000

_log = structlog.get_logger()


class Want(msgspec.Struct, frozen=True):
    """One more of `key`, of which there may be `most`, and of `all_key`, if it is set.

    Of what all share, `all_most`, the last quarter is for those who have had none.
    """

    key: str
    most: int
    seconds: int
    all_key: str | None = None
    all_most: int = 0

    @property
    def open_to_all(self) -> int:
        """How many of what all share are there for whoever has had some."""
        return self.all_most - self.all_most // 4


class Refused(Enum):
    """Why there is no more: one's own is used up, or what all share."""

    OWN = auto()
    ALL = auto()


class Count(msgspec.Struct, frozen=True):
    """How many there are of a key now, and where they are counted."""

    count: int
    refused: Refused | None
    where: "Counts"


class Counts(Protocol):
    """Where something is counted."""

    def admit(self, want: Want) -> Count:
        """Count one more, if there may be one."""

    def give_back(self, want: Want) -> None:
        """Count one less: it wasn't made."""


# The strategies of the library `limits` (5.8) do less than this. What was refused
# counts for them too, and nothing is given back in Valkey. What is left takes a second
# way there. They keep no last quarter for whoever had none. In memory they keep every
# name until its time is up, 200,000 of a crowd, start a thread before we fork, and take
# 90 to 240 µs for a request where this takes 18.
class Memory:
    """Counts in this process.

    With too many keys it forgets those of which there are fewest: whoever asks under
    many names, a few times each, wipes out nobody's count but their own.
    """

    def __init__(
        self,
        most_keys: int = _MOST_KEYS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most_keys = most_keys
        self._clock = clock
        self._counts: dict[str, tuple[int, float]] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._counts)

    def admit(self, want: Want) -> Count:
        """Count one more, if there may be one."""
        now = self._clock()
        with self._lock:
            mine = self._count(want.key, now)
            if mine >= want.most:
                return Count(mine, Refused.OWN, self)
            if want.all_key is not None:
                together = self._count(want.all_key, now)
                if together >= (want.open_to_all if mine else want.all_most):
                    return Count(mine, Refused.ALL, self)
                self._put(want.all_key, together + 1, now + want.seconds, now)
            self._put(want.key, mine + 1, now + want.seconds, now)
        return Count(mine + 1, None, self)

    def give_back(self, want: Want) -> None:
        """Count one less, if there are any."""
        with self._lock:
            for key in (want.key, want.all_key):
                if key in self._counts:
                    count, end = self._counts[key]
                    self._counts[key] = max(0, count - 1), end

    def _count(self, key: str, now: float) -> int:
        count, end = self._counts.get(key, (0, 0.0))
        return count if end > now else 0

    def _put(self, key: str, count: int, end: float, now: float) -> None:
        if key not in self._counts and len(self._counts) >= self._most_keys:
            self._forget_fewest(now)
        self._counts[key] = count, end if count == 1 else self._counts[key][1]

    def _forget_fewest(self, now: float) -> None:
        kept = [item for item in self._counts.items() if item[1][1] > now]
        if len(kept) > self._most_keys // 2:
            kept.sort(key=lambda item: item[1][0], reverse=True)
            del kept[self._most_keys // 2 :]
        self._counts = dict(kept)


# Scripts, since nothing comes in between: two at once don't both get the last one, and
# no key is left without its end by a process that dies after INCR.
_ADMIT: Final = """
local mine = tonumber(redis.call('GET', KEYS[1]) or '0')
if mine >= tonumber(ARGV[1]) then return {mine, 1} end
if KEYS[2] then
    local together = tonumber(redis.call('GET', KEYS[2]) or '0')
    local most = tonumber(mine > 0 and ARGV[3] or ARGV[4])
    if together >= most then return {mine, 2} end
end
for _, key in ipairs(KEYS) do
    if redis.call('INCR', key) == 1 then redis.call('EXPIRE', key, ARGV[2]) end
end
return {mine + 1, 0}
"""
_GIVE_BACK: Final = """
for _, key in ipairs(KEYS) do
    if tonumber(redis.call('GET', key) or '0') > 0 then redis.call('DECR', key) end
end
"""
_REASONS: Final = (None, Refused.OWN, Refused.ALL)


class Shared:
    """Counts of all processes together, in Valkey; here while that is down or silent.

    It is waited for a tenth of a second at most, then not again for a while.
    """

    def __init__(self, redis_url: str, secret: bytes) -> None:
        self._secret = secret
        self._here = Memory()
        self._there = redis.Redis.from_url(
            redis_url,
            socket_timeout=_TIMEOUT_SECONDS,
            socket_connect_timeout=_TIMEOUT_SECONDS,
            # Else the client tries again by itself, with pauses in which a request
            # waits.
            retry=Retry(NoBackoff(), 0),
        )
        self._admit = self._there.register_script(_ADMIT)
        self._give_back = self._there.register_script(_GIVE_BACK)
        self._rests_until = 0.0

    def admit(self, want: Want) -> Count:
        """Count one more, if there may be one."""
        figures = (want.most, want.seconds, want.open_to_all, want.all_most)
        found = self._call(self._admit, want, figures)
        if found is None:
            return self._here.admit(want)
        count, reason = cast(list[int], found)
        return Count(count, _REASONS[reason], self)

    def give_back(self, want: Want) -> None:
        """Count one less, if there are any and Valkey is there."""
        self._call(self._give_back, want, ())

    def _call(self, script: Any, want: Want, figures: tuple[int, ...]) -> object:
        """What a script returns; None while Valkey is away."""
        if time.monotonic() < self._rests_until:
            return None
        keys = [self._hidden(key) for key in (want.key, want.all_key) if key]
        try:
            found: object = script(keys=keys, args=figures)
        except (redis.RedisError, OSError) as error:
            self._rests_until = time.monotonic() + _REST_SECONDS
            _log.warning("limits_counted_here", error=type(error).__name__)
            return None
        return found

    def _hidden(self, key: str) -> str:
        """A key that names nobody's address to whoever reads Valkey."""
        hashed = hashlib.blake2b(key.encode(), key=self._secret, digest_size=16)
        return f"{_PREFIX}{hashed.hexdigest()}"
