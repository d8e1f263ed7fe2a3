"""Taking a placement or move back: until anybody acts, once a turn, never a ballot."""

import pytest
from msgspec.structs import replace

from engine import notation
from engine.board import Seat
from engine.commands import (
    CancelGame,
    GiveAnswer,
    Move,
    SeatBot,
    SeatPerson,
    Source,
    TakeBack,
)
from engine.errors import (
    CannotTakeBack,
    DecisionClosed,
    GameNotRunning,
    NoSuchDecision,
    SeatKept,
)
from engine.events import LogEvent, Moved, TakenBack, store
from engine.state import Game, Kind, Phase, freeze, thaw
from engine.verify import verify
from tests.rig.engine import naive_verifier
from tests.rig.engine.exported import exported
from tests.rig.engine.tables import (
    PAUL,
    RACHEL,
    SIMON,
    TERRY,
    Table,
    options,
    settled,
    started,
)

HOUSE = options(take_back=True)
SHORT = options(rounds=1, take_back=True)


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


def without_numbers(game: Game) -> Game:
    """A state but for what counts on when something is taken back."""
    return replace(game, decision=None, last_decision=0, reopened=0, latest=None)


def test_a_move_taken_back_stands_as_before_under_a_new_number() -> None:
    table = settled(chosen=HOUSE)
    before, number = table.game, table.number
    table.move("A")

    (event,) = table.do(TakeBack(number, RACHEL))

    assert event == TakenBack(decision=number, reopened=number + 2)
    assert store(event).public == (
        b'{"decision":%d,"reopened":%d,"type":"taken_back"}' % (number, number + 2)
    )
    assert without_numbers(table.game) == without_numbers(before)
    decision = table.game.decision
    assert decision is not None
    assert (decision.number, decision.kind, decision.seat) == (
        number + 2,
        Kind.MOVE,
        RACHEL,
    )
    assert table.game.last_decision == number + 2


def test_a_placement_taken_back_frees_its_character_and_its_place() -> None:
    table = started(chosen=HOUSE)
    table.place("A", "4")
    before = table.game
    table.place("B", "4")

    table.do(TakeBack(2, SIMON))

    assert without_numbers(table.game) == without_numbers(before)
    assert (table.number, table.turn, table.game.phase) == (4, SIMON, Phase.PLACEMENT)


def test_with_the_last_placement_whoever_it_dropped_comes_back() -> None:
    table = settled(chosen=HOUSE)
    assert "P" in table.game.board.at

    table.do(TakeBack(table.number - 1, PAUL))

    assert "P" not in table.game.board.at
    assert (table.game.phase, table.turn) == (Phase.PLACEMENT, PAUL)
    (event,) = table.place("O", "1")
    assert getattr(event, "dropped", None) == ("P",)


def test_what_was_taken_back_may_be_answered_otherwise() -> None:
    table = settled(chosen=HOUSE)
    number = table.number
    table.move("A")
    table.do(TakeBack(number, RACHEL))

    table.move("B")

    assert (table.game.board.at["A"], table.game.board.at["B"]) == ("4", "5")
    assert (table.turn, table.number) == (SIMON, number + 3)


def test_an_answer_to_the_question_that_went_with_it_is_too_late() -> None:
    table = settled(chosen=HOUSE)
    number = table.number
    table.move("A")
    table.do(TakeBack(number, RACHEL))

    with pytest.raises(DecisionClosed):
        table.do(GiveAnswer(number + 1, SIMON, Move("B"), Source.PERSON))


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


def test_what_is_needed_to_undo_is_in_the_snapshot() -> None:
    table = settled(chosen=HOUSE)
    table.move("A")
    table.game = thaw(table.game.id, freeze(table.game))

    table.do(TakeBack(table.number - 1, RACHEL))

    assert table.game.board.at["A"] == "4"
    assert thaw(table.game.id, freeze(table.game)) == table.game


def test_what_the_clock_counts_in_a_row_ends_with_the_act_that_was_taken_back() -> None:
    table = started(3, chosen=HOUSE)
    for _ in range(3):
        table.clock()
    assert table.game.missed == (1, 1, 1)
    table.answer(table.legal(RACHEL)[0])

    table.do(TakeBack(table.number - 1, RACHEL))

    assert table.game.missed == (0, 1, 1)


def whole_game() -> Table:
    """A game of a round in which a placement and a move were taken back."""
    table = started(chosen=SHORT)
    table.place("A", "4")
    table.do(TakeBack(1, RACHEL))
    for letter in "ABCDEFGILMNO":
        rooms = table.game.law.placements(table.game.board)
        table.place(letter, max(floor for free, floor in rooms if free == letter))
    table.move("B")
    table.do(TakeBack(table.number - 1, RACHEL))
    table.crown("A")
    assert table.game.reason == "finished"
    return table


def test_a_game_with_acts_taken_back_is_true_to_both_verifiers() -> None:
    table = whole_game()

    report = verify(exported(table))

    assert report.wrong is None
    assert not report.sealed
    assert naive_verifier.accepts(table.game.id, table.record)


def test_the_notation_tells_what_was_taken_back() -> None:
    text = notation.write(exported(whole_game()))

    assert "[TakeBack yes]" in text
    assert "\n   1. 0 A@4\nback 1, asked again as 3\n   3. 0 A@4\n" in text


def forged(table: Table, *events: LogEvent) -> str:
    """What the verifier calls events that nobody's command has led to."""
    for event in events:
        table._keep(event)
    table.do(CancelGame(table.seed))
    wrong = verify(exported(table)).wrong
    assert not naive_verifier.accepts(table.game.id, table.record)
    assert wrong is not None
    return wrong.code


def test_what_could_not_be_taken_back_is_named() -> None:
    nominated, off, once = settled(chosen=HOUSE), settled(), settled(chosen=HOUSE)
    nominated.nominate("A")
    off.move("A")
    once.move("A")
    once.do(TakeBack(once.number - 1, RACHEL))
    once.move("A")
    clock = settled(chosen=HOUSE)
    clock.clock()
    for table in (nominated, off, once, clock):
        number = table.number - 1
        assert forged(table, TakenBack(number, number + 2)) == "wrong-taking-back"


def test_a_gap_or_another_number_of_what_was_taken_back_is_named() -> None:
    table = settled(chosen=HOUSE)
    number = table.number
    table.move("A")
    table.move("B")

    assert forged(table, TakenBack(number, number + 3)) == "wrong-decision"


def test_two_taken_back_in_a_row_are_out_of_order() -> None:
    table = settled(chosen=HOUSE)
    number = table.number
    table.move("A")
    table.do(TakeBack(number, RACHEL))
    whole = exported(table)
    twice = replace(
        whole,
        record=(*whole.record, whole.record[-1]),
        versions=(*whole.versions, 1),
    )

    wrong = verify(twice).wrong

    assert wrong is not None
    assert wrong.code == "out-of-order"


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
