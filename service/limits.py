"""How much anybody may ask of this instance, and how much of it they have asked.

Counting begins anew with every minute or hour of the clock. What only guards this
process is counted in its memory. What would be abuse from many sides, or of many
processes, is counted in Valkey; while that is down or silent, in memory too. The clock
is the machine's: nothing here is a fact of a game, or worth a question to the database.
"""

import hashlib
import re
import threading
import time
from collections.abc import Callable
from enum import Enum, auto
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import Final, cast

import msgspec
import structlog
from flask import Flask, current_app
from limits.errors import StorageError
from limits.storage import RedisStorage
from redis.backoff import NoBackoff
from redis.retry import Retry

from service.config import Config
from service.errors import TooManyRequests

_KEY: Final = "kingup_limits"
_PREFIX: Final = "kingup:limit"
_PATIENCE: Final = 0.1
_REST_SECONDS: Final = 5.0
_MOST: Final = 50_000
_SUBNET_BITS: Final = 64
_TOKENS_A_NETWORK: Final = 10
_TOKEN: Final = re.compile(r"\s*(?i:bearer)\s+(kup_[a-z2-7]{26})\s*")

_MINUTE: Final = 60
_HOUR: Final = 3600

_log = structlog.get_logger()


class Whose(Enum):
    """By whom something is counted.

    ASKER: the token, and more widely its network; the network alone where there is
    none. NETWORK: the address that a request comes from; of IPv6 its first half.
    INSTANCE: all together.
    """

    ASKER = auto()
    NETWORK = auto()
    INSTANCE = auto()


class Rule(msgspec.Struct, frozen=True):
    """So many of a kind in so many seconds; `shared` by all processes, or by one."""

    name: str
    amount: int
    seconds: int
    whose: Whose = Whose.ASKER
    shared: bool = False


READING: Final = Rule("reading", 600, _MINUTE)
PAINTING: Final = Rule("painting", 60, _MINUTE)
WRITING: Final = Rule("writing", 120, _MINUTE)
CREATING: Final = Rule("creating", 60, _HOUR, shared=True)
SIGNING_IN: Final = Rule("signing-in", 10, _HOUR, Whose.NETWORK, shared=True)
PRACTISING: Final = Rule("practising", 20, _HOUR, Whose.NETWORK, shared=True)
PRACTICES: Final = Rule("practices", 1000, _HOUR, Whose.INSTANCE, shared=True)


class Taken(msgspec.Struct, frozen=True):
    """What is left of a limit, and in how many seconds all of it is there again.

    `over` is set for whoever asked for more than there was.
    """

    limit: int
    left: int
    seconds: int
    over: bool


class Memory:
    """Counts in this process. Forgets all at once when there are too many."""

    def __init__(self) -> None:
        self._counts: dict[str, tuple[int, float]] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._counts)

    def incr(self, key: str, expiry: int) -> int:
        """One more of a key, which is forgotten `expiry` seconds after its first."""
        now = time.monotonic()
        with self._lock:
            count, end = self._counts.get(key, (0, 0.0))
            if end <= now:
                count, end = 0, now + expiry
                self._make_room(now)
            self._counts[key] = count + 1, end
        return count + 1

    def _make_room(self, now: float) -> None:
        if len(self._counts) < _MOST:
            return
        kept = {key: each for key, each in self._counts.items() if each[1] > now}
        self._counts = kept if len(kept) < _MOST // 2 else {}


