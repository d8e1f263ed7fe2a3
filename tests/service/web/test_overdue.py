"""Waiting no longer, on the page of a game without a clock."""

from datetime import timedelta

import pytest

from engine.board import Seat
from engine.commands import PlacementOption
from service.store import clock
from tests.rig.service import seated
from tests.rig.service.seated import Seated
from tests.rig.service.visitor import Visitor, path_of

pytestmark = pytest.mark.usefixtures("inside")

DAYS = timedelta(days=14)
BOT, YES = "Have a bot keep the seat", "Have Yes laid for them"


def waiting(**wish: object) -> Seated:
    return seated.started(3, decision_time=None, **wish)


def test_whoever_waits_for_14_days_has_a_bot_keep_the_seat(visitor: Visitor) -> None:
    table = waiting()
    (silent,) = table.game.asked()
    visitor.remember(table, (silent + 1) % 3)
    assert visitor.get(path_of(table)).form(BOT) is None
    clock.shift(DAYS)
    page = visitor.get(path_of(table))

    done = visitor.press(page, page.the_form(BOT))

    assert done.status == 200
    assert table.game.has_bot(silent)


def test_whoever_is_asked_answers_instead(visitor: Visitor) -> None:
    table = waiting()
    visitor.remember(table, table.game.asked()[0])
    clock.shift(DAYS)

    assert visitor.get(path_of(table)).form(BOT) is None


def test_in_a_vote_it_is_offered_to_all_alike(visitor: Visitor) -> None:
    table = waiting(rounds=1, placement=PlacementOption.RANDOM)
    table.nominate()
    visitor.remember(table, 1)
    clock.shift(DAYS)
    page = visitor.get(path_of(table))

    done = visitor.press(page, page.the_form(YES))

    assert done.status == 200
    assert len(table.game.elections) == 1
    assert not any(table.game.has_bot(Seat(seat)) for seat in range(3))


def test_a_form_that_is_pressed_late_ends_no_other_wait(visitor: Visitor) -> None:
    table = waiting()
    (silent,) = table.game.asked()
    visitor.remember(table, (silent + 1) % 3)
    clock.shift(DAYS)
    page = visitor.get(path_of(table))
    table.play_until((silent + 1) % 3)

    done = visitor.press(page, page.the_form(BOT))

    assert done.status == 200
    assert not any(table.game.has_bot(Seat(seat)) for seat in range(3))


def test_where_there_is_a_clock_nothing_is_offered(visitor: Visitor) -> None:
    table = seated.started(3, decision_time=14 * 24 * 3600, spare=1)
    visitor.remember(table, (table.game.asked()[0] + 1) % 3)
    clock.shift(DAYS)

    assert visitor.get(path_of(table)).form(BOT) is None


def test_the_page_says_about_when_the_game_is_over(visitor: Visitor) -> None:
    table = seated.started(3)

    assert "it ends about" in visitor.get(path_of(table)).text
    table.finish()
    assert "it ends about" not in visitor.get(path_of(table)).text
