from itertools import product

import pytest

from engine.board import FLOORS, SERVANTS, THRONE, Board
from engine.commands import Move
from engine.editions import EDITIONS
from engine.errors import CannotMove, NotAsked, UnknownCharacter, WrongKind
from engine.events import Moved
from engine.state import Kind
from tests.rig.engine.tables import RACHEL, SIMON, TERRY, options, settled


@pytest.mark.parametrize(
    ("origin", "to"), [("0", "1"), ("1", "2"), ("2", "3"), ("3", "4"), ("4", "5")]
)
def test_a_character_moves_exactly_one_floor_up(origin: str, to: str) -> None:
    table = settled()
    table.arrange({origin: "A"})

    (event,) = table.move("A")

    assert event == Moved(13, RACHEL, "A", origin, to, "seat", None)
    assert table.game.board.at == {"A": to}


def test_anybody_may_move_any_character_in_the_castle() -> None:
    table = settled()
    table.arrange({"0": "P", "1": "ABC", "3": "DE", "5": "F"})

    assert table.legal(RACHEL) == tuple(Move(c) for c in "ABCDEFP")


@pytest.mark.parametrize("floor", ["1", "2", "3", "4", "5"])
def test_nobody_moves_onto_a_floor_that_holds_four(floor: str) -> None:
    table = settled()
    below = FLOORS[FLOORS.index(floor) - 1]
    table.arrange({floor: "ABCD", below: "E"})

    with pytest.raises(CannotMove) as refused:
        table.move("E")

    assert refused.value.code == "cannot-move"
    assert refused.value.facts == {"character": "E", "reason": "no-room"}
    assert Move("E") not in table.legal(RACHEL)


@pytest.mark.parametrize("floor", ["1", "2", "3", "4", "5"])
def test_a_floor_that_holds_three_takes_one_more(floor: str) -> None:
    table = settled()
    below = FLOORS[FLOORS.index(floor) - 1]
    table.arrange({floor: "ABC", below: "E"})

    table.move("E")

    assert table.game.board.on(floor) == tuple("ABCE")


def test_a_character_out_of_the_round_moves_no_more() -> None:
    table = settled()
    table.nominate("A")
    table.vote("no", "yes", "yes", "yes")

    with pytest.raises(CannotMove) as refused:
        table.move("A")

    assert refused.value.facts == {"character": "A", "reason": "stays"}

    assert Move("A") not in table.legal(table.turn)


def test_an_unknown_character_does_not_move() -> None:
    with pytest.raises(UnknownCharacter):
        settled().move("J")


def test_turns_go_clockwise_around_the_table() -> None:
    table = settled(5, options(first=3))
    turns = []
    for letter in "NONOAB":
        turns.append(table.turn)
        table.move(letter)

    assert turns == [3, 4, 0, 1, 2, 3]


def test_nobody_moves_out_of_turn() -> None:
    table = settled()

    with pytest.raises(NotAsked) as refused:
        table.move("A", seat=TERRY)

    assert refused.value.facts == {
        "decision": 13,
        "seat": TERRY,
        "seats": (table.turn,),
    }


def test_there_is_no_pass() -> None:
    table = settled()

    assert all(isinstance(answer, Move) for answer in table.legal(RACHEL))
    with pytest.raises(WrongKind) as refused:
        table.place("A", "1")
    assert refused.value.facts == {"asked": "move"}


def test_a_move_onto_the_throne_is_a_nomination() -> None:
    table = settled()
    table.move("A")
    assert table.game.crown is None

    (event,) = table.move("A")

    assert event == Moved(14, SIMON, "A", "5", THRONE, "seat", 15)
    assert table.game.decision is not None
    assert table.game.decision.kind is Kind.ELECTION
    assert (table.number, table.game.decision.nominee) == (15, "A")
    assert table.game.decision.seat is None


def test_the_mover_takes_the_crown() -> None:
    table = settled()
    table.move("A")
    table.move("A")

    assert table.game.decision is not None
    assert table.game.decision.mover == SIMON
    assert table.game.crown == SIMON


def test_the_view_tells_which_move_nominates() -> None:
    table = settled()
    table.move("A")

    own = table.view(SIMON).own

    assert own is not None
    assert [entry.answer for entry in own.legal if entry.nominates] == [Move("A")]


def test_decisions_count_one_by_one_over_placements_moves_and_elections() -> None:
    table = settled()
    table.nominate("A")
    table.vote("yes", "no", "yes", "yes")

    assert table.number == 16


def positions() -> list[Board]:
    """Every way to have up to four on each floor, letters left aside: 15,624."""
    found = []
    for counts in product(range(5), repeat=6):
        at = {
            f"{floor}{one}": floor
            for floor, count in zip(FLOORS, counts, strict=False)
            for one in range(count)
        }
        found.append(Board(at))
    return found[1:]


def test_the_topmost_character_below_the_throne_can_always_move_up() -> None:
    law = EDITIONS["classic"]
    boards = positions()
    assert len(boards) == 15_624

    for board in boards:
        topmost = max(board.at, key=lambda character: board.at[character])

        assert topmost in law.destinations(board)


def test_the_servants_floor_has_no_limit() -> None:
    law = EDITIONS["classic"]

    assert SERVANTS not in law.full(Board(dict.fromkeys("ABCDEFGILMNO", SERVANTS)))
    assert law.place(SERVANTS).capacity is None
