"""Having a browser remembered takes a mail of its own; no other link is good for it."""

import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from flask import Flask

from engine.board import Card
from engine.commands import Ballot
from service.people import remembered_browsers
from service.store import clock, links
from service.store import devices as devicestore
from service.store.transactions import transaction
from tests.rig import devices
from tests.rig.browser import Page
from tests.rig.letters import Letter
from tests.rig.service import seated
from tests.rig.service.postbox import Postbox
from tests.rig.service.seated import Seated, person_on, run
from tests.rig.service.visitor import (
    Visitor,
    form_with,
    link,
    opened,
    path_of,
    table_link,
)

pytestmark = pytest.mark.usefixtures("inside")


@pytest.fixture
def post(app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Postbox:
    return Postbox(app, tmp_path, monkeypatch)


def asked(post: Postbox, table: Seated, seat: int = 1) -> list[Letter]:
    """The mails to a seat that have a device remembered."""
    post.tell(table.id)
    to = seated.NAMES[seat].lower()
    return [m for m in post.letters(to) if m.subject.startswith(devices.SUBJECT)]


def answer(visitor: Visitor, table: Seated, seat: int = 1) -> Page:
    cards, form = opened(visitor, link(table, seat))
    return visitor.press(cards, form, {"card": "yes"})


def test_who_plays_by_mail_reads_what_a_remembered_device_brings(
    visitor: Visitor, app: Flask
) -> None:
    brings = "is also where you answer ahead, talk between turns, pause the game"
    table = seated.in_election(3)
    mine = Visitor(app)
    mine.remember(table, 1)

    cards, _form = opened(visitor, link(table, 1))
    done = answer(visitor, table)

    assert brings in cards.text
    assert brings in done.text
    assert brings not in mine.get(link(table, 1)).text


def test_a_game_without_a_clock_promises_no_pause(visitor: Visitor) -> None:
    table = seated.started(3, first=1, decision_time=None)

    cards, _form = opened(visitor, link(table, 1))

    assert "answer ahead, talk between turns, take days off" in cards.text


def ask(visitor: Visitor, table: Seated, seat: int = 1) -> Page:
    """Answer by a mailed link, and have another one mailed."""
    done = answer(visitor, table, seat)
    return visitor.press(done, done.the_form("Mail me the link"))


def mailed(visitor: Visitor, post: Postbox) -> tuple[Seated, Letter]:
    """A table, and the mail that was asked for there."""
    table = seated.in_election(3)
    ask(visitor, table)
    (mail,) = asked(post, table)
    return table, mail


def planted() -> int:
    return int(run("SELECT count(*) FROM device")[0][0])


def test_only_the_link_that_is_mailed_for_it_has_a_device_remembered(
    app: Flask, visitor: Visitor, post: Postbox
) -> None:
    table = seated.in_election(3)
    before, phone = planted(), Visitor(app)

    reply = ask(visitor, table)
    (mail,) = asked(post, table)
    remembered = devices.remember(phone, mail)

    assert "A mail is on its way to you" in reply.text
    assert "example.org" not in reply.body.decode()
    assert visitor.cookies() == {}
    assert "This device is remembered" in remembered.text
    assert list(phone.cookies()) == [f"seat_{table.id.hex}"]
    assert "You have laid Yes" in phone.get(path_of(table)).text
    assert planted() == before + 1


def test_a_link_has_one_device_remembered_and_no_other(
    app: Flask, visitor: Visitor, post: Postbox
) -> None:
    _, mail = mailed(visitor, post)
    thief = Visitor(app)
    old_page = thief.get(devices.where(mail))
    devices.remember(visitor, mail)
    before = seated.everything(app)

    form = old_page.the_form("Remember this device")
    late = thief.press(old_page, form, {"mine": "yes"})
    look = thief.get(devices.where(mail))

    assert late.status == 409
    assert "This link is over" in late.text
    assert "This link is over" in look.text
    assert thief.cookies() == {}
    assert seated.everything(app) == before


def test_of_two_who_press_at_once_one_is_remembered(
    app: Flask, visitor: Visitor, post: Postbox
) -> None:
    _, mail = mailed(visitor, post)
    before, phones = planted(), [Visitor(app) for _ in range(4)]
    pages = [phone.get(devices.where(mail)) for phone in phones]

    def press(phone: Visitor, page: Page) -> int:
        form = page.the_form("Remember this device")
        return phone.press(page, form, {"mine": "yes"}).status

    with ThreadPoolExecutor(len(phones)) as pool:
        statuses = sorted(pool.map(press, phones, pages))

    assert statuses == [200, 409, 409, 409]
    assert planted() == before + 1
    assert sum(bool(phone.cookies()) for phone in phones) == 1


def test_pressing_twice_is_told_the_same(
    app: Flask, visitor: Visitor, post: Postbox
) -> None:
    _, mail = mailed(visitor, post)
    page = visitor.get(devices.where(mail))
    form = page.the_form("Remember this device")
    visitor.press(page, form, {"mine": "yes"})
    before = seated.everything(app)

    again = visitor.press(page, form, {"mine": "yes"})

    assert (again.status, "This device is remembered" in again.text) == (200, True)
    assert seated.everything(app) == before


def test_a_link_that_has_a_device_remembered_is_over_after_an_hour(
    app: Flask, visitor: Visitor, post: Postbox
) -> None:
    _, mail = mailed(visitor, post)
    page = visitor.get(devices.where(mail))
    clock.shift(timedelta(minutes=links.REMEMBER_MINUTES, seconds=1))
    before = planted()

    late = visitor.press(page, page.the_form("Remember this device"), {"mine": "yes"})

    assert late.status == 409
    assert visitor.cookies() == {}
    assert planted() == before


def test_a_mail_that_comes_too_late_is_not_sent(
    visitor: Visitor, post: Postbox
) -> None:
    table = seated.in_election(3)
    ask(visitor, table)
    clock.shift(timedelta(minutes=links.REMEMBER_MINUTES, seconds=1))

    assert asked(post, table) == []


def test_nothing_ticked_or_another_mark_has_nothing_remembered(
    app: Flask, visitor: Visitor, post: Postbox
) -> None:
    _, mail = mailed(visitor, post)
    page = visitor.get(devices.where(mail))
    form = page.the_form("Remember this device")
    before = seated.everything(app)

    unticked = visitor.press(page, form)
    forged = visitor.press(page, form, {"mine": "yes", "form_token": "forged"})
    foreign = {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}
    other = visitor.press(page, form, {"mine": "yes"}, headers=foreign)

    assert (unticked.status, forged.status, other.status) == (422, 403, 403)
    assert "Nothing has happened" in unticked.text
    assert visitor.cookies() == {}
    assert seated.everything(app) == before


def test_whoever_presses_on_causes_one_mail_an_hour_and_five_a_day(
    visitor: Visitor, post: Postbox
) -> None:
    table = seated.in_election(3)
    done = answer(visitor, table)

    for _hour in range(8):
        for _ in range(3):
            reply = visitor.press(done, done.the_form("Mail me the link"))
            assert "A mail is on its way to you" in reply.text
        post.tell(table.id)
        post.letters()
        clock.shift(timedelta(hours=1))

    assert len(asked(post, table)) == remembered_browsers.A_DAY == 5


def test_a_page_kept_for_hours_causes_no_mail_for_a_device(
    app: Flask, visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = seated.in_election(3)
    done = answer(visitor, table)
    form, now = done.the_form("Mail me the link"), time.time()
    before = seated.everything(app)
    monkeypatch.setattr(time, "time", lambda: now + 2 * 3600)

    late = visitor.press(done, form)

    assert late.status == 403
    assert seated.everything(app) == before


def test_a_device_may_be_asked_for_when_others_have_played_on(
    visitor: Visitor, post: Postbox
) -> None:
    table = seated.in_election(3)
    done = answer(visitor, table)
    for seat in (0, 2):
        table.answer(seat, Ballot(Card.NO))
    table.resolve()
    table.nominate()

    reply = visitor.press(done, done.the_form("Mail me the link"))

    assert reply.status == 200
    assert len(asked(post, table)) == 1


def test_whoever_left_the_seat_meanwhile_has_nothing_remembered(
    visitor: Visitor, post: Postbox
) -> None:
    _, mail = mailed(visitor, post)
    page = visitor.get(devices.where(mail))
    run("UPDATE seat SET bot = 'steady' WHERE number = 1")

    late = visitor.press(page, page.the_form("Remember this device"), {"mine": "yes"})

    assert late.status == 409
    assert visitor.cookies() == {}


def test_scanners_of_a_mail_about_devices_change_nothing(
    app: Flask, visitor: Visitor, post: Postbox
) -> None:
    table, mail = mailed(visitor, post)
    with transaction():
        row = links.LinkRow("devices", table.id, person_on(table.id, 1), 1, None)
        ending = f"/b/{links.add(row)}"
    before = seated.everything(app)

    for path in (devices.where(mail), ending):
        robot = Visitor(app)
        for method in ("GET", "HEAD", "OPTIONS"):
            assert "set-cookie" not in robot.fetch(method, path).headers
        page = robot.get(path)
        for form in page.forms:
            for button in form.buttons:
                assert robot.press(page, form, {}, button).status == 422
        assert robot.cookies() == {}

    assert seated.everything(app) == before
    devices.remember(visitor, mail)
    assert list(visitor.cookies()) == [f"seat_{table.id.hex}"]


def test_joining_by_an_invitation_mails_a_link_if_that_is_ticked(
    visitor: Visitor, post: Postbox
) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    page = visitor.get(table_link(game_id, 1, "invitation"))

    done = visitor.press(page, form_with(page, "in"), {"choice": "in", "remember": "y"})
    post.tell(game_id)
    mail = devices.latest(lambda: post.letters("simon"), devices.SUBJECT)
    devices.remember(visitor, mail)

    assert "A mail comes with a link" in done.text
    assert list(visitor.cookies()) == [f"seat_{game_id.hex}"]


def test_practice_still_takes_one_tap(visitor: Visitor) -> None:
    visitor.fetch("POST", "/practice")

    assert len(visitor.cookies()) == 1


def test_more_than_ten_of_one_seat_make_room(
    app: Flask, visitor: Visitor, post: Postbox
) -> None:
    table = seated.in_election(3)
    person = person_on(table.id, 1)
    for _ in range(devicestore.MOST):
        visitor.remember(table, 1)
        clock.shift(timedelta(minutes=1))
    ask(Visitor(app), table)
    (mail,) = asked(post, table)

    devices.remember(Visitor(app), mail)

    remembered = devicestore.of_seat(table.id, person)
    assert len(remembered) == devicestore.MOST
    assert remembered[0].created_at > remembered[-1].created_at
