"""The notation: golden games, and that what is written is all that is public."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from engine import notation
from engine.commands import CreateGame, Placement
from engine.export import Export, UnreadableExport
from tests.rig.engine import notation_reader, random_games
from tests.rig.engine.changes import edited, numbers
from tests.rig.engine.exported import cancelled, exported
from tests.rig.engine.tables import Table, closed, options, settled, started
from tests.rig.engine.verified import sample

Edit = Callable[[Any], None]

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
    table = Table()
    table.do(CreateGame(table.seed, b""))

    assert notation.write(exported(table)) == (
        '[Game "00000000-0000-4000-8000-000000000001"]\n'
    )
    assert notation.write(exported(closed())).endswith("[DecisionTime 86400]\n")


def test_a_cancelled_game_has_no_winner() -> None:
    text = notation.write(exported(cancelled("open")))

    assert text.endswith("* A YNYY refused out\n" + text.partition("refused out\n")[2])
    assert text.endswith("-throne\n\nGame cancelled\n")


ESCAPE = "\x1b]0;owned\x07"
CRAFTED: dict[str, tuple[str, Edit]] = {
    "a character": ("placed", lambda e: e.update(character=ESCAPE)),
    "a character of none": ("moved", lambda e: e.update(character="J")),
    "a place": ("placed", lambda e: e.update(place=ESCAPE)),
    "a place of another edition": ("moved", lambda e: e.update(to="wc3")),
    "a place left": ("moved", lambda e: e.update({"from": "4\n"})),
    "who fell": ("placed", lambda e: e.update(dropped=[ESCAPE])),
    "who answered": ("placed", lambda e: e.update(by=ESCAPE)),
    "a nominee": ("election_resolved", lambda e: e.update(nominee=ESCAPE)),
    "where the nominee is": ("election_resolved", lambda e: e.update(to=ESCAPE)),
    "the next seat": ("election_resolved", lambda e: e.update(next=9)),
    "a seat": ("moved", lambda e: e.update(seat=-1)),
    "a beginner": ("started", lambda e: e.update(first=4)),
    "favourites beyond the cards": (
        "round_scored",
        lambda e: e["favourites"].__setitem__(1, 99),
    ),
    "favourites before the cards": (
        "round_scored",
        lambda e: e["favourites"].__setitem__(0, -1),
    ),
    "a reason": ("game_over", lambda e: e.update(reason=ESCAPE)),
    "a winner": ("game_over", lambda e: e.update(winners=[7])),
}
"""By what is wrong with it: an event of the sample, and what is done to it."""


@pytest.mark.parametrize("name", CRAFTED)
def test_a_record_with_a_word_of_no_game_is_not_written(name: str) -> None:
    kind, edit = CRAFTED[name]
    whole = sample()
    number = numbers(whole, kind)[0]

    with pytest.raises(UnreadableExport) as unread:
        notation.write(edited(whole, number, edit))

    assert unread.value.code == "unknown-word"
    assert unread.value.what.startswith(f"record event {number}: ")
    assert str(unread.value).isprintable()


def _spoil(at: int, started: Any) -> None:
    started["placed"][3][at] = ESCAPE


def test_characters_placed_by_lot_are_those_of_the_edition() -> None:
    whole = sample(placement="random")
    number = numbers(whole, "round_started")[0]
    for at in (0, 1):
        crafted = edited(whole, number, partial(_spoil, at))
        with pytest.raises(UnreadableExport) as unread:
            notation.write(crafted)
        assert unread.value.code == "unknown-word"


@pytest.mark.parametrize(
    ("kind", "edit"),
    [
        ("table_closed", lambda e: e.update(edition=ESCAPE)),
        ("table_closed", lambda e: e.update(rules=2)),
        ("table_closed", lambda e: e["seats"][3].update(bot=ESCAPE)),
        ("table_closed", lambda e: e["options"].update(decision_time=-5)),
        ("round_scored", lambda e: e["points"].pop()),
        ("started", lambda e: e["leaves"].pop()),
        ("moved", lambda e: e.update(type="placed")),
    ],
)
def test_a_record_that_no_game_has_is_not_written(kind: str, edit: Edit) -> None:
    whole = sample()

    with pytest.raises(UnreadableExport) as unread:
        notation.write(edited(whole, numbers(whole, kind)[0], edit))

    assert unread.value.code == "no-game"


@pytest.mark.parametrize("number", range(0, 44, 4))
def test_all_but_names_is_in_letters_that_every_terminal_shows(number: int) -> None:
    text = written(random_games.game(number), ())

    assert text.isascii()
    assert text.replace("\n", "").isprintable()


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("Renée", '"Renée"'),
        ('a "b"\\', r'"a \"b\"\\"'),
        ("x]\n[Rules 9]", r'"x]\n[Rules 9]"'),
        ("a\u202eb\u2028c\x7f", r'"a\u202eb\u2028c\u007f"'),
        ("", '""'),
    ],
)
def test_a_name_stays_on_its_line(name: str, kept: str) -> None:
    table = closed(seats=3)
    text = written(table, (name, "Simon", "Terry"))

    assert f"[Seat 0 {kept}]\n" in text
    assert len(text.split("\n")) == len(text.splitlines()) + 1
    assert notation_reader.names_of(text) == (name, "Simon", "Terry")
