"""Acting by a mailed link: choose, act, and what is not allowed."""

import pytest
from flask import Flask

from engine.board import Card
from engine.commands import Answer, Ballot, PlacementOption
from service.present import nouns
from tests.rig.browser import Form
from tests.rig.service import seated
from tests.rig.service.seated import Seated
from tests.rig.service.visitor import (
    OPEN,
    Visitor,
    asked,
    choices,
    legal,
    link,
    moving,
    opened,
)

pytestmark = pytest.mark.usefixtures("inside")


def choose(form: Form, **chosen: str) -> dict[str, str]:
    return {**choices(form), **chosen}


@pytest.mark.parametrize("options", [{}, {"placement": PlacementOption.RANDOM}])
def test_nothing_chosen_changes_nothing_and_says_so(
    app: Flask, visitor: Visitor, options: dict[str, PlacementOption]
) -> None:
    table = seated.started(3, **options)
    page, form = opened(visitor, link(table, asked(table)))
    assert not any(radio.checked for radio in form.radios)
    before = seated.everything(app)

    answer = visitor.press(page, form)

    assert answer.status == 422
    assert "Nothing was chosen" in answer.text
    assert answer.forms[0].choices() == form.choices()
    assert seated.everything(app) == before


def test_half_a_placement_changes_nothing(app: Flask, visitor: Visitor) -> None:
    table = seated.started(3)
    page, form = opened(visitor, link(table, asked(table)))
    before = seated.everything(app)

    for name, values in form.choices().items():
        assert visitor.press(page, form, {name: values[0]}).status == 422

    assert seated.everything(app) == before


def test_no_card_chosen_changes_nothing(app: Flask, visitor: Visitor) -> None:
    table = seated.in_election(3)
    page, form = opened(visitor, link(table, 1))
    before = seated.everything(app)

    assert visitor.press(page, form).status == 422
    assert visitor.press(page, form, {"card": "perhaps"}).status == 422
    assert seated.everything(app) == before


def test_a_move_is_done_and_the_next_in_turn_is_named(visitor: Visitor) -> None:
    table = moving()
    seat = asked(table)
    page, form = opened(visitor, link(table, seat))

    done = visitor.press(page, form, {"character": form.choices()["character"][-1]})

    assert done.status == 200
    assert "You moved" in done.text
    assert f"Now it is {seated.NAMES[(seat + 1) % 4]} 's turn." in done.text
    assert table.decision == 2


def test_a_placement_is_done(visitor: Visitor) -> None:
    table = seated.started(3)
    page, form = opened(visitor, link(table, asked(table)))

    done = visitor.press(page, form, {"character": "O", "place": "3"})

    assert "You placed Odessa with the Officers." in done.text
    assert table.game.board.at["O"] == "3"


def character(answer: Answer) -> str:
    assert not isinstance(answer, Ballot)
    return answer.character


def almost_nominating() -> Seated:
    """A game in which whoever is in turn may nominate."""
    table = moving()
    while not any(each.nominates for each in legal(table)):
        at = table.game.board.at
        best = max(legal(table), key=lambda each: at[character(each.answer)])
        table.answer(asked(table), best.answer)
    return table


def test_nominating_opens_the_ballot_at_once(visitor: Visitor) -> None:
    table = almost_nominating()
    page, form = opened(visitor, link(table, asked(table)))
    nominee = form.choices()["character"][0]

    ballot = visitor.press(page, form, {"character": nominee})
    done = visitor.press(ballot, ballot.forms[0], {"card": "no"})

    assert "And now: your vote" in ballot.text
    assert ballot.forms[0].choices() == {"card": ["yes", "no"]}
    assert done.status == 200
    assert f"{nouns.name_of(nominee)}: you laid No." in done.text
    assert table.game.ballots.count(Card.NO) == 1


def test_a_mailed_link_reaches_one_question_further_and_no_more(
    visitor: Visitor,
) -> None:
    table = moving()
    while sum(each.nominates for each in legal(table)) < 2:
        at, quiet = table.game.board.at, [e for e in legal(table) if not e.nominates]
        best = max(quiet, key=lambda each: at[character(each.answer)])
        table.answer(asked(table), best.answer)
    nominator = asked(table)
    table.answer(nominator, next(e.answer for e in legal(table) if e.nominates))
    seat = (nominator + 1) % 4
    page, form = opened(visitor, link(table, seat))
    visitor.press(page, form, {"card": "no"})
    for other in set(range(4)) - {seat}:
        table.answer(other, Ballot(Card.YES))
    table.resolve()
    nominee = next(character(e.answer) for e in legal(table) if e.nominates)

    further = visitor.press(page, form, {"card": "no"})
    done = visitor.press(further, further.forms[0], {"character": nominee})

    assert seat in table.game.asked()
    assert any(each.radios for each in further.forms)
    assert done.status == 200
    assert not any(each.radios for each in done.forms)


