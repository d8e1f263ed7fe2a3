"""The time of a game on its page: pausing it, and a day more for a question."""

import pytest

from engine.commands import EXTENSIONS
from service.game import table_acts
from service.store import games
from service.values.principals import System
from tests.rig.browser import Form, Page
from tests.rig.service import seated
from tests.rig.service.seated import Seated
from tests.rig.service.visitor import Visitor, path_of

pytestmark = pytest.mark.usefixtures("inside")

PAUSE, END, LONGER = "Pause the game", "End my pause", "One day more"


def forms(page: Page, button: str) -> list[Form]:
    return [f for f in page.forms if any(b.label == button for b in f.buttons)]


def paused(table: Seated) -> list[int]:
    seen = games.read(table.id, System())
    assert seen is not None
    return [s.number for s in seen.seats if s.paused_until is not None]


def test_a_game_is_paused_and_goes_on_by_its_page(visitor: Visitor) -> None:
    table = seated.started(3)
    visitor.remember(table, 1)
    page = visitor.get(path_of(table))
    assert "You have 2 pauses left." in page.text

    page = visitor.press(page, page.the_form(PAUSE), {"days": "3"})

    assert paused(table) == [1]
    assert "no time passes, and everything can be answered" in page.text
    assert "Paused by" in page.text
    page = visitor.press(page, page.the_form(END))
    assert paused(table) == []
    assert not table.game.paused
    assert "You have one pause left." in page.text


def test_others_and_spectators_read_of_it_and_may_not_end_it(visitor: Visitor) -> None:
    table = seated.started(3)
    table_acts.pause(table.id, table.holder(2), 2)

    for seat in (None, 1):
        if seat is not None:
            visitor.remember(table, seat)
        page = visitor.get(path_of(table))
        assert "Paused by" in page.text
        assert forms(page, END) == []
    assert len(forms(page, PAUSE)) == 1


def test_a_question_gets_a_day_more_by_the_page(visitor: Visitor) -> None:
    table = seated.started(3)
    visitor.remember(table, 1)
    page = visitor.get(path_of(table))
    assert f"have {EXTENSIONS} such days left" in page.text

    page = visitor.press(page, page.the_form(LONGER))

    assert table.game.extended == (table.decision,)
    assert forms(page, LONGER) == []
    assert "There is a day more for this question." in page.text


def test_a_question_that_is_over_by_then_gets_none(visitor: Visitor) -> None:
    table = seated.started(3)
    visitor.remember(table, 1)
    page = visitor.get(path_of(table))
    (asked,) = table.game.asked()
    table.answer(asked, seated.own(table.game, asked).legal[0].answer)

    page = visitor.press(page, page.the_form(LONGER))

    assert page.status == 409
    assert "is over" in page.text
    assert table.game.extended == ()


def test_whoever_has_no_pause_left_is_told(visitor: Visitor) -> None:
    table = seated.started(3)
    visitor.remember(table, 1)
    stale = visitor.get(path_of(table))
    for _ in range(2):
        table_acts.pause(table.id, table.holder(1), 1)
        table_acts.resume(table.id, table.holder(1))

    refused = visitor.press(stale, stale.the_form(PAUSE), {"days": "1"})

    assert refused.status == 409
    assert "as often as you may" in refused.text
    assert "You have no pause left." in refused.text


def test_nobody_is_offered_to_stop_a_clock_that_is_not_theirs(
    visitor: Visitor,
) -> None:
    timeless, table = seated.started(3, decision_time=None), seated.started(3)
    visitor.remember(timeless, 1)

    for game in (timeless, table):
        page = visitor.get(path_of(game))
        assert forms(page, PAUSE) == forms(page, LONGER) == []


def test_a_form_of_another_seat_is_no_good(visitor: Visitor) -> None:
    table = seated.started(3)
    visitor.remember(table, 1)
    page = visitor.get(path_of(table))
    visitor.remember(table, 2)

    refused = visitor.press(page, page.the_form(PAUSE), {"days": "1"})

    assert refused.status == 403
    assert paused(table) == []
