"""Absences, quiet hours and weekends on a page, for whoever has no program."""

from datetime import timedelta

import pytest
from flask import Flask

from service.store import clock
from service.store.transactions import transaction
from tests.rig.browser import Page
from tests.rig.service import seated
from tests.rig.service.seated import Seated, run
from tests.rig.service.visitor import Visitor, path_of

pytestmark = pytest.mark.usefixtures("inside")

TELL, KEEP, CALL_OFF = "Tell my tables", "Keep these hours free", "Call it off"


@pytest.fixture
def table() -> Seated:
    return seated.started(3)


@pytest.fixture
def page(visitor: Visitor, table: Seated) -> Page:
    visitor.remember(table, 1)
    return visitor.get(f"{path_of(table)}/away")


def days(begin: int, length: int) -> dict[str, str]:
    with transaction():
        first = clock.now().date() + timedelta(days=begin)
    return {"first": str(first), "last": str(first + timedelta(days=length - 1))}


def absences() -> list[tuple]:
    return run("SELECT first::text, last::text, choice FROM absence")


def free_time(table: Seated) -> tuple:
    (row,) = run(
        "SELECT quiet_from, quiet_to, weekends FROM person WHERE id = :p",
        {"p": seated.person_on(table.id, 1)},
    )
    return row


def test_days_off_are_announced_on_the_page_and_called_off(
    visitor: Visitor, page: Page
) -> None:
    wanted = days(2, 3)

    told = visitor.press(page, page.the_form(TELL), {**wanted, "choice": "wait"})
    assert told.status == 200
    assert absences() == [(wanted["first"], wanted["last"], "wait")]

    gone = visitor.press(told, told.the_form(CALL_OFF), {"do": "call-off"})
    assert gone.status == 200
    assert absences() == []


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


def test_it_is_reached_from_the_game_by_those_who_sit_there_alone(
    app: Flask, visitor: Visitor, table: Seated
) -> None:
    visitor.remember(table, 1)
    stranger, away = Visitor(app), f"{path_of(table)}/away"

    assert away in visitor.get(path_of(table)).links
    assert away not in stranger.get(path_of(table)).links
    assert stranger.get(away).status == 404


def test_a_form_without_our_token_changes_nothing(visitor: Visitor, page: Page) -> None:
    wanted = {**days(2, 3), "choice": "wait", "form_token": "forged"}

    refused = visitor.press(page, page.the_form(TELL), wanted)

    assert refused.status == 403
    assert absences() == []
