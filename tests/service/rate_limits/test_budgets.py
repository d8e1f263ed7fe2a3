"""What many share: nobody uses it up against others, nor strangers what is a host's."""

from datetime import timedelta

import pytest
from flask import Flask

from service.rate_limits import budgets
from service.rate_limits.budgets import Budget
from service.store import clock
from service.tables import seat_changes
from tests.rig.service.hosts import notified
from tests.rig.service.seated import run
from tests.rig.service.shares import draft, host, invite, ip, use_up_drafts
from worker.clock import retention

pytestmark = pytest.mark.usefixtures("few")


def test_the_last_quarter_goes_one_each_to_networks_that_had_none() -> None:
    made = use_up_drafts(16)

    assert made == [10, 10, 10] + [1] * 10 + [0] * 3
    assert draft(99, "more@example.org") == "instance"
    assert draft(0, "more@example.org") == "network"


def test_a_day_later_all_of_a_budget_is_there_again() -> None:
    use_up_drafts(14)
    clock.shift(timedelta(hours=25))

    assert draft(0, "more@example.org") is None


def test_neighbours_with_ipv6_have_one_share_of_a_budget() -> None:
    buckets = {
        budgets.bucket(Budget.DRAFTS, address)
        for address in ("2001:db8:1:2::1", "2001:db8:1:3::9", "2001:db8:2:2::1")
    }

    assert len(buckets) == 2
    assert budgets.bucket(Budget.DRAFTS, "::ffff:203.0.113.7") == budgets.bucket(
        Budget.DRAFTS, "203.0.113.7"
    )
    assert budgets.bucket(Budget.DRAFTS, ip(1)) != budgets.bucket(Budget.CODES, ip(1))


def test_hosts_of_one_network_have_one_share_of_all_invitations(inside: Flask) -> None:
    first, second = host(inside, "a@example.org"), host(inside, "b@example.org")
    done = [invite(first, 1, 5, "+1"), invite(first, 1, 5, "+2")]

    assert done == [None, None]
    assert invite(second, 1, 1, "+3") == "network"
    assert invite(second, 2, 1, "+3") is None


def test_of_the_last_quarter_a_network_gets_one_table(inside: Flask) -> None:
    for network in range(3):
        early = host(inside, f"early{network}@example.org")
        for tag in range(2):
            invite(early, network, 5, f"+{network}.{tag}")
    late = host(inside, "late@example.org")

    assert invite(late, 50, 5, "+a") is None
    assert invite(late, 50, 1, "+b") == "instance"
    assert len(notified("invitation")) == 35
    assert run("SELECT sum(amount) FROM quota WHERE budget = 'newcomers'") == [(31,)]


def test_what_is_refused_counts_for_nothing() -> None:
    use_up_drafts(1)
    before = run("SELECT budget, bucket, amount FROM quota ORDER BY 1, 2")

    draft(0, "late@example.org")

    assert run("SELECT budget, bucket, amount FROM quota ORDER BY 1, 2") == before


def test_who_shares_a_network_can_be_read_nowhere_and_for_a_day_only() -> None:
    draft(1, "a@example.org")
    draft(1, "b@example.org")
    rows = run("SELECT q::text FROM quota q")
    clock.shift(timedelta(hours=26))

    retention.tidy()

    assert len(rows) == 3
    assert not any("203.0" in row or "example" in row for (row,) in rows)
    assert run("SELECT count(*) FROM quota") == [(0,)]


def test_a_host_asks_for_seats_and_rematches_within_the_same_budget(
    inside: Flask,
) -> None:
    host_id = host(inside, "known@example.org")
    invite(host_id, 1, 2, "+1")
    game_id = run("SELECT id FROM game")[0][0]

    seat_changes.guest(game_id, 3, "late@example.org", "Late", ip(1))

    assert run("SELECT amount FROM quota WHERE budget = 'newcomers'") == [(3,)]
    assert len(run("SELECT DISTINCT bucket FROM quota")) == 1


def test_what_all_have_used_stands_in_sixteen_rows_an_hour() -> None:
    for network in range(60):
        budgets.count(Budget.CODES, ip(network), 1)

    shards = run("SELECT DISTINCT shard FROM budget_total ORDER BY shard")
    assert shards == [(number,) for number in range(16)]
    assert run("SELECT sum(amount) FROM budget_total") == [(60,)]
