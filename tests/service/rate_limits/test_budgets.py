"""What many share: nobody uses it up against others, nor strangers what is a host's."""

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID

import msgspec
import psycopg
import pytest
from flask import Flask
from msgspec.structs import replace

from service.rate_limits import budgets, network_digests
from service.rate_limits.budgets import Budget
from service.store import clock, people, quotas
from service.store.people import Profile
from service.store.transactions import transaction
from service.tables import confirmation, creation, seat_changes, seating
from service.tables.confirmation import TableRequest
from service.tables.creation import BotSeat, Guest, HostWish, TableWish
from service.values import addresses
from service.values.errors import (
    Busy,
    TooManyInvitations,
)
from tests.rig.service import held, seated
from tests.rig.service.hosts import RACHEL, SIMON, TERRY, notified, to_mail
from tests.rig.service.programs import Api, operator_token
from tests.rig.service.seated import run
from worker.clock import retention

pytestmark = pytest.mark.usefixtures("inside")

MOST = 40
"""So many mails of each kind a day; one network gets ten."""


@pytest.fixture(autouse=True)
def few(inside: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    small = msgspec.structs.replace(inside.config["KINGUP"], invitations_a_day=MOST)
    monkeypatch.setitem(inside.config, "KINGUP", small)


def ip(network: int) -> str:
    return f"203.0.{network // 250}.{network % 250}"


def refusal(deed: Callable[[], object]) -> str | None:
    """Whose share is used up, so that a deed is refused; None for one that is done."""
    try:
        deed()
    except TooManyInvitations as error:
        return str(error.facts["whose"])
    return None


def draft(network: int, address: str) -> str | None:
    host = replace(RACHEL, address=address)
    table = TableWish((SIMON, BotSeat()))
    return refusal(lambda: creation.draft(host, table, None, TableRequest(ip(network))))


def use_up_drafts(networks: int) -> list[int]:
    """Have so many networks ask for all they get; how many drafts each was let make."""
    made = []
    for network in range(networks):
        count = 0
        while draft(network, f"host{network}.{count}@example.org") is None:
            count += 1
        made.append(count)
    return made


def host(inside: Flask, address: str) -> UUID:
    operator_token(Api(inside), address)
    key = {"key": address}
    found: UUID = run("SELECT id FROM person WHERE address_key = :key", key)[0][0]
    return found


def invite(host_id: UUID, network: int, guests: int, tag: str) -> str | None:
    seats = tuple(
        Guest(f"guest{n}{tag}@example.org", f"Guest {n}") for n in range(guests)
    )
    table = TableWish(seats if guests > 2 else (*seats, BotSeat(), BotSeat()))
    return refusal(lambda: creation.open_table(host_id, "", table, ip(network)))


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


def test_drafts_of_strangers_use_up_no_invitation(inside: Flask) -> None:
    host_id = host(inside, "known@example.org")
    use_up_drafts(14)

    assert invite(host_id, 99, 3, "") is None
    assert len(notified("invitation")) == 3


def test_whoever_has_just_proved_a_mailbox_uses_up_nothing_of_who_did_earlier(
    inside: Flask,
) -> None:
    earlier = host(inside, "known@example.org")
    clock.shift(timedelta(hours=25))
    for network in range(20):
        newcomer = host(inside, f"new{network}@example.org")
        for tag in range(3):
            invite(newcomer, network, 5, f"+{network}.{tag}")
    newcomer = host(inside, "newer@example.org")

    assert invite(newcomer, 99, 1, "+late") == "instance"
    assert invite(earlier, 0, 3, "+earlier") is None


def test_whoever_proves_a_mailbox_again_has_proved_it_no_later(inside: Flask) -> None:
    known = host(inside, "known@example.org")
    clock.shift(timedelta(hours=25))

    again = host(inside, "known@example.org")

    assert again == known
    assert people.proved_earlier(known)


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


def test_confirmations_asked_for_by_strangers_leave_the_hosts_own() -> None:
    with transaction():
        asked = creation.draft(RACHEL, TableWish((SIMON, TERRY)))
    seating.confirm(seated.link(asked, 0, "table"), "198.51.100.1")
    for network in range(9):
        draft(network, RACHEL.address)

    strangers = len(to_mail("confirm"))
    for _ in range(4):
        bots = TableWish((BotSeat(), BotSeat()))
        creation.draft(RACHEL, bots, None, TableRequest("198.51.100.1"))

    assert (strangers, len(to_mail("confirm"))) == (3, 6)


def test_a_remembered_browser_of_the_host_counts_for_no_stranger() -> None:
    table = seated.started(3)
    address, key = run(
        "SELECT address, address_key FROM person p JOIN seat s ON s.person_id = p.id"
        " WHERE s.game_id = :g AND s.number = 0",
        {"g": table.id},
    )[0]
    use_up_drafts(14)
    known = TableRequest(ip(0), (table.holder(0).token_hash,))
    wish = HostWish(address, Profile("Rachel"))
    other = HostWish("other@example.org", Profile("Other"))

    def lay(who: HostWish) -> str | None:
        bots = TableWish((BotSeat(), BotSeat()))
        return refusal(lambda: creation.draft(who, bots, None, known))

    assert key == address
    assert [lay(wish), lay(other)] == [None, "network"]


def test_strange_hosts_leave_room_for_those_one_has_played_with() -> None:
    table = seated.started(3)
    rachel, simon = (
        run(
            "SELECT address FROM person p JOIN seat s ON s.person_id = p.id"
            " WHERE s.game_id = :g AND s.number = :n",
            {"g": table.id, "n": number},
        )[0][0]
        for number in (0, 1)
    )
    clock.shift(timedelta(hours=25))

    def waits(address: str) -> bool:
        """Whether the guest isn't mailed yet whom the host of an address asks."""
        host = HostWish(address, Profile("Host"))
        game_id = creation.draft(host, TableWish((Guest(simon, "S"), BotSeat())))
        seated.confirm(game_id)
        rows = run(
            "SELECT due_at > created_at + interval '1 hour' FROM notice"
            " WHERE game_id = :g AND kind = 'invitation'",
            {"g": game_id},
        )
        return bool(rows[0][0])

    strange = [waits(f"strange{number}@example.org") for number in range(4)]

    assert strange == [False, False, False, True]
    assert not any(waits(rachel) for _ in range(3))


def test_a_host_asks_for_seats_and_rematches_within_the_same_budget(
    inside: Flask,
) -> None:
    host_id = host(inside, "known@example.org")
    invite(host_id, 1, 2, "+1")
    game_id = run("SELECT id FROM game")[0][0]

    seat_changes.guest(game_id, 3, "late@example.org", "Late", ip(1))

    assert run("SELECT amount FROM quota WHERE budget = 'newcomers'") == [(3,)]
    assert len(run("SELECT DISTINCT bucket FROM quota")) == 1


def test_a_confirmation_is_held_by_who_asks_for_the_same_host_alone() -> None:
    with transaction():
        mine = confirmation.hold(
            addresses.parse("a@example.org", ""), TableRequest(ip(1))
        )
        other = confirmation.hold(
            addresses.parse("b@example.org", ""), TableRequest(ip(1))
        )

    assert mine.bucket != other.bucket
    assert mine.bucket == network_digests.of_address("confirmations", "a@example.org")


def at_once(app: Flask, deeds: Sequence[Callable[[], object]]) -> list[bool]:
    """Which of some deeds of the same moment are done, and not refused."""
    barrier = threading.Barrier(len(deeds))

    def act(deed: Callable[[], object]) -> bool:
        with app.app_context():
            barrier.wait(10)
            return refusal(deed) is None

    with ThreadPoolExecutor(len(deeds)) as threads:
        return list(threads.map(act, deeds))


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has found room takes a while to count."""
    real = quotas.add_shared

    def counted(*args: Any) -> None:
        time.sleep(0.005)
        real(*args)

    monkeypatch.setattr(quotas, "add_shared", counted)


_AT_ONCE = 16


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


def test_what_all_have_used_stands_in_sixteen_rows_an_hour() -> None:
    for network in range(60):
        budgets.count(Budget.CODES, ip(network), 1)

    shards = run("SELECT DISTINCT shard FROM budget_total ORDER BY shard")
    assert shards == [(number,) for number in range(16)]
    assert run("SELECT sum(amount) FROM budget_total") == [(60,)]


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
