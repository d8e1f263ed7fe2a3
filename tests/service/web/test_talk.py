"""Talk on the pages: with an act, between acts, and for nobody but the table."""

from datetime import timedelta

import pytest
from flask import Flask

from service.game import handlers, table_acts, talk
from service.store import clock
from service.values.lines import Line
from tests.rig.browser import Form, Page
from tests.rig.service import seated
from tests.rig.service.seated import Seated, in_election, run
from tests.rig.service.visitor import (
    Visitor,
    asked,
    choices,
    decision_form,
    legal,
    link,
    moving,
    opened,
    path_of,
)

pytestmark = pytest.mark.usefixtures("inside")


@pytest.fixture
def table(inside: None) -> Seated:
    return moving()


@pytest.fixture
def visitor(app: Flask, table: Seated) -> Visitor:
    """A browser that is remembered for the seat that is asked."""
    found = Visitor(app)
    found.remember(table, asked(table))
    return found


def say_form(page: Page) -> Form:
    return next(form for form in page.forms if form.fields.get("do") == "say")


def said() -> list[tuple]:
    return run("SELECT seat, line, phrase FROM message ORDER BY game_id, number")


def test_a_line_goes_with_what_is_chosen_behind_a_mailed_link(
    app: Flask, table: Seated
) -> None:
    seat, visitor = asked(table), Visitor(app)
    cards, form = opened(visitor, link(table, seat))

    done = visitor.press(cards, form, {**choices(form), "line": "Watch this"})

    assert done.status == 200
    assert said() == [(seat, "Watch this", None)]
    assert "Watch this" in done.text


def test_a_line_goes_with_what_is_chosen_on_a_remembered_browser(
    table: Seated, visitor: Visitor
) -> None:
    seat = asked(table)
    page = visitor.get(path_of(table))
    form = decision_form(page)

    done = visitor.press(page, form, {**choices(form), "line": "Watch this"})

    assert said() == [(seat, "Watch this", None)]
    assert "Watch this" in done.text


def test_a_line_that_cannot_be_said_lets_nothing_happen(
    app: Flask, table: Seated, visitor: Visitor
) -> None:
    before = table.decision
    page = visitor.get(path_of(table))
    form = decision_form(page)
    cards, mailed = opened(Visitor(app), link(table, asked(table)))

    for at, sent, browser in ((page, form, visitor), (cards, mailed, Visitor(app))):
        bad = {**choices(sent), "line": "see www.example"}
        answer = browser.press(at, sent, bad)
        assert answer.status == 422
        assert "must not look like a link. Nothing has happened." in answer.text
    assert table.decision == before
    assert said() == []


def test_something_is_said_between_acts(table: Seated, visitor: Visitor) -> None:
    page = visitor.get(path_of(table))

    after = visitor.press(page, say_form(page), {"line": "Hello there"})

    assert after.status == 200
    assert "Hello there" in after.text


def test_a_stock_phrase_that_is_typed_goes_by_its_code(
    table: Seated, visitor: Visitor
) -> None:
    seat = asked(table)
    page = visitor.get(path_of(table))

    visitor.press(page, say_form(page), {"line": "Good luck!"})

    assert said() == [(seat, None, "good-luck")]


def test_what_is_said_is_text_and_never_markup(table: Seated, visitor: Visitor) -> None:
    page = visitor.get(path_of(table))

    after = visitor.press(page, say_form(page), {"line": "<b>&amp;</b>"})

    assert "&lt;b&gt;&amp;amp;&lt;/b&gt;" in after.body.decode()


def test_spectators_and_unopened_links_show_no_talk(app: Flask, table: Seated) -> None:
    talk.say(table.id, table.holder(0), Line("for our ears only", None))

    pages = [
        Visitor(app).get(path) for path in (path_of(table), link(table, asked(table)))
    ]

    assert all("for our ears only" not in page.text for page in pages)
    assert all("Talk at the table" not in page.text for page in pages)


def test_a_line_with_a_ballot_is_not_shown_before_the_reveal(app: Flask) -> None:
    table = in_election(3)
    mine, other = Visitor(app), Visitor(app)
    mine.remember(table, 0)
    other.remember(table, 1)
    page = mine.get(path_of(table))
    form = decision_form(page)
    before = other.get(path_of(table))

    mine.press(page, form, {**choices(form), "line": "I had no choice"})

    assert said() == []
    assert other.get(path_of(table)).text == before.text


