"""What is new stands first on each page of a game, told from the record alone."""

from datetime import timedelta

import pytest

from engine.board import Card
from engine.commands import Ballot
from service.game import time_up
from service.store import clock
from tests.rig.service import seated
from tests.rig.service.seated import Seated
from tests.rig.service.visitor import (
    Visitor,
    asked,
    choices,
    decision_form,
    link,
    moving,
    path_of,
)

pytestmark = pytest.mark.usefixtures("inside")

CARDS = [Card.YES, Card.NO, Card.YES]


def refused() -> Seated:
    """A table of three whose election has just been turned over."""
    table = seated.in_election(3)
    table.lay(CARDS)
    table.resolve()
    return table


def test_a_reveal_comes_before_all_else_with_its_verdict_last(visitor: Visitor) -> None:
    table = refused()
    visitor.remember(table, 1)

    page = visitor.get(path_of(table))

    rachel, simon, terry = (
        page.news.index(name) for name in ("Yes Rachel", "No Simon", "Yes Terry")
    )
    assert rachel < simon < terry < page.news.index("was refused and is out")
    assert page.text.index(page.news) < page.text.index("Round 1 of 1")
    assert page.text.count("No Simon") == 1


def test_a_reveal_stays_for_everybody_until_somebody_acts(visitor: Visitor) -> None:
    table = refused()
    mailed = link(table, asked(table))

    for path in (path_of(table), mailed, path_of(table)):
        assert "No Simon" in visitor.get(path).news
    seat = asked(table)
    table.answer(seat, seated.own(table.game, seat).legal[0].answer)

    page = visitor.get(path_of(table))
    assert "No Simon" not in page.news
    assert "moved" in page.news


def test_whoever_has_not_acted_since_reads_of_it_however_much_followed(
    visitor: Visitor,
) -> None:
    table = refused()
    last = next(each for each in range(3) if each != asked(table))
    for _ in range(2):
        seat = asked(table)
        if seat == last:
            break
        table.answer(seat, seated.own(table.game, seat).legal[-1].answer)
    visitor.remember(table, last)

    page = visitor.get(path_of(table))

    assert "was refused" in page.news
    assert page.news == visitor.get(path_of(table)).news


def test_a_card_that_is_laid_changes_nothing_of_what_is_new(visitor: Visitor) -> None:
    table = seated.in_election(3)
    visitor.remember(table, 1)
    before = visitor.get(path_of(table)).news

    table.answer(1, Ballot(Card.NO))
    assert visitor.get(path_of(table)).news == before
    table.answer(0, Ballot(Card.YES))

    assert visitor.get(path_of(table)).news == before
    assert "up for king" in before


def test_what_one_has_laid_is_no_news_once_it_is_turned_over(visitor: Visitor) -> None:
    table = seated.in_election(3)
    table.answer(0, Ballot(Card.YES))
    table.answer(2, Ballot(Card.YES))
    visitor.remember(table, 1)
    page = visitor.get(path_of(table))
    done = visitor.press(page, decision_form(page), {"card": "no"})
    assert "you laid No" in done.text

    table.resolve()

    again = visitor.get(done.url)
    assert "you laid No" not in again.text
    assert "No Simon" in again.news


def test_what_the_clock_did_for_somebody_is_told_them_first(visitor: Visitor) -> None:
    table = moving(3)
    seat, first = asked(table), table.decision
    clock.shift(timedelta(days=10))
    assert time_up.run_out(table.id, first)
    visitor.remember(table, seat)

    page = visitor.get(path_of(table))

    assert page.news.startswith("Time was up: the clock moved")
    other = Visitor(visitor.client.application)
    assert "time ran out: by lot" in other.get(path_of(table)).news


def test_whoever_has_just_moved_has_no_news_of_their_own(visitor: Visitor) -> None:
    table = moving(3)
    visitor.remember(table, asked(table))
    page = visitor.get(path_of(table))

    done = visitor.press(page, decision_form(page), choices(decision_form(page)))

    assert "You moved" in done.text
    assert done.news == ""


def test_a_link_that_is_over_tells_what_became_of_its_question(
    visitor: Visitor,
) -> None:
    table = seated.in_election(3)
    mailed = link(table, 1)
    table.lay(CARDS)
    table.resolve()

    page = visitor.get(mailed)

    assert "This question is over" in page.text
    assert "No Simon" in page.news


def test_a_castle_marks_who_moved_and_where_they_stood(visitor: Visitor) -> None:
    table = moving(3)
    visitor.remember(table, (asked(table) + 2) % 3)
    seat = asked(table)
    moved = seated.own(table.game, seat).legal[0].answer
    before = visitor.get(path_of(table)).body.decode()

    table.answer(seat, moved)

    page = visitor.get(path_of(table)).body.decode()
    assert before.count('class="arrived"') == 0
    assert page.count('class="arrived"') == 1
    assert page.count('class="left"') == 1
