"""Games with acts taken back, true and forged, before both verifiers."""

from msgspec.structs import replace

from engine import notation
from engine.commands import CancelGame, TakeBack
from engine.events import LogEvent, TakenBack
from engine.verify import verify
from tests.rig.engine import naive_verifier
from tests.rig.engine.exported import exported
from tests.rig.engine.tables import RACHEL, Table, options, settled, started

HOUSE = options(take_back=True)
SHORT = options(rounds=1, take_back=True)


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
