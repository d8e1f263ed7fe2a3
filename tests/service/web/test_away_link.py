"""A browser is remembered for one game; what holds for all takes a mailed link."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest
from flask import Flask

from service.game import table_acts
from service.people import remembered_browsers
from service.store import clock, links
from service.store import devices as devicestore
from service.store.transactions import transaction
from service.values.enums import NoticeKind
from tests.rig import devices
from tests.rig.browser import Page
from tests.rig.letters import Letter
from tests.rig.service import replaced, seated
from tests.rig.service.away import (
    CALL_OFF,
    KEEP,
    TELL,
    absences,
    announced,
    days,
    free_time,
    mailed_link,
)
from tests.rig.service.postbox import Postbox
from tests.rig.service.seated import Seated, run
from tests.rig.service.visitor import ORIGIN, Visitor, link, path_of

pytestmark = pytest.mark.usefixtures("inside")

ASK, OVER = "Mail me the link", "This link is no longer good"


@pytest.fixture
def table() -> Seated:
    return seated.started(3)


@pytest.fixture
def post(app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Postbox:
    return Postbox(app, tmp_path, monkeypatch)


def ask(visitor: Visitor, table: Seated) -> Page:
    here = visitor.get(f"{path_of(table)}/away")
    return visitor.press(here, here.the_form(ASK))


def said(page: Page) -> str:
    """What a page says, without the number of mails that this machine's mailbox has."""
    return page.text.rpartition("A mail is on its way to you")[2]


def received(post: Postbox, table: Seated, to: str = "simon") -> list[Letter]:
    post.tell(table.id)
    return [m for m in post.letters(to) if m.subject.startswith(devices.ENDING)]


def test_a_cookie_of_one_game_neither_shows_nor_changes_days_off(
    visitor: Visitor, table: Seated
) -> None:
    visitor.remember(table, 1)
    kept = announced(table)
    here = visitor.get(f"{path_of(table)}/away")
    token = here.forms[0].fields["form_token"]
    ((known,),) = run("SELECT id::text FROM absence")
    acts = (
        {"do": "announce", **days(20, 3), "choice": "bot"},
        {"do": "call-off", "absence": known},
        {"do": "hours", "from": "01:00", "to": "02:00"},
    )

    paths = (here.url, path_of(table), f"{mailed_link(table)}/away")
    for act in acts:
        for path in paths:
            sent = {**act, "form_token": token}
            visitor.fetch("POST", path, {"Origin": ORIGIN}, sent)

    assert absences() == kept
    assert free_time(table) == ("22:00", "08:00", True)
    assert not {"22:00", known} & set(here.body.decode().replace('"', " ").split())
    assert [form.sent({}, None).keys() for form in here.forms] == [{"form_token"}]


def test_the_link_is_mailed_to_the_persons_own_address_and_works_anywhere(
    app: Flask, visitor: Visitor, post: Postbox, table: Seated
) -> None:
    visitor.remember(table, 1)
    elsewhere = Visitor(app)

    reply = ask(visitor, table)
    (mail,) = received(post, table)
    mine = elsewhere.get(devices.where(mail))
    page = elsewhere.get(f"{devices.where(mail)}?away")
    hours = {"from": "22:00", "to": "08:00", "weekends": "yes"}
    elsewhere.press(page, page.the_form(KEEP), hours)
    elsewhere.press(page, page.the_form(TELL), {**days(2, 3), "choice": "bot"})

    assert "A mail is on its way to you" in reply.text
    assert "example.org" not in reply.body.decode()
    assert "when you can't play" in mail.text
    assert "?away" in mine.links
    assert free_time(table) == ("22:00", "08:00", True)
    assert [choice for _, _, choice in absences()] == ["bot"]
    assert elsewhere.cookies() == {}


def test_neither_page_holds_the_link_that_opens_it(
    visitor: Visitor, table: Seated
) -> None:
    path = mailed_link(table)
    token = path.rpartition("/")[2]

    for shown in (visitor.get(path), visitor.get(f"{path}/away")):
        assert shown.status == 200
        assert token not in shown.body.decode()


def test_whoever_presses_on_causes_one_mail_an_hour_and_five_a_day(
    visitor: Visitor, post: Postbox, table: Seated
) -> None:
    run("UPDATE device SET told_at = kingup_now()")
    visitor.remember(table, 1)
    here = visitor.get(f"{path_of(table)}/away")
    answers = set()

    for _hour in range(8):
        for _ in range(3):
            reply = visitor.press(here, here.the_form(ASK))
            answers.add((reply.status, said(reply)))
        received(post, table)
        clock.shift(timedelta(hours=1))

    assert [status for status, words in answers if words] == [200]
    assert len(received(post, table)) == remembered_browsers.A_DAY == 5


