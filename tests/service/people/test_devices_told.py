"""A seat is mailed the browsers that are remembered for it, and can end them."""

import threading
from datetime import timedelta
from email.headerregistry import Address
from pathlib import Path

import pytest
from flask import Flask

from service.store import clock, links
from service.store import devices as devicestore
from service.store.transactions import transaction
from service.values.enums import NoticeKind
from tests.rig import devices
from tests.rig.letters import Letter
from tests.rig.service import seated
from tests.rig.service.devices import device_of, of_seat, sees
from tests.rig.service.postbox import Postbox
from tests.rig.service.seated import Seated, person_on, run
from tests.rig.service.visitor import Visitor
from worker.clock import retention
from worker.outgoing import render
from worker.outgoing.content import MailContent

pytestmark = pytest.mark.usefixtures("inside")

FIREFOX = "Mozilla/5.0 (Android 14; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0"
SAFARI = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15"
    " (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1"
)


@pytest.fixture
def post(app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Postbox:
    return Postbox(app, tmp_path, monkeypatch)


def remembered(
    app: Flask, post: Postbox, table: Seated, agent: str, seat: int = 1
) -> Visitor:
    """Somebody's browser, remembered by a mail to them."""
    browser = Visitor(app)
    browser.client.environ_base["HTTP_USER_AGENT"] = agent
    with transaction():
        row = links.LinkRow("remember", table.id, person_on(table.id, seat), seat, None)
        path = f"/r/{links.add(row)}"
    page = browser.get(path)
    browser.press(page, page.the_form("Remember this device"), {"mine": "yes"})
    post.tell(table.id)
    return browser


def received(post: Postbox, to: str = "simon") -> list[Letter]:
    return [m for m in post.letters(to) if m.subject.startswith(devices.ENDING)]


def test_a_seat_is_mailed_all_its_devices_once_a_day(app: Flask, post: Postbox) -> None:
    table = seated.in_election(3)
    device_of(Visitor(app), table)
    run("DELETE FROM device WHERE game_id = :g", {"g": table.id})
    remembered(app, post, table, FIREFOX)
    (first,) = received(post)
    remembered(app, post, table, SAFARI)
    same_day = received(post)
    retention.tidy()
    post.tell(table.id)
    still = received(post)
    clock.shift(timedelta(days=1))
    retention.tidy()
    retention.tidy()
    post.tell(table.id)

    (_, later) = received(post)
    assert "Firefox on Android, since" in first.text
    assert same_day == still == [first]
    assert "Firefox on Android, since" in later.text
    assert "Safari on iPhone, since" in later.text
    for each in (first, later):
        assert "127.0.0.1" not in each.text
        assert "133" not in each.text
        assert "Mozilla" not in each.text


def test_a_device_that_comes_while_its_mail_is_written_is_told_of_later(
    app: Flask, post: Postbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = seated.in_election(3)
    run("DELETE FROM device WHERE game_id = :g", {"g": table.id})
    write, person_id = render.render, person_on(table.id, 1)

    def remember_another() -> None:
        agent = devicestore.Agent("Safari", "iPhone")
        with app.app_context(), transaction():
            devicestore.remember(table.id, person_id, 1, agent)

    def written(content: MailContent, sender: Address) -> bytes:
        if content.kind is NoticeKind.DEVICES:
            other = threading.Thread(target=remember_another)
            other.start()
            other.join()
        return write(content, sender)

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(render, "render", written)
        remembered(app, post, table, FIREFOX)
        (first,) = received(post)
    clock.shift(timedelta(days=1))
    retention.tidy()
    post.tell(table.id)

    assert "Safari" not in first.text
    assert ["Safari" in letter.text for letter in received(post)[1:]] == [True]


def test_a_mail_about_devices_tells_of_no_other_seats(
    app: Flask, post: Postbox
) -> None:
    table = seated.in_election(3)
    run("DELETE FROM device WHERE game_id = :g", {"g": table.id})
    remembered(app, post, table, FIREFOX)
    remembered(app, post, table, SAFARI, seat=2)

    (simons,), (terrys,) = received(post), received(post, "terry")

    assert "Safari" not in simons.text
    assert "Firefox" not in terrys.text


def test_the_mailed_page_ends_what_is_ticked(app: Flask, post: Postbox) -> None:
    table = seated.in_election(3)
    run("DELETE FROM device WHERE game_id = :g", {"g": table.id})
    phone = remembered(app, post, table, SAFARI)
    laptop = remembered(app, post, table, FIREFOX)
    page = laptop.get(devices.where(received(post)[0]))
    form = page.the_form("Forget what is ticked")
    ids = [str(row.id) for row in devicestore.of_seat(table.id, person_on(table.id, 1))]

    none = laptop.press(page, form)
    done = laptop.press(page, form, {"device": ids[1]})

    assert "Firefox on Android this one" in page.text
    assert none.status == 422
    assert "No longer remembered: Safari on iPhone." in done.text
    assert not sees(phone, table)
    assert sees(laptop, table)
    every = laptop.press(
        done, done.the_form("Forget what is ticked"), {"device": "all"}
    )
    assert "No device is remembered." in every.text
    assert laptop.cookies() == {}
    assert of_seat(table) == 0


def test_a_link_ends_devices_of_its_own_seat_alone(app: Flask, post: Postbox) -> None:
    table = seated.in_election(3)
    phone = remembered(app, post, table, SAFARI)
    other = Visitor(app)
    others_id = device_of(other, table, 2)
    page = phone.get(devices.where(received(post)[0]))
    form = page.the_form("Forget what is ticked")

    answers = [
        phone.press(page, form, {"device": others_id}).status,
        phone.press(page, form, {"device": "all", "form_token": "forged"}).status,
    ]
    phone.press(page, form, {"device": "all"})

    assert answers == [422, 403]
    assert sees(other, table)
