"""Strangers, and whoever has just come, use up nothing of those who are known."""

from datetime import timedelta

import pytest
from flask import Flask

from service.rate_limits import network_digests
from service.store import clock, people
from service.store.people import Profile
from service.store.transactions import transaction
from service.tables import confirmation, creation, seating
from service.tables.confirmation import TableRequest
from service.tables.creation import BotSeat, Guest, HostWish, TableWish
from service.values import addresses
from tests.rig.service import seated
from tests.rig.service.hosts import RACHEL, SIMON, TERRY, notified, to_mail
from tests.rig.service.seated import run
from tests.rig.service.shares import draft, host, invite, ip, refusal, use_up_drafts

pytestmark = pytest.mark.usefixtures("few")


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