class Limits:
    """All counts of one app. `factor` is how many times as much as usual is allowed."""

    def __init__(
        self,
        factor: int,
        redis_url: str,
        secret: str,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._factor = factor
        self._redis_url = redis_url
        self._secret = hashlib.sha256(secret.encode()).digest()
        self._clock = clock
        self._here = Memory()
        self._there: RedisStorage | None = None
        self._rests_until = 0.0

    @property
    def limiting(self) -> bool:
        """Whether anything is limited at all."""
        return self._factor > 0

    def take(self, rule: Rule, whose: str) -> Taken | None:
        """Count one more; None where nothing is limited.

        Waits for Valkey a tenth of a second at most, then not again for a while.
        """
        if not self._factor:
            return None
        now, most = self._clock(), rule.amount * self._factor
        window = int(now // rule.seconds)
        left = rule.seconds - int(now - window * rule.seconds)
        count = self._counted(rule, f"{rule.name}:{window}:{whose}")
        return Taken(most, max(0, most - count), left, count > most)

    def _counted(self, rule: Rule, key: str) -> int:
        if not rule.shared or time.monotonic() < self._rests_until:
            return self._here.incr(key, rule.seconds)
        try:
            return self._storage().incr(self._hidden(key), rule.seconds)
        except (StorageError, OSError) as error:
            self._rests_until = time.monotonic() + _REST_SECONDS
            _log.warning("limits_counted_here", error=type(error).__name__)
            return self._here.incr(key, rule.seconds)

    def _storage(self) -> RedisStorage:
        if self._there is None:
            self._there = RedisStorage(
                self._redis_url,
                key_prefix=_PREFIX,
                wrap_exceptions=True,
                socket_timeout=_PATIENCE,
                socket_connect_timeout=_PATIENCE,
                retry=cast(str, Retry(NoBackoff(), 0)),
            )
        return self._there

    def _hidden(self, key: str) -> str:
        """A key that names nobody's address to whoever reads Valkey."""
        return hashlib.blake2b(
            key.encode(), key=self._secret, digest_size=16
        ).hexdigest()


def init_app(app: Flask, settings: Config) -> None:
    """Let an app count."""
    app.extensions[_KEY] = Limits(
        settings.rate_limits, settings.redis_url, settings.secret_key
    )


def current() -> Limits:
    """The counts of the current app."""
    return cast(Limits, current_app.extensions[_KEY])


def key(rule: Rule, address: str | None, proof: str | None = None) -> str:
    """Under whom a request counts: its token's header is `proof`, where it has one.

    A header that can't be a token of ours counts as none.
    """
    token = _token(proof)
    match rule.whose:
        case Whose.INSTANCE:
            return ""
        case Whose.ASKER if token is not None:
            return hashlib.blake2b(token.encode(), digest_size=16).hexdigest()
        case _:
            return network(address or "")


def in_turn(rule: Rule, proof: str | None) -> tuple[Rule, ...]:
    """What a request counts for under a rule, the widest first.

    Whoever brings a token counts for the network it comes from too, which may ask ten
    times as much: tokens can be made up.
    """
    if rule.whose is not Whose.ASKER or _token(proof) is None:
        return (rule,)
    return _of_network(rule), rule


@lru_cache
def _of_network(rule: Rule) -> Rule:
    return msgspec.structs.replace(
        rule,
        name=f"{rule.name}-network",
        amount=rule.amount * _TOKENS_A_NETWORK,
        whose=Whose.NETWORK,
    )


def _token(proof: str | None) -> str | None:
    found = None if proof is None else _TOKEN.fullmatch(proof)
    return None if found is None else found[1]


@lru_cache(maxsize=4096)
def network(address: str) -> str:
    """Where an address belongs: itself, or the network of one site for IPv6."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        # A socket, or a proxy that names none: they all count as one.
        return "unknown"
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return f"{int(found) >> _SUBNET_BITS:016x}::/{_SUBNET_BITS}"


def of_page(*rules: Rule, address: str | None) -> None:
    """Count what a page does for whoever sends it. Raises TooManyRequests."""
    for rule in rules:
        taken = current().take(rule, key(rule, address))
        if taken is not None and taken.over:
            raise TooManyRequests(
                limit=rule.name,
                whose=Whose.NETWORK.name.lower(),
                most=taken.limit,
                retry_after=taken.seconds,
            )
