"""Limits: counted by whom, told what is left, and counting on without Valkey."""

import socket
import threading
import time
from collections.abc import Iterator

import pytest
import redis
from flask import Flask

from service import config
from service.rate_limits import limits
from service.rate_limits.counters import Memory, Want
from service.rate_limits.limits import Limits, Party, Rule, Taken, Whose
from service.values.errors import TooManyRequests

FEW = Rule("few", 3, 60)
SHARED = Rule("shared", 3, 60, quota=True)
TOGETHER = Rule("together", 3, 60, quota=True, together=8)
AWAY = "redis://127.0.0.1:1"
ME, THEM = Party(Whose.TOKEN, "me"), Party(Whose.TOKEN, "them")


class Clock:
    """A clock that tests move."""

    def __init__(self, now: float) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def made(url: str = AWAY, factor: int = 1) -> Limits:
    return Limits(factor, url, "a secret", Clock(90.0))


def network(number: int) -> Party:
    return Party(Whose.NETWORK, f"192.0.2.{number}")


def over(counts: Limits, rule: Rule, party: Party = ME) -> bool:
    return counts.take(rule, party).over


@pytest.fixture
def silent(patient: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a server that takes connections and says nothing."""
    patient.undo()
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"redis://127.0.0.1:{server.getsockname()[1]}"


@pytest.fixture(params=["valkey", "memory"])
def counts(request: pytest.FixtureRequest, app: Flask) -> Limits:
    """Counts of what is made: in Valkey, and here while that is away."""
    settings: config.Config = app.config["KINGUP"]
    return made(settings.redis_url if request.param == "valkey" else AWAY)


def test_so_many_are_counted_and_no_more() -> None:
    counts = made()

    taken = [counts.take(FEW, ME) for _ in range(5)]

    assert [(t.limit, t.left, t.over) for t in taken] == [
        (3, 2, False),
        (3, 1, False),
        (3, 0, False),
        (3, 0, True),
        (3, 0, True),
    ]
    assert {t.seconds for t in taken} == {30}


def test_nobody_pays_for_somebody_else() -> None:
    counts = made()
    for _ in range(4):
        counts.take(FEW, THEM)

    assert not over(counts, FEW)


def test_a_token_and_a_network_of_one_name_are_two() -> None:
    counts = made()
    for _ in range(4):
        counts.take(FEW, Party(Whose.NETWORK, "me"))

    assert not over(counts, FEW)


def test_one_limit_pays_for_no_other() -> None:
    counts = made()
    for _ in range(4):
        counts.take(FEW, ME)

    assert not over(counts, Rule("other", 3, 60))


def test_counting_begins_anew_when_the_time_is_up() -> None:
    clock = Clock(90.0)
    counts = Limits(1, AWAY, "a secret", clock)
    for _ in range(4):
        counts.take(FEW, ME)

    clock.now = 119.9
    before = over(counts, FEW)
    clock.now = 120.0
    after = over(counts, FEW)

    assert (before, after) == (True, False)


def test_a_factor_allows_so_many_times_as_much_and_none_everything() -> None:
    taken = made(factor=4).take(FEW, ME)

    assert (taken.limit, taken.left) == (12, 11)
    assert not made(factor=0).limiting


def test_whoever_is_over_is_told_what_and_whose_and_how_many_and_until_when() -> None:
    counts = made()
    taken = [counts.take(FEW, network(1)) for _ in range(4)]

    with pytest.raises(TooManyRequests) as refused:
        taken[-1].check()

    assert refused.value.facts == {
        "limit": "few",
        "whose": "network",
        "most": 3,
        "retry_after": 30,
    }


def test_what_is_given_back_may_be_had_again(counts: Limits) -> None:
    for _ in range(20):
        counts.take(SHARED, ME).give_back()

    assert [over(counts, SHARED) for _ in range(4)] == [False] * 3 + [True]


def test_nothing_is_given_back_that_was_not_had(counts: Limits) -> None:
    taken = counts.take(SHARED, ME)
    for _ in range(5):
        taken.give_back()

    assert [over(counts, SHARED) for _ in range(4)] == [False] * 3 + [True]


def test_what_is_asked_for_at_once_is_no_more_than_there_is(counts: Limits) -> None:
    rule = Rule("at once", 5, 60, quota=True)
    found: list[bool] = []
    askers = [
        threading.Thread(target=lambda: found.append(over(counts, rule)))
        for _ in range(20)
    ]

    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()

    assert sorted(found) == [False] * 5 + [True] * 15


def test_of_what_strangers_share_the_last_quarter_is_for_who_had_none(
    counts: Limits,
) -> None:
    for number in (1, 1, 1, 2, 2, 2):
        assert not over(counts, TOGETHER, network(number))

    again = counts.take(TOGETHER, network(2))
    third = [counts.take(TOGETHER, network(3)) for _ in range(2)]
    last = counts.take(TOGETHER, network(4))
    nothing = counts.take(TOGETHER, network(5))

    assert (again.over, again.whose) == (True, Whose.NETWORK)
    assert [(each.over, each.whose) for each in third] == [
        (False, Whose.NETWORK),
        (True, Whose.INSTANCE),
    ]
    assert not last.over
    assert (nothing.over, nothing.whose, nothing.limit) == (True, Whose.INSTANCE, 8)


def test_what_strangers_share_is_not_needed_by_who_is_known(counts: Limits) -> None:
    for number in range(8):
        counts.take(TOGETHER, network(number))

    known = [counts.take(TOGETHER, Party(Whose.PERSON, "me")) for _ in range(4)]

    assert [each.over for each in known] == [False] * 3 + [True]
    assert known[-1].whose is Whose.PERSON


def test_what_is_given_back_is_given_back_to_all(counts: Limits) -> None:
    taken = [counts.take(TOGETHER, network(number)) for number in range(8)]
    taken[0].give_back()

    assert not over(counts, TOGETHER, network(9))


def test_all_processes_count_together_in_valkey(settings: config.Config) -> None:
    one, other = made(settings.redis_url), made(settings.redis_url)
    for _ in range(3):
        one.take(SHARED, network(1))

    assert over(other, SHARED, network(1))
    assert not over(other, SHARED, network(2))


def test_what_one_process_counts_is_its_own(settings: config.Config) -> None:
    one, other = made(settings.redis_url), made(settings.redis_url)
    for _ in range(4):
        one.take(FEW, network(3))

    assert not over(other, FEW, network(3))


def test_valkey_is_told_no_address_and_forgets(
    app: Flask, settings: config.Config
) -> None:
    made(settings.redis_url).take(TOGETHER, network(77))

    with redis.Redis.from_url(settings.redis_url) as client:
        keys = client.keys("kingup:limit*")
        ends = [client.ttl(key) for key in keys]

    assert len(keys) == 2
    assert b"192.0.2" not in b" ".join(keys)
    assert all(0 < end <= 60 for end in ends)


def test_without_valkey_each_process_counts_for_itself() -> None:
    counts = made(AWAY)

    assert [over(counts, SHARED) for _ in range(4)] == [False, False, False, True]


def test_a_silent_valkey_is_waited_for_once_and_shortly(silent: str) -> None:
    counts = made(silent)
    begun = time.monotonic()

    found = [over(counts, SHARED) for _ in range(50)]

    assert found[:4] == [False, False, False, True]
    # Waiting at each of them would take five seconds.
    assert time.monotonic() - begun < 2.5


def test_counting_costs_as_much_among_many_names_as_among_few() -> None:
    few, many = made(), made()
    plenty = Rule("plenty", 10**9, 60)
    for number in range(20_000):
        many.take(plenty, Party(Whose.NETWORK, str(number)))

    def cost(counts: Limits) -> float:
        begun = time.thread_time()
        for number in range(500):
            counts.take(plenty, Party(Whose.TOKEN, str(number)))
        return time.thread_time() - begun

    both = [(cost(few), cost(many)) for _ in range(30)]

    assert min(later for _, later in both) < 5 * min(first for first, _ in both)


def test_memory_forgets_what_is_over() -> None:
    memory = Memory(1000)

    for number in range(3000):
        memory.admit(Want(str(number), 1, 0))

    assert len(memory) <= 1000


def test_many_names_wipe_out_nobody_who_asked_often() -> None:
    memory = Memory(1000)
    much = Want("much", 5, 60)
    for _ in range(5):
        memory.admit(much)

    for number in range(20_000):
        memory.admit(Want(str(number), 5, 60))

    assert memory.admit(much).refused is not None
    assert len(memory) <= 1000


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


def test_of_proofs_without_our_mark_the_latest_good_ones_are_kept() -> None:
    unsigned = limits.Lately()
    for number in range(10_001):
        unsigned.add(str(number))
    unsigned.drop("2")

    assert ["0" in unsigned, "1" in unsigned, "2" in unsigned] == [False, True, False]


def test_what_is_taken_knows_where_it_was_counted(settings: config.Config) -> None:
    taken: Taken = made(settings.redis_url).take(FEW, ME)

    assert isinstance(taken.where, Memory)
