"""A thousand answers are cut at a random byte: none counts twice."""

import random
import sys
from pathlib import Path

import pytest
from flask import Flask

from service.auth import bearer
from tests.rig import cut_games, house
from tests.rig.house import House
from tests.rig.service.seated import run

ANSWERS = 1000
GAMES = 100


@pytest.mark.proof
@pytest.mark.timeout(1800)
def test_a_thousand_answers_are_cut_and_count_once(
    tmp_path: Path, environ: dict[str, str], app: Flask
) -> None:
    where = House(tmp_path, environ, webs=2, workers=0)
    with house.running(where), app.app_context():
        figures = cut_games.play(where, random.Random(41), ANSWERS)
        before = run("SELECT count(*) FROM game")[0][0]
        made = []
        for number in range(GAMES // 20):
            # As many as one host may have open at a time.
            token = bearer.issue_token(f"host{number}@example.org")
            chance = random.Random(number)
            made += cut_games.create(where, chance, "/v1/games", token, 20)
        more = cut_games.create(
            where, random.Random(42), "/v1/practice-games", None, GAMES
        )
        after = run("SELECT count(*) FROM game")[0][0]

    sys.stdout.write(
        f"\n{figures}: 0 double effects, the same receipts;"
        f" {len(made) + len(more)} games made and cut, {after - before} there\n"
    )
    assert figures.answers == ANSWERS
    assert all(first.status == 201 for first, _ in (*made, *more))
    assert all(again.body == first.body for first, again in made)
    assert all(again.json["game"] == first.json["game"] for first, again in more)
    assert after - before == 2 * GAMES
