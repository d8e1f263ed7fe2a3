"""A game presented once: what pages and mails show of it, to whom."""

import pytest

from engine.board import Card
from engine.commands import Ballot, PlacementOption
from engine.state import Kind
from service.present import presentation
from service.present.presentation import Presentation
from service.present.sentences import plain
from service.store import games
from service.store.transactions import transaction
from service.values.principals import System
from tests.rig.service import seated
from tests.rig.service.seated import NAMES, Seated

pytestmark = pytest.mark.usefixtures("inside")


def presented(table: Seated, seat: int | None = None) -> Presentation:
    with transaction():
        seen = games.read(table.id, System())
    assert seen is not None
    return presentation.present(seen, seat)


def test_everybody_stands_in_seat_order_and_only_who_is_asked_alone_is_marked() -> None:
    table = seated.started(4, bots=1)
    (asked,) = table.game.asked()

    game = presented(table, seat=2)

    assert [player.name for player in game.players[:3]] == list(NAMES[:3])
    assert [player.asked for player in game.players].index(True) == asked
    assert sum(player.asked for player in game.players) == 1
    assert [player.me for player in game.players] == [False, False, True, False]
    assert [bool(player.bot) for player in game.players] == [False] * 3 + [True]
    assert plain(game.turn) == game.players[asked].name


def test_an_election_asks_everybody_and_tells_nobody_who_has_laid_a_card() -> None:
    table = seated.in_election(3)
    before = presented(table)
    table.answer(0, Ballot(Card.YES))

    game = presented(table)

    assert game.question is not None
    assert game.question.kind is Kind.ELECTION
    assert game.question.offers.cards == ("Yes", "No")
    assert (game.turn, game.question.laid) == ("", "")
    assert not any(player.asked or player.laid for player in game.players)
    assert game == before


def test_what_a_question_offers_is_the_same_whatever_a_hand_holds() -> None:
    table = seated.started(3, edition="jester", placement=PlacementOption.RANDOM)
    (asked,) = table.game.asked()

    everybody, themself = presented(table), presented(table, seat=asked)

    assert everybody.view.own is None
    assert themself.view.own is not None
    assert everybody.question == themself.question
    assert everybody.question is not None
    assert everybody.question.offers.movable


def test_who_nominated_has_the_crown_and_the_cards_of_the_vote_lie_open() -> None:
    table = seated.started(3)
    table.nominate()
    mover = table.game.crown
    table.lay([Card.YES, Card.NO, Card.YES])
    table.resolve()

    game = presented(table)

    assert mover is not None
    assert plain(game.crown) == NAMES[mover]
    assert [player.crown for player in game.players].index(True) == mover
    (vote,) = game.votes
    assert vote.verdict == "refused"
    assert [(laid.name, laid.card) for laid in vote.cards] == [
        ("Rachel", Card.YES),
        ("Simon", Card.NO),
        ("Terry", Card.YES),
    ]


def test_the_winners_stand_before_all_others_and_who_is_level_shares_a_rank() -> None:
    table = seated.started(3, rounds=1)
    table.finish()

    game = presented(table)

    assert game.question is None
    assert game.finished
    winners = {NAMES[seat] for seat in table.game.winners}
    first = {each.player.name for each in game.standing if each.rank == 1}
    assert first == winners
    totals = [each.player.total for each in game.standing if not each.player.wins]
    assert totals == sorted(totals, reverse=True)
    assert all(winner in plain(game.outcome) for winner in winners)
    assert [result.number for result in game.rounds] == [1]


def test_a_game_that_is_called_off_has_no_winner() -> None:
    table = seated.started(3)
    seated.cancel(table.id, System())

    game = presented(table)

    assert (game.called_off, game.finished, game.outcome) == (True, False, "")
