"""What may be taken back, by whom and until when; a ballot and a nomination never."""

import pytest

from engine.board import Seat
from engine.commands import CancelGame, Move, SeatBot, SeatPerson, Source, TakeBack
from engine.errors import CannotTakeBack, GameNotRunning, NoSuchDecision, SeatKept
from engine.events import Moved
from tests.rig.engine.tables import PAUL, RACHEL, SIMON, TERRY, Table, options, settled

HOUSE = options(take_back=True)


def refused(table: Table, decision: int, seat: Seat) -> str:
    """Why a decision can't be taken back; nothing has changed."""
    before = table.game
    with pytest.raises(CannotTakeBack) as refusal:
        table.do(TakeBack(decision, seat))
    assert table.game == before
    assert refusal.value.decision == decision
    return refusal.value.reason


def mover_of(table: Table) -> Seat:
    """Who has put somebody up for king."""
    return next(e.seat for e in table.log if isinstance(e, Moved) and e.election)


def offered_to(table: Table, seat: Seat) -> int | None:
    """What a seat's view says that it may take back."""
    own = table.view(seat).own
    return None if own is None else own.take_back


def test_once_anybody_has_acted_nothing_is_taken_back() -> None:
    table = settled(chosen=HOUSE)
    number = table.number
    table.move("A")
    table.move("B")

    assert refused(table, number, RACHEL) == "acted-since"


@pytest.mark.parametrize("source", [Source.BOT, Source.CLOCK, Source.STANDING])
def test_a_bot_the_clock_and_a_standing_answer_act_like_anybody(
    source: Source,
) -> None:
    table = settled(chosen=HOUSE)
    number = table.number
    table.move("A")
    table.answer(Move("B"), SIMON, source)

    assert refused(table, number, RACHEL) == "acted-since"


def test_a_standing_answer_is_the_seat_s_own_and_may_be_taken_back() -> None:
    table = settled(chosen=HOUSE)
    table.answer(Move("A"), RACHEL, Source.STANDING)

    table.do(TakeBack(table.number - 1, RACHEL))

    assert table.game.board.at["A"] == "4"


@pytest.mark.parametrize("source", [Source.BOT, Source.CLOCK])
def test_what_a_bot_or_the_clock_did_is_taken_back_by_nobody(source: Source) -> None:
    table = settled(chosen=HOUSE)
    table.answer(Move("A"), RACHEL, source)

    assert refused(table, table.number - 1, RACHEL) == "not-yours"


def test_nobody_takes_back_what_another_did() -> None:
    table = settled(chosen=HOUSE)
    table.move("A")

    assert refused(table, table.number - 1, SIMON) == "not-yours"


def test_seats_that_change_hands_are_no_act() -> None:
    table = settled(chosen=HOUSE)
    table.move("A")
    table.do(SeatBot(SIMON, "steady"))

    table.do(TakeBack(table.number - 1, RACHEL))

    assert table.turn == RACHEL


def test_for_a_seat_that_a_bot_keeps_nothing_is_taken_back() -> None:
    table = settled(chosen=HOUSE)
    table.move("A")
    table.do(SeatBot(RACHEL, "steady"))

    with pytest.raises(SeatKept):
        table.do(TakeBack(table.number - 1, RACHEL))
    assert offered_to(table, RACHEL) is None


def test_a_nomination_stays_however_many_cards_are_laid() -> None:
    table = settled(chosen=HOUSE)
    table.nominate("A")
    number = table.number - 1
    mover = mover_of(table)

    for seat in (None, *(s for s in range(4))):
        if seat is not None:
            table.lay(Seat(seat), "yes")
        assert refused(table, number, mover) == "nominated"


def test_a_ballot_is_final_open_or_turned_over() -> None:
    table = settled(chosen=HOUSE)
    table.nominate("A")
    number = table.number
    laid = refused(table, number, TERRY)
    table.lay(TERRY, "no")

    assert refused(table, number, TERRY) == laid == "ballot"
    for seat in (RACHEL, SIMON, PAUL):
        table.lay(seat, "yes")
    table.resolve()
    assert refused(table, number, TERRY) == "ballot"


def test_after_the_reveal_the_nomination_stays() -> None:
    table = settled(chosen=HOUSE)
    table.nominate("A")
    number = table.number - 1
    mover = mover_of(table)
    table.vote("yes", "no", "yes", "yes")

    assert refused(table, number, mover) == "acted-since"


def test_after_the_end_of_a_round_its_last_act_stays() -> None:
    table = settled(chosen=HOUSE)
    table.nominate("A")
    number = table.number - 1
    table.vote("yes", "yes", "yes", "yes")

    assert table.game.latest is None
    for seat in (RACHEL, SIMON, TERRY, PAUL):
        assert refused(table, number, seat) == "acted-since"


def test_a_decision_that_was_put_again_is_not_taken_back_again() -> None:
    table = settled(chosen=HOUSE)
    number = table.number
    table.move("A")
    table.do(TakeBack(number, RACHEL))
    table.move("B")

    assert refused(table, number + 2, RACHEL) == "once"
    assert offered_to(table, RACHEL) is None


def test_in_the_next_turn_it_may_be_done_again() -> None:
    table = settled(3, chosen=HOUSE)
    table.move("A")
    table.do(TakeBack(table.number - 1, RACHEL))
    for letter in "ABCE":
        table.move(letter)

    table.do(TakeBack(table.number - 1, RACHEL))

    assert table.turn == RACHEL


def test_twice_in_a_row_nothing_is_taken_back() -> None:
    table = settled(chosen=HOUSE)
    table.move("A")
    number = table.number
    table.move("B")
    table.do(TakeBack(number, SIMON))

    assert refused(table, number - 1, RACHEL) == "acted-since"
    assert refused(table, number, SIMON) == "acted-since"


def test_the_open_question_has_nothing_to_be_taken_back() -> None:
    table = settled(chosen=HOUSE)

    assert refused(table, table.number, RACHEL) == "not-answered"
    with pytest.raises(NoSuchDecision):
        table.do(TakeBack(table.number + 1, RACHEL))


def test_games_of_before_and_hosts_who_want_it_so_take_nothing_back() -> None:
    table = settled()
    table.move("A")

    assert refused(table, table.number - 1, RACHEL) == "off"


def test_only_a_running_game_takes_back() -> None:
    table = settled(chosen=HOUSE)
    number = table.number
    table.move("A")
    table.do(CancelGame(table.seed))

    with pytest.raises(GameNotRunning):
        table.do(TakeBack(number, RACHEL))


def test_what_a_seat_may_take_back_is_in_its_own_view_alone() -> None:
    table = settled(chosen=HOUSE)
    number = table.number
    table.move("A")

    offered = [offered_to(table, seat) for seat in (RACHEL, SIMON, TERRY, PAUL)]

    assert offered == [number, None, None, None]


def test_who_came_back_may_take_back_what_they_did_since() -> None:
    table = settled(chosen=HOUSE)
    table.do(SeatBot(SIMON, "steady"))
    while table.game.round == 1:
        if table.game.election_complete:
            table.resolve()
            continue
        seat = table.game.asked()[0]
        source = Source.BOT if table.game.has_bot(seat) else Source.PERSON
        table.answer(table.legal(seat)[0], seat, source)
    table.do(SeatPerson(SIMON))
    while table.turn != SIMON:
        table.answer(table.legal(table.turn)[0])
    table.answer(table.legal(SIMON)[0])

    table.do(TakeBack(table.number - 1, SIMON))

    assert table.turn == SIMON
