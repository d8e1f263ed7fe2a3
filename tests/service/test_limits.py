"""Limits: counted by whom, told what is left, and counting on without Valkey."""

import socket
import time
from collections.abc import Iterator

import pytest
import redis
from flask import Flask

from service import config, limits
from service.limits import Limits, Rule, Whose

FEW = Rule("few", 3, 60)
SHARED = Rule("shared", 3, 60, Whose.NETWORK, shared=True)


class Clock:
    """A clock that tests move."""

    def __init__(self, now: float) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def made(
    url: str = "redis://127.0.0.1:1", factor: int = 1, now: float = 90.0
) -> Limits:
    return Limits(factor, url, "a secret", Clock(90.0))


def over(counts: Limits, rule: Rule, whose: str = "me") -> bool:
    taken = counts.take(rule, whose)
    assert taken is not None
    return taken.over


@pytest.fixture
def silent() -> Iterator[str]:
    """The address of a server that takes connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"redis://127.0.0.1:{server.getsockname()[1]}"


def test_so_many_are_counted_and_no_more() -> None:
    counts = made()

    taken = [counts.take(FEW, "me") for _ in range(5)]

    assert [(t.limit, t.left, t.over) for t in taken if t] == [
        (3, 2, False),
        (3, 1, False),
        (3, 0, False),
        (3, 0, True),
        (3, 0, True),
    ]
    assert {t.seconds for t in taken if t} == {30}


def test_nobody_pays_for_somebody_else() -> None:
    counts = made()
    for _ in range(4):
        counts.take(FEW, "them")

    assert not over(counts, FEW)


def test_one_limit_pays_for_no_other() -> None:
    counts = made()
    for _ in range(4):
        counts.take(FEW, "me")

    assert not over(counts, Rule("other", 3, 60))


def test_counting_begins_anew_when_the_time_is_up() -> None:
    clock = Clock(90.0)
    counts = Limits(1, "redis://127.0.0.1:1", "a secret", clock)
    for _ in range(4):
        counts.take(FEW, "me")

    clock.now = 119.9
    before = over(counts, FEW)
    clock.now = 120.0
    after = over(counts, FEW)

    assert (before, after) == (True, False)


def test_a_factor_allows_so_many_times_as_much_and_none_everything() -> None:
    taken = made(factor=4).take(FEW, "me")

    assert taken is not None
    assert (taken.limit, taken.left) == (12, 11)
    assert made(factor=0).take(FEW, "me") is None


def test_all_processes_count_together_in_valkey(settings: config.Config) -> None:
    one, other = made(settings.redis_url), made(settings.redis_url)
    for _ in range(3):
        one.take(SHARED, "192.0.2.1")

    assert over(other, SHARED, "192.0.2.1")
    assert not over(other, SHARED, "192.0.2.2")


def test_what_one_process_counts_is_its_own(settings: config.Config) -> None:
    one, other = made(settings.redis_url), made(settings.redis_url)
    for _ in range(4):
        one.take(FEW, "192.0.2.3")

    assert not over(other, FEW, "192.0.2.3")


def test_valkey_is_told_no_address(app: Flask, settings: config.Config) -> None:
    counts = made(settings.redis_url)
    counts.take(SHARED, "192.0.2.77")

    with redis.Redis.from_url(settings.redis_url) as client:
        keys = b" ".join(client.keys("*"))

    assert b"kingup:limit" in keys
    assert b"192.0.2" not in keys


def test_without_valkey_each_process_counts_for_itself() -> None:
    counts = made("redis://127.0.0.1:1")

    assert [over(counts, SHARED) for _ in range(4)] == [False, False, False, True]


def test_a_silent_valkey_is_waited_for_once_and_shortly(silent: str) -> None:
    counts = made(silent)
    begun = time.monotonic()

    found = [over(counts, SHARED) for _ in range(50)]

    assert found[:4] == [False, False, False, True]
    assert time.monotonic() - begun < 1


def test_counting_in_memory_takes_less_than_20_microseconds() -> None:
    counts = made()
    plenty = Rule("plenty", 10**9, 60)
    best = float("inf")

    for _ in range(20):
        begun = time.perf_counter()
        for number in range(500):
            counts.take(plenty, str(number))
        best = min(best, time.perf_counter() - begun)

    assert best / 500 < 20e-6


def test_memory_forgets_what_is_over() -> None:
    memory = limits.Memory()

    for number in range(120_000):
        memory.incr(str(number), 0)

    assert len(memory) <= 50_000


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "20010db800010002::/64"),
        ("2001:db8:1:2::1", "20010db800010002::/64"),
        ("fe80::1%eth0", "fe80000000000000::/64"),
        ("", "unknown"),
        ("unix:", "unknown"),
    ],
)
def test_an_address_counts_as_its_network(address: str, network: str) -> None:
    assert limits.network(address) == network


def test_whoever_has_a_token_counts_by_it_except_for_abuse() -> None:
    one, other = (f"Bearer kup_{letter * 26}" for letter in "ab")
    asker = [limits.key(FEW, "192.0.2.1", proof) for proof in (one, other)]
    abuser = [limits.key(SHARED, "192.0.2.1", proof) for proof in (one, None)]

    assert len({*asker, limits.key(FEW, "192.0.2.1")}) == 3
    assert "Bearer" not in "".join(asker)
    assert set(abuser) == {"192.0.2.1"}
