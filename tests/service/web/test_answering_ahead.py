"""Answering ahead on a game's page: behind the same gate as the hand."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from engine.board import Card
from engine.commands import Ballot, PlacementOption
from service import config
from service.game import answering_ahead
from service.store import clock, standing_answers
from service.values.wishes import (
    NOTHING,
    WishedCard,
    WishedElection,
    WishedMove,
    WishedPlacement,
    Wishes,
)
from tests.rig.browser import Page
from tests.rig.service import seated
from tests.rig.service.seated import Seated, run
from tests.rig.service.visitor import Visitor, link, opened, path_of
from worker.clock import sweeper

pytestmark = pytest.mark.usefixtures("inside")

LAY, DROP = "Answer this ahead", "Ask me again"
AHEAD = "You have answered this ahead:"
CHOSEN = {
    "who-0": "A",
    "to-0": "4",
    "who-3": "C",
    "to-3": "2",
    "mover": "A",
    "way": "throne",
    "card-C": "yes",
    "else": "no",
}
ALL = Wishes(
    placements=(WishedPlacement("A", "4"), WishedPlacement("C", "2")),
    move=WishedMove("A", "throne"),
    election=WishedElection((WishedCard("C", Card.YES),), Card.NO),
)


def laid(table: Seated, seat: int = 1) -> Wishes:
    return standing_answers.read(table.id, seat, table.game.round)


def lay(visitor: Visitor, table: Seated, chosen: dict[str, str]) -> Page:
    page = visitor.get(path_of(table))
    return visitor.press(page, page.the_form(LAY), chosen)


@pytest.fixture
def table(visitor: Visitor) -> Seated:
    found = seated.started(3, first=0)
    visitor.remember(found, 1)
    return found


def test_what_is_filled_in_is_laid_and_stands_in_the_form_again(
    visitor: Visitor, table: Seated
) -> None:
    page = lay(visitor, table, CHOSEN)

    assert laid(table) == ALL
    (form,) = (f for f in page.forms if any(b.label == LAY for b in f.buttons))
    shown = form.sent({}, form.buttons[0])
    assert {name: shown[name] for name in ("who-0", "to-1", "way", "else")} == {
        "who-0": "A",
        "to-1": "2",
        "way": "throne",
        "else": "no",
    }


def test_what_lies_there_is_dropped_by_another_button(
    visitor: Visitor, table: Seated
) -> None:
    page = lay(visitor, table, CHOSEN)
    form = page.the_form(LAY)
    (button,) = (b for b in form.buttons if b.label == DROP)

    visitor.press(page, form, {}, button)

    assert laid(table) == NOTHING


@pytest.mark.parametrize(
    ("chosen", "why"),
    [
        ({"who-0": "A"}, "Each wish needs a character and a floor."),
        ({"way": "5"}, "Your next move needs a character and a place."),
        ({"card-A": "no"}, "Say what to lay for everybody else, too"),
    ],
)
def test_half_a_wish_is_not_laid_and_stays_filled_in(
    visitor: Visitor, table: Seated, chosen: dict[str, str], why: str
) -> None:
    page = lay(visitor, table, {**chosen, "who-5": "B", "to-5": "3"})

    assert page.status == 422
    assert why in page.text
    assert laid(table) == NOTHING
    form = page.the_form(LAY)
    assert form.sent({}, form.buttons[0])["who-5"] == "B"


def test_what_the_edition_does_not_know_is_not_laid(
    visitor: Visitor, table: Seated
) -> None:
    page = lay(visitor, table, {"mover": "A", "way": "wc3"})

    assert page.status == 422
    assert laid(table) == NOTHING


def test_nobody_else_sees_the_form_or_what_lies_in_it(
    visitor: Visitor, table: Seated
) -> None:
    lay(visitor, table, CHOSEN)
    other = Visitor(visitor.client.application)

    before = other.get(path_of(table))

    assert "Answer ahead" not in before.text
    assert "Answer ahead" not in other.get(link(table, 0)).text


def test_a_mailed_link_shows_what_lies_there_behind_the_cards_and_changes_nothing(
    visitor: Visitor, table: Seated
) -> None:
    lay(visitor, table, CHOSEN)
    table.answer(0, seated.own(table.game, 0).legal[0].answer)
    holder = Visitor(visitor.client.application)

    page, _form = opened(holder, link(table, 1))

    assert "Answer ahead" in page.text
    assert not any(b.label == LAY for form in page.forms for b in form.buttons)


def test_its_owner_alone_is_told_when_it_is_given(
    visitor: Visitor, table: Seated
) -> None:
    app = visitor.client.application
    run(
        "UPDATE person SET zone = 'Asia/Kolkata' WHERE id = :p",
        {"p": seated.person_on(table.id, 1)},
    )
    before = lay(visitor, table, CHOSEN)
    assert "answered ahead" in before.text
    assert AHEAD not in before.text
    table.answer(0, seated.own(table.game, 0).legal[0].answer)
    ((at,),) = run("SELECT due_at FROM due WHERE kind = 'standing'")
    words = f"{AHEAD} it is given at {at.astimezone(ZoneInfo('Asia/Kolkata')):%H:%M}"
    mailed = link(table, 1)

    assert words in _page(visitor, table)
    assert words in opened(Visitor(app), mailed)[0].text
    others = Visitor(app)
    others.remember(table, 0)
    for page in (_page(others, table), _page(Visitor(app), table)):
        assert AHEAD not in page
    assert AHEAD not in Visitor(app).get(mailed).text


def test_what_was_laid_too_late_for_this_question_is_told_of_no_time(
    visitor: Visitor, table: Seated
) -> None:
    table.answer(0, seated.own(table.game, 0).legal[0].answer)

    page = lay(visitor, table, CHOSEN)

    assert "It is your turn" in page.text
    assert AHEAD not in page.text


def test_what_is_dropped_is_not_given_any_more(visitor: Visitor, table: Seated) -> None:
    lay(visitor, table, CHOSEN)
    table.answer(0, seated.own(table.game, 0).legal[0].answer)
    answering_ahead.drop(table.id, table.holder(1))

    assert AHEAD not in _page(visitor, table)


def test_where_nobody_places_any_more_there_are_no_wishes_for_it(
    visitor: Visitor,
) -> None:
    table = seated.started(3, placement=PlacementOption.RANDOM)
    visitor.remember(table, 1)

    page = visitor.get(path_of(table))

    assert "When you place" not in page.text
    assert "When there is a vote" in page.text


def test_who_held_no_such_card_is_told_so_below_the_vote(visitor: Visitor) -> None:
    table = seated.started(
        3, edition="jester", placement=PlacementOption.RANDOM, rounds=1
    )
    visitor.remember(table, 1)
    ache = tuple(WishedCard(c, Card.STOMACHACHE) for c in table.game.law.characters)
    wishes = Wishes(election=WishedElection(ache, Card.NO))
    answering_ahead.lay(table.id, table.holder(1), wishes)
    told = []
    for _ in range(2):
        table.nominate()
        clock.shift(timedelta(seconds=config.USUAL_BOT_DELAY))
        sweeper.sweep()
        table.answer(0, Ballot(Card.NO))
        table.answer(2, Ballot(Card.NO))
        table.resolve()
        told.append("You had answered ahead with Stomachache" in _page(visitor, table))

    assert told == [False, True]
    assert "You had answered ahead" not in _page(
        Visitor(visitor.client.application), table
    )


def _page(visitor: Visitor, table: Seated) -> str:
    return visitor.get(path_of(table)).text