def test_a_card_laid_stays_laid(app: Flask, visitor: Visitor) -> None:
    table = seated.in_election(3)
    path = link(table, 1)
    page, form = opened(visitor, path)
    visitor.press(page, form, {"card": "yes"})
    before = seated.everything(app)

    answer = visitor.press(page, form, {"card": "no"})
    look = visitor.get(path)
    cards = visitor.press(look, look.the_form(OPEN))

    assert answer.status == 409
    assert "an answer is final" in answer.text
    assert "You have laid Yes" in cards.text
    assert not any(form.radios for form in cards.forms)
    assert seated.everything(app) == before


def crowded() -> tuple[Seated, str]:
    """A game in which somebody can't move: the next floor is full."""
    while True:
        table = moving()
        board = table.game.board
        full = {f for f in "1234" if board.count(f) == 4}
        for character, floor in board.at.items():
            if str(int(floor) + 1) in full:
                return table, character


@pytest.mark.parametrize("sent", ["crowded", "Z", "o", "O" * 200])
def test_a_move_that_is_not_allowed_changes_nothing(
    app: Flask, visitor: Visitor, sent: str
) -> None:
    table, blocked = crowded()
    page, form = opened(visitor, link(table, asked(table)))
    before = seated.everything(app)

    answer = visitor.press(
        page, form, {"character": blocked if sent == "crowded" else sent}
    )

    assert answer.status == 409
    assert answer.forms[0].choices() == form.choices()
    assert seated.everything(app) == before


def test_a_character_that_is_out_cannot_be_moved(visitor: Visitor) -> None:
    table = seated.in_election(3)
    nominee = table.game.decision and table.game.decision.nominee
    table.lay([Card.NO, Card.YES, Card.YES])
    table.resolve()
    page, form = opened(visitor, link(table, asked(table)))

    answer = visitor.press(page, form, {"character": str(nominee)})

    assert answer.status == 409
    assert f"{nouns.name_of(str(nominee))} moves no more in this round." in answer.text


def test_a_no_that_is_not_held_is_refused_to_its_owner_alone(
    app: Flask, visitor: Visitor
) -> None:
    table = seated.in_election(5)
    for _ in range(2):
        table.lay([Card.NO, *[Card.YES] * 4])
        table.resolve()
        table.nominate()
    page, form = opened(visitor, link(table, 0))
    assert form.choices() == {"card": ["yes"]}
    before = seated.everything(app)

    answer = visitor.press(page, form, {"card": "no"})

    assert answer.status == 409
    assert "You hold no No." in answer.text
    assert seated.everything(app) == before


def test_an_answer_of_another_kind_is_refused(app: Flask, visitor: Visitor) -> None:
    table = moving()
    page, form = opened(visitor, link(table, asked(table)))
    before = seated.everything(app)

    answer = visitor.press(page, form, {"kind": "election", "card": "yes"})

    assert answer.status == 409
    assert seated.everything(app) == before


def test_a_mark_is_good_for_its_own_link_alone(app: Flask, visitor: Visitor) -> None:
    table = seated.in_election(3)
    _, mine = opened(visitor, link(table, 1))
    page, form = opened(visitor, link(table, 2))
    before = seated.everything(app)

    for form_token in ("", "forged", mine.fields["form_token"]):
        answer = visitor.press(page, form, {"card": "no", "form_token": form_token})
        assert answer.status == 422

    assert seated.everything(app) == before


def test_a_form_of_another_site_is_refused(app: Flask, visitor: Visitor) -> None:
    table = seated.in_election(3)
    page, form = opened(visitor, link(table, 1))
    before = seated.everything(app)

    for headers in (
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
    ):
        answer = visitor.press(page, form, {"card": "no"}, headers=headers)
        assert answer.status == 403

    assert seated.everything(app) == before


def test_a_post_that_asks_for_nothing_is_not_understood(
    app: Flask, visitor: Visitor
) -> None:
    path = link(seated.in_election(3), 1)
    before = seated.everything(app)

    assert visitor.fetch("POST", path).status == 422
    assert visitor.fetch("POST", path, data={"do": "win"}).status == 422
    assert seated.everything(app) == before
