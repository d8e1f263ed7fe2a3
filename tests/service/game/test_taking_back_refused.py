"""Who takes nothing back, and what stays: any act once somebody has acted since."""

from datetime import timedelta

import pytest

from engine.board import Card
from engine.commands import Ballot
from engine.errors import CannotTakeBack, GameNotRunning, SeatKept
from service.game import acts_taken_back, handlers, table_acts, time_up
from service.store import clock, links
from service.store.links import LinkRow
from service.store.transactions import transaction
from service.values import entropy
from service.values.conflicts import BeyondTheRecord
from service.values.enums import LinkPurpose
from service.values.principals import DeviceHolder, LinkHolder, System
from tests.rig.service import seated
from tests.rig.service.seated import Seated, run
from tests.rig.service.taken_back import A4, B4, first_act, take_back

pytestmark = pytest.mark.usefixtures("inside")


def refused(table: Seated, seat: int, decision: int) -> str:
    before = table.game
    with pytest.raises(CannotTakeBack) as refusal:
        take_back(table, seat, decision)
    assert table.game == before
    return refusal.value.reason


def test_somebody_s_link_of_the_answered_question_takes_back_and_no_other() -> None:
    table = seated.started(3)
    seat = int(table.game.asked()[0])
    person = seated.person_on(table.id, seat)
    rows = [
        LinkRow(LinkPurpose.DECISION, table.id, person, seat, number)
        for number in (1, 2)
    ]
    with transaction():
        right, wrong = (LinkHolder(entropy.digest(links.add(row))) for row in rows)
    handlers.answer(table.id, right, 1, A4)

    with pytest.raises(handlers.NotAtTable):
        acts_taken_back.take_back(table.id, wrong, 1)
    assert acts_taken_back.take_back(table.id, right, 1) == 3


def test_who_has_no_seat_takes_nothing_back() -> None:
    table, _ = first_act()

    for principal in (DeviceHolder(b"x" * 32), LinkHolder(b"x" * 32), System()):
        with pytest.raises(handlers.NotAtTable):
            acts_taken_back.take_back(table.id, principal, 1)


def test_once_the_next_seat_has_acted_nothing_is_taken_back() -> None:
    table, seat = first_act()
    (other,) = table.game.asked()
    table.answer(other, B4)

    assert refused(table, seat, 1) == "acted-since"


def test_once_the_clock_has_answered_nothing_is_taken_back() -> None:
    table, seat = first_act()
    clock.shift(timedelta(seconds=seated.PACE + 1))
    assert time_up.run_out(table.id, 2)

    assert refused(table, seat, 1) == "acted-since"


def test_a_nomination_stays_with_and_without_a_card() -> None:
    table = seated.in_election(3)
    number = table.decision - 1
    (mover,) = run("SELECT seat FROM answer WHERE decision = :d", {"d": number})[0]

    assert refused(table, mover, number) == "nominated"
    table.answer(mover, Ballot(Card.YES))
    assert refused(table, mover, number) == "nominated"
    assert refused(table, mover, number + 1) == "ballot"


def test_after_the_reveal_nothing_is_taken_back() -> None:
    table = seated.in_election(3)
    number = table.decision - 1
    (mover,) = run("SELECT seat FROM answer WHERE decision = :d", {"d": number})[0]
    table.lay((Card.YES, Card.NO, Card.YES))
    table.resolve()

    assert refused(table, mover, number) == "acted-since"
    assert refused(table, mover, number + 1) == "ballot"


def test_an_election_whose_cards_are_all_in_is_turned_over_first() -> None:
    table = seated.in_election(3)
    number = table.decision - 1
    (mover,) = run("SELECT seat FROM answer WHERE decision = :d", {"d": number})[0]
    table.lay((Card.YES, Card.NO, Card.YES))

    with pytest.raises(CannotTakeBack) as refusal:
        take_back(table, mover, number)

    assert refusal.value.reason == "acted-since"
    assert len(table.game.elections) == 1


def test_a_question_that_was_put_again_is_not_taken_back_again() -> None:
    table, seat = first_act()
    take_back(table, seat, 1)
    table.answer(seat, B4)

    assert refused(table, seat, 3) == "once"


def test_where_the_host_wants_it_so_nothing_is_taken_back() -> None:
    table, seat = first_act(take_back=False)

    assert refused(table, seat, 1) == "off"


def test_another_s_act_and_an_open_question_are_not_taken_back() -> None:
    table, seat = first_act()
    other = (seat + 1) % 3

    assert refused(table, other, 1) == "not-yours"
    assert refused(table, other, 2) == "not-answered"
    with pytest.raises(BeyondTheRecord):
        take_back(table, seat, 9)


def test_who_has_left_takes_nothing_back_but_what_they_had() -> None:
    table, seat = first_act()
    table_acts.depart(table.id, table.holder(seat), seat)
    with pytest.raises(SeatKept):
        take_back(table, seat, 1)

    undone, who = first_act()
    take_back(undone, who, 1)
    table_acts.depart(undone.id, undone.holder(who), who)
    assert take_back(undone, who, 1) == 3


def test_a_game_that_is_over_takes_nothing_back() -> None:
    table, seat = first_act()
    seated.cancel(table.id, System())

    with pytest.raises(GameNotRunning):
        take_back(table, seat, 1)
