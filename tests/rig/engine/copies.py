"""Copies of the engine with other files in them, each run by a process of its own."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec

from tests.rig.engine.copied import Played

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "adding-an-edition.md"


def copy(folder: Path) -> Path:
    """A copy of the engine's sources in a folder; the folder's path."""
    skip = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "engine", folder / "engine", ignore=skip)
    return folder


def shown_in_the_docs() -> list[str]:
    """The editions shown in the docs, the second rules of the first one last."""
    return re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)


def environ(folder: Path) -> dict[str, str]:
    """What makes a process take the engine from a folder, the rest from here."""
    path = f"{folder}:{ROOT}"
    return {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}


def run(folder: Path, *doing: str) -> list[Played]:
    """What a process did on the copy in a folder; stops at its first error."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.rig.engine.copied", *doing],
        env=environ(folder),
        cwd=folder,
        capture_output=True,
        timeout=120,
    )
    if done.returncode:
        raise RuntimeError(done.stderr.decode())
    games = msgspec.json.decode(done.stdout, type=list[Played])
    if {game.engine for game in games} != {str(folder / "engine")}:
        raise RuntimeError("another engine has answered")
    return games
