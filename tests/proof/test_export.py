"""A thousand games given away, taken in and given away again, to the byte."""

import sys
from collections import Counter

import pytest
from flask import Flask

from engine import export
from engine.events import TableClosed
from service.game import game_files
from service.store import games
from service.values.principals import System
from tests.rig.engine import random_games
from tests.rig.service.game_files import data_of

GAMES = 1000
FIRST = 10_000


@pytest.mark.proof
@pytest.mark.timeout(3600)
def test_every_game_is_the_same_file_on_another_instance(app: Flask) -> None:
    seen = Counter[str]()
    client = app.test_client()
    for number in range(FIRST, FIRST + GAMES):
        table, data = random_games.game(number), data_of(number)
        with app.app_context():
            game_id = game_files.take_in(data)
            found = games.read(game_id, System())
            assert found is not None
            assert found.game == table.game
            assert found.head == table.heads[-1]

        again = client.get(f"/v1/games/{game_id}/export").data

        assert again == data
        assert export.write(export.read(again)) == data
        closed = next(e for e in table.log if isinstance(e, TableClosed))
        seen.update([f"{closed.edition} {len(closed.seats)}", str(table.game.reason)])
        seen.update([closed.options.placement, closed.options.ballot_history])
        seen.update({"events": len(table.record), "bytes": len(data)})
        seen["largest"] = max(seen["largest"], len(data))

    assert seen["finished"] + seen["cancelled"] == GAMES
    counts = ", ".join(f"{name} {count}" for name, count in sorted(seen.items()))
    sys.stdout.write(f"\n{GAMES} games, 0 differences: {counts}\n")