def test_where_nobody_listens_nothing_can_be_said(app: Flask) -> None:
    table = seated.started(3, bots=2, first=0)
    visitor = Visitor(app)
    visitor.remember(table, 0)

    page = visitor.get(path_of(table))

    assert 'name="line"' not in page.body.decode()


def test_what_was_said_stays_when_only_bots_would_listen(
    table: Seated, visitor: Visitor
) -> None:
    others = [seat for seat in table.principals if seat != asked(table)]
    line = Line("Who is for Odessa?", None)
    for seat in others:
        talk.say(table.id, table.holder(seat), line)
        table_acts.depart(table.id, table.holder(seat), seat)

    page = visitor.get(path_of(table))

    assert page.text.count("Who is for Odessa?") >= len(others)
    assert not [form for form in page.forms if form.fields.get("do") == "say"]
    assert 'name="line"' not in page.body.decode()
    assert page.form("Report it") is not None
    assert page.form("Don't show it to me") is None


def test_a_form_of_another_page_says_nothing(table: Seated, visitor: Visitor) -> None:
    page = visitor.get(path_of(table))
    form = say_form(page)
    form.fields["form_token"] = "made up"

    answer = visitor.press(page, form, {"line": "Hello there"})

    assert answer.status == 403
    assert said() == []


def test_a_week_after_the_end_there_is_no_form_any_more(app: Flask) -> None:
    table = seated.started(3, rounds=1, placement="random")
    table.finish()
    visitor = Visitor(app)
    visitor.remember(table, 0)
    page = visitor.get(path_of(table))
    form = say_form(page)

    clock.shift(timedelta(days=7, minutes=1))
    after = visitor.get(path_of(table))
    late = visitor.press(page, form, {"line": "Hello?"})

    assert "Say something to all players" not in after.text
    assert late.status == 409
    assert "There is talk" in late.text


def test_somebody_is_muted_and_heard_again(table: Seated, visitor: Visitor) -> None:
    other = (asked(table) + 1) % 4
    talk.say(table.id, table.holder(other), Line("listen to me", None))
    page = visitor.get(path_of(table))
    form = page.the_form("Don't show it to me")
    don_t, again = form.buttons

    muted = visitor.press(page, form, {"seat": str(other)}, don_t)
    heard = visitor.press(page, form, {"seat": str(other)}, again)

    assert "listen to me" in page.text
    assert "listen to me" not in muted.text
    assert ": muted" in muted.text
    assert "listen to me" in heard.text


def test_a_message_is_reported(table: Seated, visitor: Visitor) -> None:
    other = (asked(table) + 1) % 4
    talk.say(table.id, table.holder(other), Line("listen to me", None))
    page = visitor.get(path_of(table))

    after = visitor.press(page, page.the_form("Report it"), {"message": "1"})

    assert after.status == 200
    assert run("SELECT message FROM report") == [(1,)]


@pytest.mark.parametrize("do", ["mute", "unmute", "report"])
def test_what_is_not_there_is_neither_muted_nor_reported(
    table: Seated, visitor: Visitor, do: str
) -> None:
    page = visitor.get(path_of(table))
    sent = {"do": do, "seat": "7", "message": "7"}

    after = visitor.press(page, say_form(page), sent)

    assert after.status == 200
    assert run("SELECT count(*) FROM report") == run("SELECT count(*) FROM mute")


def test_what_is_said_with_a_nomination_stands_above_the_vote(app: Flask) -> None:
    table = moving(3)
    while not any(each.nominates for each in legal(table)):
        best = max(legal(table), key=lambda each: seated._floor(table.game, each))
        table.answer(asked(table), best.answer)
    seat, (king, *_) = asked(table), [each for each in legal(table) if each.nominates]
    line = Line("Who else, if not this one?", None)
    principal = table.principals[seat]
    handlers.answer(table.id, principal, table.decision, king.answer, line)

    cards, form = opened(Visitor(app), link(table, (seat + 1) % 3))

    question, _, rest = cards.text.partition("be king? Lay a card.")
    assert "Who else, if not this one?" not in question
    above, _, _ = rest.partition("Your card")
    assert "Who else, if not this one?" in above
    assert form.radios
