"""Moments on the page of a game: by the clock of whoever is remembered there."""

import pytest
from flask import Flask

from service.game import table_acts
from tests.rig.service import seated
from tests.rig.service.seated import Seated, run
from tests.rig.service.visitor import Visitor, path_of

pytestmark = pytest.mark.usefixtures("inside")

ZONE = " India Standard Time"


@pytest.fixture
def table() -> Seated:
    found = seated.started(3)
    run(
        "UPDATE person SET zone = 'Asia/Kolkata' WHERE id = :p",
        {"p": seated.person_on(found.id, 1)},
    )
    return found


def test_a_remembered_browser_reads_its_persons_own_time(
    visitor: Visitor, table: Seated
) -> None:
    visitor.remember(table, 1)

    page = visitor.get(path_of(table))

    assert ZONE in page.text
    assert "UTC" not in page.text


def test_so_does_whoever_may_come_back(visitor: Visitor, table: Seated) -> None:
    visitor.remember(table, 1)
    table_acts.depart(table.id, table.holder(1), 1)

    assert ZONE in visitor.get(path_of(table)).text


def test_others_and_spectators_read_theirs(
    app: Flask, visitor: Visitor, table: Seated
) -> None:
    visitor.remember(table, 0)

    for browser in (visitor, Visitor(app)):
        page = browser.get(path_of(table))
        assert " UTC" in page.text
        assert ZONE not in page.text
