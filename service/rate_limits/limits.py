"""How much anybody may ask of this instance, and how much of it they have asked.

Counting begins anew with every ten seconds, minute or hour of the clock. What guards
this process is counted in its memory. What is made, of which all processes together
allow so much, is counted in Valkey; while that is down or silent, in memory too. The
clock is the machine's: nothing here is a fact of a game, or worth a question to the
database. By whom a request counts is decided in `charging.py`.
"""

import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from enum import StrEnum
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import Final, cast

import msgspec
from flask import Flask, current_app

from service.config import Config
from service.rate_limits.counters import Counts, Memory, Refused, Shared, Want
from service.values import signed_tokens
from service.values.errors import TooManyRequests

_KEY: Final = "kingup_limits"
_SUBNET_BITS: Final = 64
_MOST_LATELY: Final = 10_000

_TEN_SECONDS: Final = 10
_MINUTE: Final = 60
_HOUR: Final = 3600


class Whose(StrEnum):
    """Whose a limit is, as it is told.

    NETWORK: the address that a request comes from; of IPv6 its first half. INSTANCE:
    all who have proved no mailbox, together.
    """

    TOKEN = "token"  # noqa: S105 - what it is called
    LINK = "link"
    BROWSER = "browser"
    PERSON = "person"
    NETWORK = "network"
    INSTANCE = "instance"


class By(StrEnum):
    """By whom a rule counts.

    ASKER: by what proves who asks, else by the network. NETWORK: by that, whatever is
    shown. PERSON: by whoever has proved a mailbox, else by the network and by all
    networks together.
    """

    ASKER = "asker"
    NETWORK = "network"
    PERSON = "person"


class Rule(msgspec.Struct, frozen=True):
    """So many of a kind in so many seconds.

    A `quota` is of what was made: all processes count it together, and what was refused
    is given back. `together` is how many all networks may have.
    """

    name: str
    amount: int
    seconds: int
    by: By = By.ASKER
    quota: bool = False
    together: int | None = None


READING: Final = Rule("reading", 600, _MINUTE)
WRITING: Final = Rule("writing", 120, _MINUTE)
PAGES: Final = Rule("pages", 600, _MINUTE)
# What it takes to play has limits of its own, and short ones: whoever polls one of them
# in a tight loop learns of their turn by the other at once, and by it in ten seconds.
VIEWS: Final = Rule("views", 100, _TEN_SECONDS)
TURNS: Final = Rule("turns", 100, _TEN_SECONDS)
REFUSED: Final = Rule("refused-proofs", 120, _MINUTE, By.NETWORK)
PICTURES: Final = Rule("pictures", 60, _MINUTE, quota=True)
TABLES: Final = Rule("tables", 60, _HOUR, quota=True)
CODES: Final = Rule("codes", 10, _HOUR, By.NETWORK, quota=True)
PRACTICE: Final = Rule(
    "practice-games", 20, _HOUR, By.PERSON, quota=True, together=1000
)


class Party(msgspec.Struct, frozen=True):
    """Who is counted: a token, a network, a person … by a key that is theirs alone."""

    whose: Whose
    key: str


class Taken(msgspec.Struct, frozen=True):
    """What is left of a limit, and in how many seconds all of it is there again.

    `over` is set for whoever asked for more than there was; `whose` it was.
    """

    rule: Rule
    whose: Whose
    limit: int
    left: int
    seconds: int
    over: bool
    want: Want
    where: Counts

    def check(self) -> None:
        """Raise TooManyRequests for what is over."""
        if self.over:
            raise TooManyRequests(
                limit=self.rule.name,
                whose=self.whose.value,
                most=self.limit,
                retry_after=self.seconds,
            )

    def give_back(self) -> None:
        """Let somebody else have it: it made nothing."""
        self.where.give_back(self.want)


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
        self._clock = clock
        # Windows and their ends by one clock: neither is over before the other.
        self._here = Memory(clock=clock)
        self._shared = Shared(redis_url, hashlib.sha256(secret.encode()).digest())
        self.signer = signed_tokens.signer(secret)
        self.unsigned = Lately()
        self.refused = Lately()

    @property
    def limiting(self) -> bool:
        """Whether anything is limited at all."""
        return self._factor > 0

    def take(self, rule: Rule, party: Party) -> Taken:
        """Count one more, if there is one. Something is limited, or it is never asked.

        Only for a quota it may wait for Valkey.
        """
        now, most = self._clock(), rule.amount * self._factor
        window = int(now // rule.seconds)
        left = rule.seconds - int(now - window * rule.seconds)
        of = f"{rule.name}:{window}"
        want = Want(f"{of}:{party.whose}:{party.key}", most, rule.seconds)
        if rule.together is not None and party.whose is Whose.NETWORK:
            together = rule.together * self._factor
            want = msgspec.structs.replace(want, all_key=of, all_most=together)
        outcome = (self._shared if rule.quota else self._here).admit(want)
        if outcome.refused is Refused.ALL:
            most, whose, remaining = want.all_most, Whose.INSTANCE, 0
        else:
            whose, remaining = party.whose, max(0, most - outcome.count)
        over = outcome.refused is not None
        return Taken(rule, whose, most, remaining, left, over, want, outcome.where)


class Lately:
    """The proofs of which something was found here lately: that they were good, or not.

    Good ones that we haven't signed are older than signatures, or than the instance's
    secret; signed ones that were no good have ended.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[str, None] = OrderedDict()
        self._lock = threading.Lock()

    def __contains__(self, key: str) -> bool:
        return key in self._kept

    def add(self, key: str) -> None:
        """Keep a proof."""
        with self._lock:
            self._kept[key] = None
            self._kept.move_to_end(key)
            if len(self._kept) > _MOST_LATELY:
                self._kept.popitem(last=False)

    def drop(self, key: str) -> None:
        """Keep a proof no more."""
        with self._lock:
            self._kept.pop(key, None)


def init_app(app: Flask, settings: Config) -> None:
    """Let an app count."""
    app.extensions[_KEY] = Limits(
        settings.rate_limits, settings.redis_url, settings.secret_key
    )


def current() -> Limits:
    """The counts of the current app."""
    return cast(Limits, current_app.extensions[_KEY])


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
    # A customer gets a /64 at least, and picks any of its addresses for each request.
    return f"{int(found) >> _SUBNET_BITS:016x}::/{_SUBNET_BITS}"
