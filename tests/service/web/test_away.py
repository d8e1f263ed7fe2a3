"""Absences, quiet hours and weekends on a page, for whoever has no program."""

from datetime import date

import pytest
from flask import Flask

from service.present import times
from tests.rig.browser import Page
from tests.rig.service import seated
from tests.rig.service.away import (
    CALL_OFF,
    KEEP,
    TELL,
    absences,
    days,
    free_time,
    mailed_link,
)
from tests.rig.service.seated import Seated, run
from tests.rig.service.visitor import Visitor, path_of

pytestmark = pytest.mark.usefixtures("inside")


@pytest.fixture
def table() -> Seated:
    return seated.started(3)


@pytest.fixture
def page(visitor: Visitor, table: Seated) -> Page:
    return visitor.get(f"{mailed_link(table)}?away")


def test_days_off_are_announced_on_the_page_and_called_off(
    visitor: Visitor, page: Page
) -> None:
    wanted = days(2, 3)

    told = visitor.press(page, page.the_form(TELL), {**wanted, "choice": "wait"})
    assert told.status == 200
    assert absences() == [(wanted["first"], wanted["last"], "wait")]
    assert "Your days off" in told.text
    assert "You are away" not in told.text

    form = told.the_form(CALL_OFF)
    gone = visitor.press(told, form, {"do": "call-off"})
    assert gone.status == 200
    assert absences() == []
    named = times.days(*map(date.fromisoformat, (wanted["first"], wanted["last"])))
    assert f"Your days off are called off: {' '.join(named.split())}." in gone.text
    again = visitor.press(told, form, {"do": "call-off"})
    assert again.status == 200
    other = visitor.get(f"{gone.url.partition('?')[0]}?done=call-off&first=x&last=y")
    assert "Your days off are called off." in other.text


def test_the_table_reads_the_days_on_the_game_page_and_strangers_do_not(
    app: Flask, visitor: Visitor, page: Page, table: Seated
) -> None:
    visitor.press(page, page.the_form(TELL), {**days(2, 3), "choice": "bot"})
    other = Visitor(app)
    other.remember(table, 0)

    assert "away " in other.get(path_of(table)).text
    assert "away " not in Visitor(app).get(path_of(table)).text


def test_a_form_with_a_fault_says_which_and_keeps_what_was_typed(
    visitor: Visitor, page: Page
) -> None:
    wanted = {**days(-1, 3), "choice": "bot"}

    refused = visitor.press(page, page.the_form(TELL), wanted)

    assert refused.status == 422
    assert "“First day” must not lie in the past." in refused.text
    assert wanted["last"] in refused.body.decode()
    assert absences() == []


def test_quiet_hours_and_weekends_are_kept_and_emptied(
    visitor: Visitor, page: Page, table: Seated
) -> None:
    hours = {"from": "22:00", "to": "08:00"}

    kept = visitor.press(page, page.the_form(KEEP), {**hours, "weekends": "yes"})
    assert kept.status == 200
    assert free_time(table) == ("22:00", "08:00", True)

    visitor.press(kept, kept.the_form(KEEP), {"from": "", "to": "", "weekends": ""})
    assert free_time(table) == (None, None, False)


def test_more_than_half_a_day_is_not_quiet(
    visitor: Visitor, page: Page, table: Seated
) -> None:
    refused = visitor.press(page, page.the_form(KEEP), {"from": "08:00", "to": "20:01"})

    assert refused.status == 422
    assert "at most 12 hours" in refused.text
    assert free_time(table) == (None, None, False)


def test_hours_that_were_changed_too_often_stay_and_can_be_emptied(
    visitor: Visitor, page: Page, table: Seated
) -> None:
    for hour in (20, 21, 22):
        kept = {"from": f"{hour}:00", "to": "06:00"}
        page = visitor.press(page, page.the_form(KEEP), kept)

    refused = visitor.press(page, page.the_form(KEEP), {"from": "23:00", "to": "06:00"})

    assert refused.status == 429
    assert "can be changed three times in seven days" in refused.text
    assert "Try again in " in refused.text
    assert free_time(table) == ("22:00", "06:00", False)
    visitor.press(refused, refused.the_form(KEEP), {"from": "", "to": ""})
    assert free_time(table) == (None, None, False)


def test_a_form_without_our_token_changes_nothing(visitor: Visitor, page: Page) -> None:
    wanted = {**days(2, 3), "choice": "wait", "form_token": "forged"}

    refused = visitor.press(page, page.the_form(TELL), wanted)

    assert refused.status == 403
    assert absences() == []


def test_who_wants_mails_only_when_they_must_act_says_so_on_the_page(
    visitor: Visitor, page: Page, table: Seated
) -> None:
    form = page.the_form("Send me these")

    refused = visitor.press(page, form, {"mails": "none"})
    told = visitor.press(page, form, {"mails": "asks"})

    assert refused.status == 422
    assert "From now on a mail comes when you must act." in told.text
    person = seated.person_on(table.id, 1)
    assert run("SELECT id FROM person WHERE mails = 'asks'") == [(person,)]
