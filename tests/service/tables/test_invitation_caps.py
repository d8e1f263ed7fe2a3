"""How many strangers a host, an address and an instance may be mailed about."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from flask import Flask
from msgspec.structs import replace

from service.people import deletion
from service.store import clock, composition, invitations, outbox
from service.store.people import Profile
from service.tables import creation, seat_changes, seating
from service.tables.creation import BotSeat, Guest, HostWish, TableWish
from service.tables.refusals import InvitationAnswer
from service.values.errors import TooManyInvitations
from tests.rig.service import seated
from tests.rig.service.hosts import RACHEL, SIMON, TERRY, notified, seats_of, to_mail
from tests.rig.service.programs import Api, operator_token
from tests.rig.service.seated import run, status

pytestmark = pytest.mark.usefixtures("inside")


def used() -> dict[str, int]:
    """How much of each budget is used."""
    rows = seated.run("SELECT budget, sum(amount) FROM quota GROUP BY budget")
    return {budget: int(amount) for budget, amount in rows}


def test_three_unasked_mails_a_day_go_to_an_address() -> None:
    for number in range(3):
        host = replace(RACHEL, address=f"host{number}@example.org")
        seated.confirm(creation.draft(host, TableWish((SIMON, BotSeat()))))
    fourth = creation.draft(RACHEL, TableWish((SIMON, TERRY)))

    seated.confirm(fourth)

    assert status(fourth) == "inviting"
    assert seats_of(fourth) == ["joined", "invited", "invited"]
    due = run("SELECT due_at <= kingup_now() FROM notice WHERE kind = 'invitation'")
    assert sorted(due) == [(False,), *[(True,)] * 4]
    for game_id in outbox.missed(0, 9).games:
        composition.compose(game_id, "king.example")
    clock.shift(timedelta(hours=25))
    assert outbox.missed(0, 9).games == (fourth,)


def test_one_host_asks_one_address_three_times_a_day() -> None:
    games = [creation.draft(RACHEL, TableWish((SIMON, TERRY))) for _ in range(2)]
    for game_id in games:
        seated.confirm(game_id)
    table = games[1]
    seat_changes.guest(table, 1, "SIMON@example.org", "Simon")

    with pytest.raises(TooManyInvitations) as refused:
        seat_changes.guest(table, 1, "simon@example.org", "Simon")
    third = creation.open_table(
        run("SELECT host_id FROM game")[0][0], "", TableWish((SIMON, TERRY))
    )

    assert refused.value.facts["whose"] == "address"
    # The first of three was sent just now, and counts for a day.
    assert 23 * 3600 < refused.value.facts["retry_after"] <= 24 * 3600
    assert seats_of(third) == ["joined", "declined", "invited"]
    clock.shift(timedelta(hours=25))
    seat_changes.guest(third, 1, "simon@example.org", "Simon")


def test_invitations_leave_a_hosts_own_mails_alone() -> None:
    for _ in range(3):
        creation.draft(RACHEL, TableWish((SIMON, TERRY)))
    other = replace(RACHEL, address="other@example.org", profile=Profile("Other"))
    guest = Guest("rachel@example.org", "Rachel")

    seated.confirm(creation.draft(other, TableWish((guest, BotSeat()))))

    assert notified("invitation") == [("invitation", "rachel@example.org")]


def test_caps_hold_for_hosts_who_come_at_once(inside: Flask) -> None:
    barrier = Barrier(8)

    def host() -> None:
        with inside.app_context():
            barrier.wait()
            creation.draft(RACHEL, TableWish((SIMON, TERRY)))

    with ThreadPoolExecutor(8) as pool:
        for done in [pool.submit(host) for _ in range(8)]:
            done.result()

    assert to_mail() == [("confirm", "rachel@example.org")] * 3


def test_three_drafts_a_day_are_confirmed_by_mail_to_one_address() -> None:
    for _ in range(5):
        creation.draft(RACHEL, TableWish((SIMON, TERRY)))

    assert to_mail() == [("confirm", "rachel@example.org")] * 3


def test_ten_invitations_of_a_host_may_be_open() -> None:
    games = []
    for game in range(3):
        if game == 2:
            # Two mails more than a day allows to the host's own address.
            clock.shift(timedelta(hours=25))
        guests = tuple(
            Guest(f"guest{game}{n}@example.org", f"Guest {game}{n}") for n in range(5)
        )
        games.append(creation.draft(RACHEL, TableWish(guests)))
    seated.confirm(games[0])
    seated.confirm(games[1])

    with pytest.raises(TooManyInvitations) as refused:
        seated.confirm(games[2])

    assert refused.value.facts["whose"] == "host"
    assert len(notified("invitation")) == 10
    for seat in range(1, 6):
        seated.accept(games[0], seat, f"Guest {seat}")
    seated.confirm(games[2])
    assert len(notified("invitation")) == 15


def test_the_instance_has_a_cap_of_its_own(
    inside: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = replace(inside.config["KINGUP"], invitations_a_day=3)
    monkeypatch.setitem(inside.config, "KINGUP", small)
    drafts = [seated.draft(3, tag=tag) for tag in ("+a", "+b")]
    first, second = (seated.link(game_id, 0, "table") for game_id in drafts)
    seating.confirm(first, "198.51.100.1")

    with pytest.raises(TooManyInvitations) as refused:
        seating.confirm(second, "198.51.100.1")

    assert refused.value.facts["whose"] == "instance"
    assert len(notified("invitation")) == 2


def test_an_erased_host_gives_nothing_back_to_the_instance_or_an_address() -> None:
    seated.confirm(seated.draft(3))
    host, guest = run("SELECT host_id, person_id FROM invitation LIMIT 1")[0]
    before = used()

    deletion.erase(host)

    assert before == used() == {"confirmations": 1, "drafts": 1, "newcomers": 2}
    assert invitations.until_room(guest, host, 1, 1) > 0


def test_games_that_mail_nobody_leave_the_cap_alone(inside: Flask) -> None:
    api = Api(inside)
    token = operator_token(api)

    made = api.call("POST", "/v1/games", token, json={"seats": [{"kind": "bot"}] * 3})

    assert made.status_code == 201
    assert used() == {}


def test_whoever_wants_no_invitation_gets_none_from_anybody() -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    seating.respond(
        seated.link(game_id, 1), InvitationAnswer.NEVER, Profile("Simon"), ""
    )
    other = HostWish("terry@example.org", Profile("Terry"))

    asked = creation.draft(
        other, TableWish((Guest("SIMON@example.org", "S"), BotSeat()))
    )
    seated.confirm(asked)

    assert seats_of(asked) == ["joined", "invited", "joined"]
    assert to_mail("invitation").count(("invitation", "simon@example.org")) == 1


def test_never_again_changes_nothing_to_see_at_a_draft_that_was_waiting() -> None:
    waiting = creation.draft(
        HostWish("terry@example.org", Profile("Terry")), TableWish((SIMON, BotSeat()))
    )
    game_id = seated.draft(3)
    seated.confirm(game_id)
    seating.respond(
        seated.link(game_id, 1), InvitationAnswer.NEVER, Profile("Simon"), ""
    )

    seated.confirm(waiting)

    assert seats_of(waiting)[1] == "invited"
