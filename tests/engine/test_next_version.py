"""The next version of the engine takes over every recorded game.

It is a copy of the engine with a new field, a renamed one, rules that forbid an old
move, and another shuffle; every game goes on in it as it was begun.
"""

from pathlib import Path

import pytest

from tests.rig.engine import copies, recordings

CHANGES = {
    "events.py": (
        ("VERSION: Final = 1\n", "VERSION: Final = 2\n"),
        ('rename={"origin": "from"}', 'rename={"origin": "came_from"}'),
        (
            "    by: str\n    dropped: tuple[Character, ...]\n",
            "    by: str\n    dropped: tuple[Character, ...]\n    mood: str\n",
        ),
    ),
    "decide.py": (
        (
            "        dropped=dropped,\n",
            '        dropped=dropped,\n        mood="fair",\n',
        ),
    ),
    "upcasting.py": (
        (
            "LIFTS: Final[Mapping[tuple[str, int], Lift]] = {}\n",
            """
def _placed(parts: Parts) -> Parts:
    return Parts({**(parts.public or {}), "mood": "unknown"}, parts.secret)


def _moved(parts: Parts) -> Parts:
    public = dict(parts.public or {})
    return Parts({"came_from": public.pop("from"), **public}, parts.secret)


LIFTS = {("placed", 1): _placed, ("moved", 1): _moved}
""",
        ),
    ),
    "fairness.py": (
        (
            "        return tuple(cards)\n",
            "        return tuple(reversed(cards))\n",
        ),
    ),
}
"""What changes in each file of the engine, as the text that goes and the text that
comes."""

SECOND_RULES = '''"""Second rules: nobody gets onto floor 3, or into a WC."""

from engine.editions.classic import Classic
from engine.editions.jester import Jester


class SecondClassic(Classic):
    rules = 2

    def destinations(self, board):
        return {c: to for c, to in super().destinations(board).items() if to != "3"}


class SecondJester(Jester):
    rules = 2

    def destinations(self, board):
        every = super().destinations(board).items()
        return {c: to for c, to in every if to not in ("wc3", "wc4")}
'''


CLIMBING = "rules-1/classic-4-climbing.jsonl"


@pytest.fixture
def following(tmp_path: Path) -> Path:
    """A folder with the next version of the engine."""
    folder = copies.copy(tmp_path)
    for name, changes in CHANGES.items():
        path = folder / "engine" / name
        source = path.read_text(encoding="utf-8")
        for old, new in changes:
            assert source.count(old) == 1, old
            source = source.replace(old, new)
        path.write_text(source, encoding="utf-8")
    (folder / "engine/editions/second.py").write_text(SECOND_RULES, encoding="utf-8")
    return folder


def test_every_recorded_game_goes_on_in_the_next_version(following: Path) -> None:
    paths = sorted(recordings.FOLDER.glob("rules-1/*.jsonl"))
    kept = [path.read_bytes() for path in paths]
    states = [recordings.read(path).end.state for path in paths]

    games = copies.run(following, "go_on", *map(str, paths))

    assert len(games) == len(paths) >= 20
    assert {game.rules for game in games} == {1}
    for game, state in zip(games, states, strict=True):
        assert game.reason == (state["reason"] or "finished")
    assert [path.read_bytes() for path in paths] == kept


def test_the_next_version_begins_new_games_by_its_new_rules(following: Path) -> None:
    games = copies.run(following, "whole", "jester")

    assert {game.rules for game in games} == {2}
    assert not any({"wc3", "wc4"} & set(game.most) for game in games)


def test_without_lifts_the_next_version_reads_no_old_game(following: Path) -> None:
    upcasting = following / "engine/upcasting.py"
    source = upcasting.read_text(encoding="utf-8")
    upcasting.write_text(
        source.replace('("moved", 1)', '("moved", 9)'), encoding="utf-8"
    )

    with pytest.raises(RuntimeError, match=r"UnreadableLog: .*'moved version 1'"):
        copies.run(following, "go_on", str(recordings.FOLDER / CLIMBING))


def test_this_version_reads_no_game_of_the_next_one(
    following: Path, tmp_path: Path
) -> None:
    file, ours = following / "game.jsonl", copies.copy(tmp_path / "ours")
    copies.run(following, "begin", "jester", str(file))

    with pytest.raises(RuntimeError, match=r"UnreadableLog: .*version 2"):
        copies.run(ours, "go_on", str(file))
