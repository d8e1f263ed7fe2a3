import pytest

from engine.events import RoundScored
from engine.state import Phase
from tests.rig.engine.tables import RACHEL, SIMON, TERRY, Table, fill, options, settled

CARDS = ("BCDEIO", "ADEFGM", "EFIMOP")
CASTLE = {
    "5": "A",
    "4": "B",
    "wc4": "J",
    "3": "C",
    "wc3": "E",
    "2": "P",
    "1": "F",
    "0": "ILNO",
    "dungeon3": "D",
    "dungeon2": "G",
    "dungeon1": "M",
}


def scored(table: Table) -> RoundScored:
    return [e for e in table.log if isinstance(e, RoundScored)][-1]


def crowned(
    letter: str, castle: dict[str, str], rounds: int = 3, number: int = 1
) -> Table:
    table = settled(len(CARDS), options(rounds=rounds), edition="jester")
    for _ in range(number - 1):
        table.crown("A")
        fill(table)
    table.arrange(castle)
    table.deal(*CARDS)
    table.crown(letter)
    return table


def test_scores_start_at_20() -> None:
    table = settled(5, edition="jester")

    assert table.game.totals == (20,) * 5 == table.view().totals


def test_a_dungeon_counts_against_and_wc_and_box_count_nothing() -> None:
    table = crowned("A", {**CASTLE, "0": "ILN", "box": "O"})

    # B 4, C 3, D -3; A 10, D -3, F 1, G -2, M -1; F 1, M -1, P 2.
    assert scored(table).points == (4, 5, 2)
    assert scored(table).totals == (24, 25, 22)


def test_under_a_crowned_jester_every_points_change_their_sign() -> None:
    table = crowned("J", {**CASTLE, "5": "AJ", "wc4": ""})

    # B 4, C 3, D -3; A 5, D -3, F 1, G -2, M -1; F 1, M -1, P 2.
    assert scored(table).points == (-4, 0, -2)
    assert scored(table).totals == (16, 20, 18)


def test_a_score_may_fall_below_zero() -> None:
    high = {"5": "JBCD", "4": "EIO", "0": "AFGLMNP"}
    table = crowned("J", high)

    assert scored(table).points[RACHEL] == -27
    assert scored(table).totals[RACHEL] == 20 - 27


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_0_never_becomes_33(number: int) -> None:
    table = crowned("A", {"5": "A", "box": "BCDEFGILMNOP", "3": "J"}, number=number)

    assert scored(table).points == (0, 10, 0)


@pytest.mark.parametrize(("seats", "late"), [(7, 1), (8, 3)])
@pytest.mark.parametrize("king", ["A", "J"])
def test_the_late_ones_get_3_points_each_round_whoever_is_king(
    seats: int, late: int, king: str
) -> None:
    chosen = options(rounds=2, placement="compensated", first=seats - 1)
    table = settled(seats, chosen, edition="jester")
    begins = []
    for _ in range(2):
        begins.append(table.game.first)
        table.arrange({"5": king, "0": set("ABCDEFGILMNOPJ") - {king}})
        table.crown(king)
        if table.game.running:
            fill(table)

    rounds = [e for e in table.log if isinstance(e, RoundScored)]
    for first, event in zip(begins, rounds, strict=True):
        last = {(first + seats - 1 - n) % seats for n in range(late)}
        assert event.bonus == tuple(3 if s in last else 0 for s in range(seats))
    gained = zip(rounds[0].points, rounds[0].bonus, strict=True)
    assert rounds[0].totals == tuple(20 + won + extra for won, extra in gained)


@pytest.mark.parametrize("placement", ["choose", "random"])
def test_without_compensation_nobody_gets_a_bonus(placement: str) -> None:
    table = settled(8, options(placement=placement), edition="jester")

    table.arrange({"5": "A", "3": "J", "0": "BCDEFGILMNOP"})
    table.crown("A")

    assert scored(table).bonus == (0,) * 8


def test_a_tie_is_shared_whoever_has_more_favourites_in_the_castle() -> None:
    # E is on all three cards; of Rachel's all six are inside, of Terry's only three.
    table = crowned("E", {"5": "E", "0": "BCDIOAG", "3": "J", "box": "FLMNP"}, rounds=1)

    assert scored(table).points == (10, 10, 10)
    assert table.game.winners == (RACHEL, SIMON, TERRY)
    assert table.game.phase is Phase.OVER


def test_most_points_win_the_jester_game() -> None:
    table = crowned("E", {"5": "E", "3": "AG", "0": "BCDIOFLMNPJ"}, rounds=1)

    assert scored(table).points == (10, 16, 10)
    assert table.game.winners == (SIMON,)


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_a_jester_game_has_as_many_rounds_as_the_host_chose(rounds: int) -> None:
    table = crowned("A", CASTLE, rounds=rounds, number=rounds)

    assert len(table.game.scored) == rounds
    assert table.game.phase is Phase.OVER
