"""`kingup spar`: bots' files, good ones and others, and what they get to see."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from flask import Flask

from engine.board import Seat
from engine.commands import Sealed
from engine.rehearsal import Rehearsal
from service.auth import bearer
from service.commands import sparring
from service.commands.cli import main
from tests.rig.service import seated
from tests.rig.service.manual import ROOT, page, section
from tests.rig.service.seated import run as rows_of

FIRST = """
def choose(view):
    return view["legal"][0]["answer"]
"""

WHIMS = """
import random
def choose(view):
    return random.choice(view["legal"])["answer"]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "mybot.py"


def spar(file: Path, source: str, *words: object, games: int = 1) -> Result:
    file.write_text(source)
    given = ["spar", str(file), "--seed", "7", "--games", str(games)]
    return CliRunner().invoke(main, [*given, *map(str, words)])


@pytest.mark.parametrize(
    ("edition", "seats"), [("classic", 3), ("classic", 6), ("jester", 2), ("jester", 8)]
)
def test_a_bot_plays_whole_games_and_its_wins_are_counted(
    file: Path, edition: str, seats: int
) -> None:
    result = spar(file, FIRST, "--edition", edition, "--seats", seats, games=2)

    assert (result.exit_code, result.stderr) == (0, "")
    assert re.fullmatch(
        rf"mybot.py against {seats - 1} steady, {edition}, 2 games, seed 7\n"
        r"wins     \d\.\d of 2, \d+% \(95% interval \d+% to \d+%; even is \d+%\)\n"
        r"points   -?\d+\.\d, the others -?\d+\.\d\n"
        r"slowest  \d+\.\d ms of processor time for a decision, in game [12]\n",
        result.stdout,
    )


def test_the_same_seed_plays_the_same_games_even_with_the_bots_own_whims(
    file: Path,
) -> None:
    once, again = spar(file, WHIMS, games=3), spar(file, WHIMS, games=3)
    other = spar(file, WHIMS, "--seed", 8, games=3)

    def opening(result: Result) -> list[str]:
        return result.stdout.splitlines()[1:3]

    assert opening(once) == opening(again) != opening(other)


def test_without_a_seed_one_is_drawn_and_told(file: Path) -> None:
    file.write_text(FIRST)

    result = CliRunner().invoke(main, ["spar", str(file), "--games", "1"])

    assert re.search(r", seed \d+\n", result.stdout)


def test_the_bots_seat_goes_round(file: Path) -> None:
    source = FIRST.replace("    return", "    print(view['own']['seat'])\n    return")

    result = spar(file, source, "--seats", 3, games=3)

    seats = [line for line in result.stdout.splitlines() if len(line) == 1]
    assert list(dict.fromkeys(seats)) == ["0", "1", "2"]


def test_a_bot_gets_what_the_api_shows_its_seat(app: Flask) -> None:
    with app.app_context():
        table = seated.started(3, edition="jester")
        [(address,)] = rows_of(
            "SELECT p.address FROM seat s JOIN person p ON p.id = s.person_id"
            " WHERE s.game_id = :g AND s.number = :s",
            {"g": table.id, "s": table.game.asked()[0]},
        )
        token, game = bearer.issue_token(address), table.game
    headers = {"Authorization": f"Bearer {token}"}
    served = app.test_client().get(f"/v1/games/{table.id}/view", headers=headers).json
    seat = Seat(served["own"]["seat"])
    number, _, head = served["head"].partition(":")
    memory = Rehearsal(game, Sealed(b"", b""), int(number), bytes.fromhex(head))

    shown = sparring.as_json(sparring.shown_to(memory, seat))

    # A bot knows no times, nor anything reckoned from them.
    assert shown["expected_end"] is None
    served["expected_end"] = None
    for view in (served, shown):
        view["decision"] |= {"opened_at": None, "deadline": None}
        view["seats"] = [{**each, "name": ""} for each in view["seats"]]
    assert served["legal"]
    assert shown == served
    assert list(shown) == list(served)


def test_a_bot_may_spoil_the_view_it_gets(file: Path) -> None:
    source = """
def choose(view):
    legal = list(view["legal"])
    view["legal"].clear(), view["decision"].clear()
    return legal[0]["answer"]
"""

    assert spar(file, source).exit_code == 0


