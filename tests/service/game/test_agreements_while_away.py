"""Whoever will be back by themselves is asked before a game is called off."""

from datetime import timedelta

import pytest

from engine.board import Seat
from service.game import table_acts
from service.people import deletion
from service.store import clock
from service.values.enums import ProposalState
from tests.rig.service import away, proposing, replaced, seated
from worker.clock import sweeper

DAY = timedelta(days=1)

pytestmark = pytest.mark.usefixtures("inside")


def test_who_is_away_and_will_be_back_is_asked_like_whoever_plays() -> None:
    table = seated.started(3)
    away.leaves_a_bot(table, 1)
    proposing.propose(table)
    proposing.vote(table, 2)
    assert table.game.running

    proposing.vote(table, 1)

    assert table.game.reason == "cancelled"
    assert proposing.told(table, "proposal") == [1, 2]
    assert proposing.told(table, "game_over") == [0, 1, 2]


def test_a_no_of_somebody_away_ends_it_and_so_does_their_silence() -> None:
    table = seated.started(3, decision_time=14 * 86_400)
    away.leaves_a_bot(table, 1)
    proposing.propose(table)
    proposing.vote(table, 1, agrees=False)
    assert proposing.latest(table).state is ProposalState.REFUSED
    proposing.propose(table)
    proposing.vote(table, 2, number=2)

    clock.shift(3 * DAY)
    sweeper.sweep()

    assert proposing.latest(table).state is ProposalState.LAPSED
    assert table.game.running


def test_who_agreed_and_is_away_since_agrees_still() -> None:
    table = seated.started(3)
    proposing.propose(table, 1)

    away.leaves_a_bot(table, 1)

    assert proposing.latest(table).agreed == (1,)
    for seat in (0, 2):
        proposing.vote(table, seat)
    assert table.game.reason == "cancelled"


@pytest.mark.parametrize("goes", ["leaves", "is erased"])
def test_when_who_is_away_goes_for_good_whoever_is_left_decides(goes: str) -> None:
    table = seated.started(3)
    away.leaves_a_bot(table, 1)
    proposing.propose(table)
    proposing.vote(table, 2)
    assert table.game.running

    if goes == "leaves":
        table_acts.depart(table.id, table.principals[1], 1)
    else:
        deletion.erase(seated.person_on(table.id, 1))

    assert table.game.reason == "cancelled"
    assert proposing.told(table, "game_over") == [0, 2]


def test_whom_a_kept_seat_has_gone_to_is_asked_before_they_play() -> None:
    table = replaced.kept()
    replaced.answer(replaced.asked(table))
    assert table.game.has_bot(Seat(replaced.KEPT))
    proposing.propose(table)
    for seat in (2, 3):
        proposing.vote(table, seat)
    assert table.game.running

    table_acts.vote(table.id, replaced.device_of(table), 1, agrees=True)

    assert table.game.reason == "cancelled"
    assert proposing.told(table, "proposal") == [replaced.KEPT, 2, 3]
