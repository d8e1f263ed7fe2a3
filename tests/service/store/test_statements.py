"""No statement of the house costs more with every game there is."""

from pathlib import Path

import pytest
from flask import Flask

from tests.rig.service import many_games, verdict

RUNNING, OTHERS = 1000, 300


def test_whatever_is_said_reads_what_it_needs_and_is_known(
    app: Flask, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with many_games.filled(app, database, RUNNING, OTHERS):
        found = verdict.of_walk(app, database, tmp_path, monkeypatch, scanning=False)

    assert found == verdict.Verdict((), (), ())
