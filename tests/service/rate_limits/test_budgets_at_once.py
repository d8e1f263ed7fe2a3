"""Budgets that many use at one moment: used up, and not used twice."""

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any
from uuid import UUID

import msgspec
import psycopg
import pytest
from flask import Flask

from service.rate_limits import budgets
from service.rate_limits.budgets import Budget
from service.store import quotas
from service.store.transactions import transaction
from service.tables import creation
from service.tables.creation import BotSeat, Guest, TableWish
from service.values.errors import Busy, TooManyInvitations
from tests.rig.service import held
from tests.rig.service.seated import run
from tests.rig.service.shares import MOST, host, invite, ip, refusal

pytestmark = pytest.mark.usefixtures("few")


@pytest.mark.parametrize(("own", "others", "comes"), [(8, 0, 0), (0, 28, 99)])
def test_what_a_request_counts_itself_leaves_it_less_room_after_a_wait_too(
    inside: Flask, outside: psycopg.Connection, own: int, others: int, comes: int
) -> None:
    budgets.count(Budget.MOVES, ip(0), own)
    for number in range(others):
        budgets.count(Budget.MOVES, ip(1 + number), 1)

    def asked() -> bool:
        with transaction():
            return budgets.has_room(Budget.MOVES, ip(0), before=1)

    def meanwhile() -> None:
        with inside.app_context():
            budgets.count(Budget.MOVES, ip(comes), 1)

    alone = asked()
    found = held.while_held(
        inside,
        outside,
        "SELECT pg_advisory_xact_lock(5464872, hashtext('moves'))",
        {},
        asked,
        meanwhile,
    )

    assert (alone, found) == (True, False)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has found room takes a while to count."""
    real = quotas.add_shared

    def counted(*args: Any) -> None:
        time.sleep(0.005)
        real(*args)

    monkeypatch.setattr(quotas, "add_shared", counted)


_AT_ONCE = 16


def at_once(app: Flask, deeds: Sequence[Callable[[], object]]) -> list[bool]:
    """Which of some deeds of the same moment are done, and not refused."""
    barrier = threading.Barrier(len(deeds))

    def act(deed: Callable[[], object]) -> bool:
        with app.app_context():
            barrier.wait(10)
            return refusal(deed) is None

    with ThreadPoolExecutor(len(deeds)) as threads:
        return list(threads.map(act, deeds))


def take_one_each(inside: Flask, budget: Budget, networks: int) -> int:
    """Have many networks ask for seven mails at once; how many all have got then."""

    def take(network: int) -> None:
        try:
            with suppress(TooManyInvitations), transaction():
                budgets.take(budget, ip(network), 7)
        except Busy:
            # A machine with much else to do: whoever waited too long comes again.
            take(network)

    def take_each(first: int) -> None:
        for network in range(first, networks, _AT_ONCE):
            take(network)

    at_once(inside, [partial(take_each, first) for first in range(_AT_ONCE)])
    return quotas.used(budget, budgets.bucket(budget, ip(0))).all


@pytest.mark.usefixtures("slow")
def test_many_at_once_use_up_a_budget_and_no_more(inside: Flask) -> None:
    assert take_one_each(inside, Budget.NEWCOMERS, 72) == MOST
    assert run("SELECT sum(amount) FROM quota") == [(MOST,)]


@pytest.mark.usefixtures("slow")
def test_of_a_usual_budget_many_at_once_leave_no_more_than_a_hundredth_over(
    inside: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = msgspec.structs.replace(inside.config["KINGUP"], invitations_a_day=1000)
    monkeypatch.setitem(inside.config, "KINGUP", usual)

    assert 1000 <= take_one_each(inside, Budget.HOSTS, 480) <= 1010


def test_hosts_of_other_networks_and_guests_do_not_wait_for_each_other(
    inside: Flask,
) -> None:
    first, second = host(inside, "a@example.org"), host(inside, "b@example.org")
    both = threading.Barrier(2)

    def lay(host_id: UUID, network: int) -> None:
        with transaction():
            assert invite(host_id, network, 2, f"+{network}") is None
            # Neither gets here before the other, unless it needn't wait for it.
            both.wait(4)

    done = at_once(inside, [partial(lay, first, 1), partial(lay, second, 2)])

    assert done == [True, True]


def test_of_two_hosts_who_ask_one_guest_the_second_waits_for_the_first(
    inside: Flask,
) -> None:
    hosts = [host(inside, f"{number}@example.org") for number in range(5)]
    one = Guest("guest@example.org", "Guest")
    wish = TableWish((one, BotSeat()))

    at_once(
        inside,
        [
            partial(creation.open_table, each, "", wish, ip(number))
            for number, each in enumerate(hosts)
        ],
    )

    now = "SELECT count(*) FROM notice WHERE kind = 'invitation' AND due_at <= {}"
    assert run(now.format("kingup_now()")) == [(3,)]
    assert run(now.format("'infinity'")) == [(5,)]
