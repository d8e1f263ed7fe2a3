"""A player goes in the middle of a vote: it ends by rule, their cards stay secret."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from engine import views
from engine.board import Card, Seat, Verdict
from engine.commands import Ballot, PlacementOption
from engine.state import Kind
from service.config import USUAL_BOT_DELAY
from service.game import handlers, seatings, table_acts, time_up
from service.store import clock, event_log, games
from service.store.games import GameReadModel
from service.values.principals import Bot, DeviceHolder, System
from tests.rig.service import replaced, seated
from tests.rig.service.seated import Seated, run

pytestmark = pytest.mark.usefixtures("inside")

LAST = 4


def voting(seats: int = 5) -> Seated:
    """An election of a game of two rounds, in which everybody but the last has laid."""
    table = seated.started(seats, placement=PlacementOption.RANDOM, rounds=2)
    table.nominate()
    for seat in range(seats - 1):
        table.answer(seat, Ballot(Card.NO if seat == 0 else Card.YES))
    return table


def depart(table: Seated, seat: int = LAST) -> None:
    table_acts.depart(table.id, table.holder(seat), seat)


def erase(table: Seated, seat: int = LAST) -> None:
    replaced.erase(table, seat)


def depart_and_be_replaced(table: Seated, seat: int = LAST) -> None:
    depart(table, seat)
    replaced.answer(replaced.asked(table, seat=seat))


def bots_answer(table: Seated) -> None:
    """What is due for bots, as the sweep does it."""
    due = "SELECT decision, seat FROM due WHERE game_id = :g AND kind = 'bot'"
    for decision, seat in run(due, {"g": table.id}):
        answer = seated.own(table.game, seat).legal[0].answer
        handlers.answer(table.id, Bot(seat), decision, answer)


@pytest.mark.parametrize("goes", [depart, erase, depart_and_be_replaced])
def test_a_vote_closes_when_its_last_missing_seat_goes(
    goes: Callable[[Seated], None],
) -> None:
    table = voting()
    decision, hands = table.decision, table.game.hands

    goes(table)
    [(number, seat, wait)] = run(
        "SELECT decision, seat, extract(epoch FROM due_at - kingup_now()) FROM due"
        " WHERE game_id = :g AND kind = 'bot'",
        {"g": table.id},
    )
    bots_answer(table)
    table.resolve()

    assert (number, seat) == (decision, LAST)
    assert wait <= USUAL_BOT_DELAY
    [election] = table.game.elections
    assert (election.decision, election.verdict) == (decision, Verdict.REFUSED)
    assert election.cards == (Card.NO, *(Card.YES,) * 4)
    # The one No that was laid is gone; nobody gets, or loses, one of the leaver's.
    left = [list(hand) for hand in hands]
    left[0].remove(Card.NO)
    assert [sorted(hand) for hand in table.game.hands] == [sorted(h) for h in left]
    assert table.game == event_log.replayed(table.id)


@pytest.mark.parametrize("goes", [depart, erase, depart_and_be_replaced])
def test_what_the_leaver_held_is_told_to_nobody(
    goes: Callable[[Seated], None],
) -> None:
    table = voting()
    before = read(table, System()).record

    goes(table)

    told = event_log.record_after(table.id, before, 1000)
    gone = f'{{"bot":"{seatings.KEEPER}","seat":{LAST},"type":"bot_seated"}}'
    assert [each.public.decode() for each in told] == [gone]
    for reader in (*(table.holder(seat) for seat in range(LAST)), System()):
        seen = read(table, reader)
        view = views.view(seen.game, None if seen.seat is None else Seat(seen.seat))
        assert view.own is None or view.own.seat != LAST
        assert view.rounds == ()
    newcomer = read(table, Seated(table.id).holder(LAST))
    assert newcomer.seat is None


def read(table: Seated, reader: DeviceHolder | System) -> GameReadModel:
    seen = games.read(table.id, reader)
    assert seen is not None
    return seen


def test_the_newcomer_lays_the_missing_card_where_the_seat_was_left_before() -> None:
    table = seated.started(5, placement=PlacementOption.RANDOM, rounds=2)
    depart(table)
    table.play_round()
    table.nominate()
    for seat in range(LAST):
        table.answer(seat, Ballot(Card.YES))
    decision, before = table.decision, elections_of(table)

    replaced.answer(replaced.asked(table, seat=LAST))
    holder = Seated(table.id).holder(LAST)
    with pytest.raises(handlers.NotAtTable):
        handlers.answer(table.id, Bot(LAST), decision, Ballot(Card.YES))
    handlers.answer(table.id, holder, decision, Ballot(Card.YES))
    table.resolve()

    assert elections_of(table) == before + 1


def elections_of(table: Seated) -> int:
    record = event_log.record_after(table.id, 0, 1000)
    return [each.type for each in record].count("election_resolved")


def test_two_idle_seats_cost_one_clock() -> None:
    table = seated.started(5, placement=PlacementOption.RANDOM, rounds=1)
    table.nominate()
    decision = table.decision
    for seat in range(3):
        table.answer(seat, Ballot(Card.NO if seat == 0 else Card.YES))
    clock.shift(timedelta(seconds=seated.PACE + 1))

    assert time_up.run_out(table.id, decision)
    table.resolve()

    sources = run(
        "SELECT seat, source FROM answer WHERE game_id = :g AND decision = :d"
        " ORDER BY seat",
        {"g": table.id, "d": decision},
    )
    assert [source for _, source in sources] == ["person"] * 3 + ["clock"] * 2
    assert table.game.last_decision > decision


def test_whoever_holds_the_crown_may_leave_and_it_stays_with_the_seat() -> None:
    table = voting()
    mover = table.game.crown
    assert mover is not None

    depart(table, mover)
    if mover == LAST:
        bots_answer(table)
    else:
        table.answer(LAST, Ballot(Card.YES))
    table.resolve()

    assert table.game.crown == mover
    assert table.game.has_bot(Seat(mover))


def test_a_game_of_three_goes_on_when_one_person_of_them_leaves() -> None:
    table = voting(3)

    depart(table, 2)
    bots_answer(table)
    table.resolve()
    table.finish()

    assert len(table.game.seats) == 3
    assert not table.game.running


def test_who_leaves_while_the_castle_is_filled_has_a_bot_place_for_them() -> None:
    table = seated.started(5)
    asked = table.game.asked()[0]
    assert table.game.decision is not None
    assert table.game.decision.kind is Kind.PLACEMENT

    depart(table, asked)
    bots_answer(table)

    assert table.game.last_decision == 2
    assert table.game.asked() == (Seat((asked + 1) % 5),)