def test_none_goes_within_an_hour_of_one_that_went_by_itself(
    visitor: Visitor, post: Postbox, table: Seated
) -> None:
    visitor.remember(table, 1)
    with transaction():
        devicestore.tell(table.id, 8)
    by_itself = received(post, table)

    reply = ask(visitor, table)
    at_once = received(post, table)
    clock.shift(timedelta(hours=1, seconds=1))
    later = ask(visitor, table)

    assert len(by_itself) == len(at_once) == 1
    assert len(received(post, table)) == 2
    assert said(reply) == said(later)


def test_only_whoever_belongs_to_the_table_gets_to_ask(
    app: Flask, visitor: Visitor, post: Postbox, table: Seated
) -> None:
    visitor.remember(table, 1)
    stranger, other = Visitor(app), seated.started(3)
    away = f"{path_of(table)}/away"
    form = visitor.get(away).the_form(ASK)
    here = visitor.get(away)

    assert away in visitor.get(path_of(table)).links
    assert away not in stranger.get(path_of(table)).links
    assert stranger.get(away).status == 404
    assert stranger.press(here, form).status == 404
    assert visitor.get(f"{path_of(other)}/away").status == 404
    assert visitor.press(here, form, {"form_token": "forged"}).status == 403
    foreign = {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}
    assert visitor.press(here, form, headers=foreign).status == 403
    assert received(post, table) == []


def expire(_table: Seated) -> None:
    clock.shift(timedelta(days=links.DEVICES_DAYS, seconds=1))


def change_address(table: Seated) -> None:
    with transaction():
        links.end_short_lived(seated.person_on(table.id, 1))


def hand_over(table: Seated) -> None:
    table_acts.depart(table.id, table.holder(1), 1)
    replaced.answer(replaced.asked(table))


def give_away(table: Seated) -> None:
    other = seated.person_on(seated.started(3).id, 1)
    run(
        "UPDATE seat SET person_id = :p WHERE game_id = :g AND number = 1",
        {"p": other, "g": table.id},
    )


@pytest.mark.parametrize("end", [expire, change_address, hand_over, give_away])
def test_a_link_that_is_over_or_a_former_persons_neither_shows_nor_changes(
    visitor: Visitor, end: Callable[[Seated], None]
) -> None:
    table = seated.started(4, rounds=2, placement="random")
    person, path = seated.person_on(table.id, 1), mailed_link(table)
    kept = announced(table)
    page = visitor.get(f"{path}/away")
    before = free_time_of(person)

    end(table)
    looked = visitor.get(f"{path}/away")
    pressed = [
        visitor.press(page, page.the_form(TELL), {**days(20, 2), "choice": "bot"}),
        visitor.press(page, page.the_form(CALL_OFF), {"do": "call-off"}),
        visitor.press(page, page.the_form(KEEP), {"from": "01:00", "to": "02:00"}),
    ]

    for answer in (looked, *pressed):
        assert answer.status == 404 or OVER in answer.text
        assert "22:00" not in answer.body.decode()
        assert answer.form(CALL_OFF) is None
    assert absences() == kept
    assert free_time_of(person) == before


def free_time_of(person_id: UUID) -> list[tuple]:
    return run(
        "SELECT quiet_from, quiet_to, weekends FROM person WHERE id = :p",
        {"p": person_id},
    )


@pytest.mark.parametrize("purpose", ["decision", "game", "remember", "proposal"])
def test_no_other_link_opens_it(visitor: Visitor, table: Seated, purpose: str) -> None:
    token = link(table, 1, purpose).rpartition("/")[2]

    assert visitor.get(f"/b/{token}/away").status == 404
    assert visitor.fetch("POST", f"/b/{token}/away", {}, {"do": "hours"}).status == 404


def test_whose_seat_a_bot_keeps_is_mailed_it_and_calls_their_absence_off(
    visitor: Visitor, post: Postbox, table: Seated
) -> None:
    visitor.remember(table, 1)
    announced(table)
    table_acts.depart(table.id, table.holder(1), 1)

    ask(visitor, table)
    (mail,) = received(post, table)
    page = visitor.get(f"{devices.where(mail)}?away")
    visitor.press(page, page.the_form(CALL_OFF), {"do": "call-off"})

    assert absences() == []


def test_whoever_had_the_seat_before_is_mailed_nothing(
    visitor: Visitor, post: Postbox
) -> None:
    table = seated.started(4, rounds=2, placement="random")
    visitor.remember(table, 1)
    ask(visitor, table)
    hand_over(table)

    assert received(post, table) == []
    assert run(
        "SELECT count(*) FROM notice WHERE kind = :k AND superseded_at IS NOT NULL",
        {"k": NoticeKind.DEVICES},
    ) == [(1,)]
