"""The edition shown in the docs is played from the page: one new file and no other."""

from pathlib import Path

import pytest

from engine.editions import EDITIONS
from tests.rig.engine import copies
from tests.rig.engine.copied import Played


@pytest.fixture
def tower(tmp_path: Path) -> Path:
    """A copy of the engine with the edition that the docs show."""
    folder = copies.copy(tmp_path / "first")
    (folder / "engine/editions/tower.py").write_text(copies.shown_in_the_docs()[0])
    return folder


@pytest.fixture
def second(tmp_path: Path, tower: Path) -> Path:
    """Another one that knows the edition's second rules, too."""
    folder = copies.copy(tmp_path / "second")
    for name, source in zip(
        ("tower.py", "tower_of_three.py"), copies.shown_in_the_docs(), strict=True
    ):
        (folder / "engine/editions" / name).write_text(source)
    return folder


def test_an_edition_is_found_by_its_file_and_no_other_is_touched(tower: Path) -> None:
    ours = {
        path.relative_to(copies.ROOT): path.read_bytes()
        for path in (copies.ROOT / "engine").rglob("*.py")
    }

    games = copies.run(tower, "whole", "tower")

    theirs = {
        path.relative_to(tower): path.read_bytes()
        for path in (tower / "engine").rglob("*.py")
    }
    assert set(theirs) - set(ours) == {Path("engine/editions/tower.py")}
    assert {path: theirs[path] for path in ours} == ours
    assert "tower" not in EDITIONS
    assert games


def test_bots_play_the_shown_edition_to_its_end_with_every_number_of_players(
    tower: Path,
) -> None:
    games = copies.run(tower, "whole", "tower")

    assert [game.seats for game in games] == [3, 4, 5, 6]
    assert {game.reason for game in games} == {"finished"}
    assert {(game.edition, game.rules) for game in games} == {("tower", 1)}


def test_the_shown_edition_has_the_rules_it_is_shown_for(tower: Path) -> None:
    games = copies.run(tower, "whole", "tower")

    assert [game.hand for game in games] == [4, 3, 3, 2]
    assert max(game.most.get("tower", 0) for game in games) == 2


def test_the_editions_that_were_there_are_played_beside_a_new_one(tower: Path) -> None:
    games = copies.run(tower, "whole", "jester")

    assert [game.seats for game in games] == list(range(2, 9))


def test_a_game_goes_on_by_the_rules_it_was_begun_with(
    tower: Path, second: Path
) -> None:
    file = tower / "game.jsonl"
    (waiting,) = copies.run(tower, "begin", "tower", str(file))
    before = file.read_bytes()

    (ended,) = copies.run(second, "go_on", str(file))
    new = most(copies.run(second, "whole", "tower"))

    assert waiting.reason is None
    assert (ended.reason, ended.rules) == ("finished", 1)
    assert (ended.most["tower"], new.most["tower"], new.rules) == (2, 3, 2)
    assert file.read_bytes() == before


def most(games: list[Played]) -> Played:
    """The game in which the tower was fullest."""
    return max(games, key=lambda game: game.most.get("tower", 0))


def test_a_process_leaves_a_game_alone_whose_rules_it_does_not_know(
    tower: Path, second: Path
) -> None:
    file = second / "game.jsonl"
    copies.run(second, "begin", "tower", str(file))

    with pytest.raises(RuntimeError, match=r"UnreadableLog: .*'rules tower 2'"):
        copies.run(tower, "go_on", str(file))
