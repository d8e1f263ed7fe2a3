"""Calling a game off on its page, and by the link of the mail that asks."""

import pytest

from service.game import table_acts
from service.present.sentences import isolated, listed
from service.store import proposals
from service.values.enums import ProposalState
from tests.rig.browser import Form, Page
from tests.rig.service import away, seated
from tests.rig.service.seated import Seated
from tests.rig.service.visitor import Visitor, link, path_of

pytestmark = pytest.mark.usefixtures("inside")

PROPOSE, AGREE, REFUSE = "Propose to call it off", "I agree: call it off", "No, play on"


def forms(page: Page, button: str) -> list[Form]:
    return [f for f in page.forms if any(b.label == button for b in f.buttons)]


def state(table: Seated) -> ProposalState:
    found = proposals.latest(table.id)
    assert found is not None
    return found.state


def propose(table: Seated, seat: int) -> None:
    table_acts.propose(table.id, table.principals[seat])


def asking(table: Seated, seat: int) -> str:
    """Where the mail about a proposal leads somebody."""
    return link(table, seat, "proposal").replace("/d/", "/p/")


def press(visitor: Visitor, page: Page, button: str) -> Page:
    (form,) = forms(page, button)
    pressed = next(b for b in form.buttons if b.label == button)
    return visitor.press(page, form, button=pressed)


def test_a_game_is_called_off_by_its_page(visitor: Visitor) -> None:
    table = seated.started(3)
    visitor.remember(table, 0)
    page = visitor.get(path_of(table))
    assert "You may propose it 2 times." in page.text

    page = press(visitor, page, PROPOSE)

    assert state(table) is ProposalState.OPEN
    assert "proposes to call the game off" in page.text
    assert forms(page, AGREE) == []
    for seat in (1, 2):
        visitor.remember(table, seat)
        page = press(visitor, visitor.get(path_of(table)), AGREE)
    assert table.game.reason == "cancelled"
    assert "The game was called off." in page.text


def test_a_no_on_the_page_ends_it_and_says_not_whose_it_was(visitor: Visitor) -> None:
    table = seated.started(3)
    propose(table, 0)
    visitor.remember(table, 2)

    page = press(visitor, visitor.get(path_of(table)), REFUSE)

    assert state(table) is ProposalState.REFUSED
    assert "It was proposed, and not all of you agreed." in page.text
    visitor.remember(table, 0)
    told = visitor.get(path_of(table))
    assert "You may propose it once more." in told.text


def test_spectators_read_nothing_of_it(visitor: Visitor) -> None:
    table = seated.started(3)
    propose(table, 0)

    page = visitor.get(path_of(table))

    assert "call" not in page.text.casefold().replace("called", "")
    assert forms(page, AGREE) == forms(page, PROPOSE) == []


def test_a_mailed_link_agrees_and_may_change_its_mind(visitor: Visitor) -> None:
    table = seated.started(3)
    propose(table, 0)
    page = visitor.get(asking(table, 1))
    assert "proposes to call the game off" in page.text

    page = press(visitor, page, AGREE)

    found = proposals.latest(table.id)
    assert found is not None
    assert found.agreed == (0, 1)
    both = listed([isolated(name) for name in seated.NAMES[:2]])
    assert "You have agreed" in page.text
    assert f"So far these agree: {both}." in page.text
    done = press(visitor, page, REFUSE)
    assert state(table) is ProposalState.REFUSED
    assert "You said no: the game goes on." in done.text
    assert "nothing to decide" not in done.text


def test_where_nobody_agrees_any_more_no_empty_list_is_told(visitor: Visitor) -> None:
    table = seated.started(3)
    propose(table, 0)
    url = asking(table, 1)
    table_acts.depart(table.id, table.principals[0], 0)
    visitor.remember(table, 2)

    for page in (visitor.get(url), visitor.get(path_of(table))):
        assert forms(page, AGREE)
        assert "So far" not in page.text


def test_a_look_at_a_mailed_link_changes_nothing(visitor: Visitor) -> None:
    table = seated.started(3)
    propose(table, 0)
    before = proposals.latest(table.id)

    visitor.get(asking(table, 1))

    assert proposals.latest(table.id) == before


def test_a_link_of_what_is_over_says_so(visitor: Visitor) -> None:
    table = seated.started(3)
    propose(table, 0)
    url = asking(table, 1)
    stale = visitor.get(url)
    table_acts.vote(table.id, table.principals[2], 1, agrees=False)

    late = press(visitor, stale, AGREE)

    assert late.status == 409
    assert "This proposal is over." in late.text
    assert "There is nothing to decide now." in visitor.get(url).text


def test_the_link_of_who_has_left_has_no_vote(visitor: Visitor) -> None:
    table = seated.started(3)
    propose(table, 0)
    url = asking(table, 1)
    page = visitor.get(url)
    table_acts.depart(table.id, table.principals[1], 1)

    refused = press(visitor, page, AGREE)

    assert refused.status == 409
    assert forms(visitor.get(url), AGREE) == []


def test_somebody_away_votes_on_the_page_and_proposes_nothing(visitor: Visitor) -> None:
    table = seated.started(3)
    away.leaves_a_bot(table, 1)
    visitor.remember(table, 1)
    assert forms(visitor.get(path_of(table)), PROPOSE) == []
    propose(table, 0)
    page = visitor.get(path_of(table))

    page = press(visitor, page, REFUSE)

    assert state(table) is ProposalState.REFUSED
    assert forms(page, PROPOSE) == []


def test_the_link_answers_no_question_of_the_game(visitor: Visitor) -> None:
    table = seated.started(3)
    propose(table, 0)

    page = visitor.get(link(table, 1, "proposal"))

    assert page.status == 404
