"""The notation: golden games, and that what is written is all that is public."""

from pathlib import Path

import pytest

from engine import notation
from engine.commands import Placement
from engine.export import Export
from tests.engine import notation_reader, random_games
from tests.engine.tables import Table, closed, options, settled, started
from tests.engine.test_export import cancelled, exported

FOLDER = Path(__file__).with_name("notation")
GOLDEN = sorted(path.stem for path in FOLDER.glob("*.txt"))

WORDS = {
    "classic_33": ["points 33 17 6", "[Rounds 3]", "Round 3, seat 0 begins"],
    "classic_cancelled": ["* N ????? refused out", "Game cancelled"],
    "classic_choose": ["G@3 (clock)", "N@1 (bot)", "E@3, rest C@0"],
    "classic_tie": ["won by 1 5", "[DecisionTime none]", "lot M@4 D@1"],
    "jester_cancelled": ["* J YYSY cancelled 5", "G 5-throne\n\nGame cancelled"],
    "jester_compensated": ["bonus 0 0 3 3 3 0 0 0", 'bot "steady"]'],
    "jester_crowned": ["* J YYY crowned", "points -14 -13 -12", '"Thérèse"'],
    "jester_dungeons": [
        *("3-wc4", "wc4-4", "2-wc3", "wc3-3", "dungeon3", "dungeon2", "dungeon1"),
        *("refused box", "* J YN refused 3", "* L YS cancelled 5"),
    ],
}
"""What each golden game is there for."""


def golden(name: str) -> str:
    return (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def written(table: Table, names: tuple[str, ...]) -> str:
    whole = exported(table)
    return notation.write(Export(whole.game, names, whole.versions, whole.record))


def test_the_documented_game_is_a_golden_one() -> None:
    text = (Path(__file__).parents[2] / "docs" / "notation.md").read_text("utf-8")

    assert f"```\n{golden('classic_choose')}```\n" in text


def test_every_golden_game_is_there_for_something() -> None:
    assert sorted(WORDS) == GOLDEN
    for name, words in WORDS.items():
        assert [word for word in words if word not in golden(name)] == []


@pytest.mark.parametrize("name", GOLDEN)
def test_a_golden_game_played_from_its_notation_is_written_the_same(name: str) -> None:
    text = golden(name)

    table = notation_reader.play(text, notation_reader.seed_of(name))

    assert written(table, notation_reader.names_of(text)) == text


@pytest.mark.parametrize("number", range(44))
def test_a_whole_game_can_be_played_again_from_its_notation(number: int) -> None:
    table = random_games.game(number)
    text = notation.write(exported(table))

    words = tuple(bytes.fromhex(word) for word in table.game.words)
    again = notation_reader.play(text, table.seed, words)

    assert notation.write(exported(again)) == text
    if "?" not in text:
        assert again.record == table.record


def test_the_notation_of_a_running_game_tells_no_card_before_its_time() -> None:
    texts = set()
    for cards in (["yes", "no", "yes", "yes"], ["no", "yes", "no", "no"]):
        table = settled(chosen=options(history="table"))
        table.nominate("A")
        table.vote(*cards)
        table.nominate("B")
        table.lay(table.game.asked()[0], cards[1])
        texts.add(notation.write(exported(table)))

    assert len(texts) == 1
    assert "* A ???? refused out\n" in texts.pop()


def test_a_running_game_ends_with_its_latest_turn() -> None:
    table = started(chosen=options(first=0))
    table.answer(Placement("A", "4"))

    assert notation.write(exported(table)).endswith("\n   1. 0 A@4\n")


def test_a_table_before_its_start_has_no_turns() -> None:
    assert notation.write(exported(Table())) == (
        '[Game "00000000-0000-4000-8000-000000000001"]\n'
    )
    assert notation.write(exported(closed())).endswith("[DecisionTime 86400]\n")


def test_a_cancelled_game_has_no_winner() -> None:
    text = notation.write(exported(cancelled("open")))

    assert text.endswith("* A YNYY refused out\n" + text.partition("refused out\n")[2])
    assert text.endswith("-throne\n\nGame cancelled\n")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Renée", '"Renée"'),
        ('a "b"\\', r'"a \"b\"\\"'),
        ("x]\n[Rules 9]", r'"x]\n[Rules 9]"'),
        ("a\u202eb\u2028c\x7f", r'"a\u202eb\u2028c\u007f"'),
        ("", '""'),
    ],
)
def test_a_name_stays_on_its_line(name: str, told: str) -> None:
    table = closed(seats=3)
    text = written(table, (name, "Simon", "Terry"))

    assert f"[Seat 0 {told}]\n" in text
    assert len(text.split("\n")) == len(text.splitlines()) + 1
    assert notation_reader.names_of(text) == (name, "Simon", "Terry")
