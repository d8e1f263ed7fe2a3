"""How many strangers a host, an address and an instance may be mailed about."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from flask import Flask
from msgspec.structs import replace

from service import clock
from service.errors import (
    TooManyInvitations,
    WantsNoInvitations,
)
from service.people import erasing
from service.store import tables
from service.store.people import Profile
from service.tables import hosting, reseating, seating
from service.tables.hosting import BotSeat, Guest, HostWish, TableWish
from tests.service import seated
from tests.service.hosts import RACHEL, SIMON, TERRY, seats_of, told
from tests.service.programs import Api, operator_token
from tests.service.seated import status

pytestmark = pytest.mark.usefixtures("inside")


def test_three_unasked_mails_a_day_go_to_an_address() -> None:
    for number in range(3):
        host = replace(RACHEL, address=f"host{number}@example.org")
        seated.confirm(hosting.draft(host, TableWish((SIMON, BotSeat()))))
    fourth = hosting.draft(RACHEL, TableWish((SIMON, TERRY)))

    seated.confirm(fourth)

    assert status(fourth) == "inviting"
    assert seats_of(fourth) == ["joined", "declined", "invited"]
    assert [address for _, address in told("invitation")].count(
        "simon@example.org"
    ) == 3
    clock.shift(timedelta(hours=25))
    reseating.guest(fourth, 1, "simon@example.org", "Simon")
    assert len(told("invitation")) == 5


def test_invitations_leave_a_hosts_own_mails_alone() -> None:
    for _ in range(3):
        hosting.draft(RACHEL, TableWish((SIMON, TERRY)))
    other = replace(RACHEL, address="other@example.org", profile=Profile("Other"))
    guest = Guest("rachel@example.org", "Rachel")

    seated.confirm(hosting.draft(other, TableWish((guest, BotSeat()))))

    assert told("invitation") == [("invitation", "rachel@example.org")]


def test_caps_hold_for_hosts_who_come_at_once(inside: Flask) -> None:
    barrier = Barrier(8)

    def host() -> bool:
        with inside.app_context():
            barrier.wait()
            try:
                hosting.draft(RACHEL, TableWish((SIMON, TERRY)))
            except TooManyInvitations:
                return False
            return True

    with ThreadPoolExecutor(8) as pool:
        drafted = [done.result() for done in [pool.submit(host) for _ in range(8)]]

    assert sum(drafted) == 3
    assert told() == [("confirm", "rachel@example.org")] * 3


def test_three_drafts_a_day_are_confirmed_by_mail_to_one_address() -> None:
    for _ in range(3):
        hosting.draft(RACHEL, TableWish((SIMON, TERRY)))

    with pytest.raises(TooManyInvitations):
        hosting.draft(RACHEL, TableWish((SIMON, TERRY)))

    assert told() == [("confirm", "rachel@example.org")] * 3


def test_ten_invitations_of_a_host_may_be_open() -> None:
    games = []
    for game in range(3):
        if game == 2:
            # Two mails more than a day allows to the host's own address.
            clock.shift(timedelta(hours=25))
        guests = tuple(
            Guest(f"guest{game}{n}@example.org", f"Guest {game}{n}") for n in range(5)
        )
        games.append(hosting.draft(RACHEL, TableWish(guests)))
    seated.confirm(games[0])
    seated.confirm(games[1])

    with pytest.raises(TooManyInvitations) as refused:
        seated.confirm(games[2])

    assert refused.value.facts["whose"] == "host"
    assert len(told("invitation")) == 10
    for seat in range(1, 6):
        seated.accept(games[0], seat, f"Guest {seat}")
    seated.confirm(games[2])
    assert len(told("invitation")) == 15


def test_the_instance_has_a_cap_of_its_own(
    inside: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = replace(inside.config["KINGUP"], invitations_a_day=3)
    monkeypatch.setitem(inside.config, "KINGUP", small)
    seated.confirm(seated.draft(3, tag="+a"))

    with pytest.raises(TooManyInvitations) as refused:
        seated.confirm(seated.draft(3, tag="+b"))

    assert refused.value.facts["whose"] == "instance"
    assert len(told("invitation")) == 2


def test_an_erased_host_gives_no_mail_back_to_the_instance() -> None:
    seated.confirm(seated.draft(3))
    before = tables.unasked_mails_today()
    (host,) = seated.run("SELECT host_id FROM game", {})[0]

    erasing.erase(host)

    # The one mail less went to the host.
    assert (before, tables.unasked_mails_today()) == (3, 2)


def test_games_that_mail_nobody_leave_the_cap_alone(inside: Flask) -> None:
    api = Api(inside)
    token = operator_token(api)

    made = api.call("POST", "/v1/games", token, json={"seats": [{"kind": "bot"}] * 3})

    assert made.status_code == 201
    assert tables.unasked_mails_today() == 0


def test_whoever_wants_no_invitation_gets_none_from_anybody() -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    seating.respond(seated.link(game_id, 1), seating.Choice.NEVER, Profile("Simon"), "")
    other = HostWish("terry@example.org", Profile("Terry"))

    with pytest.raises(WantsNoInvitations):
        hosting.draft(other, TableWish((Guest("SIMON@example.org", "S"), BotSeat())))


def test_never_again_counts_for_a_draft_that_was_waiting() -> None:
    waiting = hosting.draft(
        HostWish("terry@example.org", Profile("Terry")), TableWish((SIMON, BotSeat()))
    )
    game_id = seated.draft(3)
    seated.confirm(game_id)
    seating.respond(seated.link(game_id, 1), seating.Choice.NEVER, Profile("Simon"), "")

    seated.confirm(waiting)

    assert seats_of(waiting)[1] == "declined"
    assert told("invitation").count(("invitation", "simon@example.org")) == 1
