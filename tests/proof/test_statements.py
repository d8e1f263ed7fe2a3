"""With 100,000 games that run, no statement of the house reads more than it needs."""

import sys
import time
from pathlib import Path

import pytest
from flask import Flask

from tests.rig.service import many_games, verdict

pytestmark = [pytest.mark.proof, pytest.mark.timeout(1800)]

RUNNING, OTHERS = 100_000, 5_000


def test_whatever_is_said_reads_what_it_needs_among_100_000_games(
    app: Flask, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = time.monotonic()
    with many_games.filled(app, database, RUNNING, OTHERS):
        sys.stdout.write(f"{RUNNING} games in {time.monotonic() - begun:.0f} s\n")
        found = verdict.of_walk(app, database, tmp_path, monkeypatch, scanning=True)

    assert found == verdict.Verdict((), (), ())