@pytest.mark.parametrize(
    ("returned", "printed"),
    [
        ("None", "choose returned None: is a return missing?\n"),
        ("'yes'", "choose returned 'yes', a str, where one of the answers belongs.\n"),
        ("view['legal'][0]", 'that is a whole offer, return its "answer".\n'),
        (
            "{'kind': 'move', 'character': 'Q'}",
            "choose returned {'kind': 'move', 'character': 'Q'}, which is not allowed",
        ),
        ("{'answer': []}", "choose returned {'answer': []}, which is not allowed"),
        ("view", "..., which is not allowed now.\n"),
    ],
)
def test_an_illegal_answer_is_told_with_the_legal_ones(
    file: Path, returned: str, printed: str
) -> None:
    result = spar(file, f"def choose(view):\n    return {returned}\n")

    assert result.exit_code == 1
    assert re.match(
        r"Game 1, round 1, decision \d \(placement\): Whom do you place, and where\?\n",
        result.stderr,
    )
    *_, last, empty = result.stderr.split("\n")
    assert printed.rstrip("\n") in last
    assert empty == ""
    assert "Legal are:\n    {'kind': 'placement', 'character': 'A'," in result.stderr
    assert result.stderr.count("\n    {'kind'") == 8
    assert re.search(r"\n    and \d+ more\n", result.stderr)
    assert len(max(result.stderr.splitlines(), key=len)) < 300


def test_an_error_in_a_bot_is_told_with_the_bots_own_traceback(file: Path) -> None:
    source = "def choose(view):\n    return deeper()\ndef deeper():\n    return 1 / 0\n"

    result = spar(file, source)

    assert result.exit_code == 1
    assert result.stderr.startswith("Game 1, round 1, decision 4 (placement): Whom")
    lines = [line for line in result.stderr.splitlines() if line.startswith("  File")]
    assert lines == [
        f'  File "{file}", line 2, in choose',
        f'  File "{file}", line 4, in deeper',
    ]
    assert result.stderr.endswith("ZeroDivisionError: division by zero\n")


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        ("choose = 3", "has no function choose. It should define\n    def choose("),
        ("", "has no function choose"),
        ("def choose(view)\n    pass", 'mybot.py", line 1\n    def choose(view)\n'),
        ("import nothing_like_it", "No module named 'nothing_like_it'"),
        ("import sys\nsys.exit(3)", 'mybot.py", line 2, in <module>\n'),
        ("def choose(view): return b'\x00'", "can't be loaded"),
    ],
)
def test_a_file_without_a_bot_ends_with_2_and_the_reason(
    file: Path, source: str, printed: str
) -> None:
    result = spar(file, source)

    assert result.exit_code == 2
    assert printed in result.stderr
    assert "importlib" not in result.stderr


def test_a_file_of_another_kind_is_no_bot(tmp_path: Path) -> None:
    result = spar(tmp_path / "mybot.txt", FIRST)

    assert (result.exit_code, "is no Python file" in result.stderr) == (2, True)


def test_a_bot_may_import_its_neighbours_and_have_dataclasses(file: Path) -> None:
    file.with_name("kingup_trial_taste.py").write_text("WHICH = 0")
    source = """
from __future__ import annotations
from dataclasses import dataclass
import kingup_trial_taste

@dataclass
class Taste:
    which: int = kingup_trial_taste.WHICH

def choose(view):
    return view["legal"][Taste().which]["answer"]
"""

    assert spar(file, source).exit_code == 0


@pytest.mark.parametrize(
    "words",
    [("--seats", 7), ("--seats", 2), ("--edition", "chess"), ("--games", 0)],
)
def test_a_table_that_cant_be_is_refused(file: Path, words: tuple[object, ...]) -> None:
    assert spar(file, FIRST, *words).exit_code == 2


def test_it_runs_from_anywhere_without_settings_database_or_network(file: Path) -> None:
    program = (
        "import socket, sys; sys.argv = sys.argv[1:];"
        "socket.socket.connect = socket.create_connection = None;"
        "from service.commands.cli import main; main()"
    )
    file.write_text("def choose(view):\n    raise ValueError")
    command = ["kingup", "spar", "mybot.py", "--games", "1"]
    done = subprocess.run(
        [sys.executable, "-P", "-c", program, *command],
        env={"PYTHONPATH": str(ROOT)},
        cwd=file.parent,
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert done.returncode == 1
    assert f'Traceback (most recent call last):\n  File "{file}", line 2' in done.stderr


def test_the_bots_page_shows_a_bot_and_what_comes_of_it(file: Path) -> None:
    evening = section(page("bots.md"), "Write your own bot in an evening")
    [source] = re.findall(r"```python\n(.*?)```", evening, flags=re.S)

    result = spar(file, source, "--seed", 4711, games=20)

    printed = result.stdout.splitlines()[:3]
    assert "".join(f"    {line}\n" for line in printed) in evening


@pytest.mark.parametrize("edition", ["classic", "jester"])
def test_the_bot_in_the_examples_can_spar(edition: str) -> None:
    given = ["spar", str(ROOT / "examples" / "bot.py"), "--edition", edition]

    result = CliRunner().invoke(main, [*given, "--games", "3", "--seed", "1"])

    assert (result.exit_code, result.stderr) == (0, "")
