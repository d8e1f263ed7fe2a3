import pytest
from msgspec.structs import replace

from engine import views
from engine.board import Card, Verdict
from engine.commands import Ballot, CancelGame
from engine.views import ElectionView, Showing
from tests.rig.engine.tables import PAUL, RACHEL, SIMON, Table, fill, options, settled


def election(history: str = "table") -> Table:
    table = settled(4, options(history=history))
    table.nominate("A")
    return table


LAID = (Card.YES, Card.NO, Card.YES, Card.YES)


def test_a_reveal_shows_the_cards_by_name_to_everybody() -> None:
    table = election()
    verdict = ElectionView(15, "A", SIMON, Verdict.REFUSED)

    table.vote(*LAID)

    assert table.view(None).showings == (Showing(verdict, LAID),)
    assert table.view(PAUL).showings == table.view(None).showings
    assert table.view(None).elections == (verdict,)


def test_at_a_classic_table_the_next_reveal_takes_the_last_ones_place() -> None:
    table = election("table")
    table.vote(*LAID)
    table.nominate("B")
    assert len(table.view(None).showings) == 1

    table.vote("no", "yes", "yes", "yes")

    (showing,) = table.view(None).showings
    assert showing.election.nominee == "B"
    assert [e.nominee for e in table.view(None).elections] == ["A", "B"]
    assert [e.verdict for e in table.view(None).elections] == [Verdict.REFUSED] * 2


def test_an_open_table_shows_every_election_of_the_round() -> None:
    table = election("open")
    table.vote(*LAID)
    table.nominate("B")

    table.vote("no", "yes", "yes", "yes")

    showings = table.view(None).showings
    assert [(s.election.nominee, s.cards[0]) for s in showings] == [
        ("A", Card.YES),
        ("B", Card.NO),
    ]


def test_a_showing_stays_while_the_next_cards_are_laid() -> None:
    table = election()
    table.vote(*LAID)
    table.nominate("B")
    before = table.view(None).showings

    table.lay(RACHEL, "no")

    assert table.view(None).showings == before


@pytest.mark.parametrize("history", ["table", "open"])
def test_a_view_of_the_past_has_no_showing_and_nobodys_own(history: str) -> None:
    table = election(history)
    table.vote(*LAID)

    past = views.view_of_past(table.game)

    assert past.showings == ()
    assert past.own is None
    assert past.laid is None
    assert past == replace(table.view(None), showings=())
    assert [e.verdict for e in past.elections] == [Verdict.REFUSED]


def test_a_cancelled_election_shows_none_of_its_ballots() -> None:
    table = election()
    table.lay(RACHEL, "no")
    table.do(CancelGame(table.seed))

    view = table.view(None)

    assert (view.reason, view.winners) == ("cancelled", ())
    assert view.showings == ()


def test_hands_of_the_next_round_do_not_show_the_last_rounds_cards() -> None:
    table = election()
    table.vote("no", "no", "no", "no")
    table.crown("B")
    fill(table)

    assert table.view(None).showings == ()
    assert table.view(None).elections == ()
    table.nominate("A")
    assert table.legal(RACHEL) == (Ballot(Card.YES), Ballot(Card.NO))
