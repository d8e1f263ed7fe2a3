"""Taking a placement or move back: the game stands as before, under a new number."""

import pytest
from msgspec.structs import replace

from engine.commands import GiveAnswer, Move, Source, TakeBack
from engine.errors import DecisionClosed
from engine.events import TakenBack, store
from engine.state import Game, Kind, Phase, freeze, thaw
from tests.rig.engine.tables import PAUL, RACHEL, SIMON, options, settled, started

HOUSE = options(take_back=True)


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
