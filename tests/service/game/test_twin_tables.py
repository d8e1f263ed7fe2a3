"""Two worlds of one table, played through the service, look alike to everybody else.

Two in each run; `make proof` plays five hundred of them, and plants more leaks.
"""

from functools import partial
from pathlib import Path

import pytest
from flask import Flask

from service.game import answering_ahead
from service.store import sql
from tests.rig.twin_tables import comparing
from tests.rig.wiping import Wiper

SMALL = (15, 13, 61, 22, 36)
"""Tables of a few people, which are soon played."""


def standing_answers_in_a_counter(patch: pytest.MonkeyPatch) -> None:
    """Whoever answers ahead moves a number that everybody at the table reads."""
    honest = answering_ahead.lay

    def lay(game_id: object, *more: object) -> None:
        honest(game_id, *more)
        moved = "UPDATE game SET newest_message = newest_message + 1 WHERE id = %(id)s"
        sql.execute(moved, id=game_id)

    patch.setattr(answering_ahead, "lay", lay)


@pytest.mark.parametrize("number", SMALL[:2])
def test_nobody_sees_in_which_of_two_worlds_they_sit(
    app: Flask, wiper: Wiper, tmp_path: Path, number: int
) -> None:
    tally = comparing.compare(app, wiper.wipe, tmp_path, number)

    assert tally["comparisons"] > 30
    assert tally["looks"] > 3


def test_a_standing_answer_that_anybody_could_count_is_seen(
    app: Flask, wiper: Wiper, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    standing_answers_in_a_counter(monkeypatch)

    compare = partial(comparing.compare, app, wiper.wipe, tmp_path)
    with pytest.raises(comparing.Differs):
        list(map(compare, SMALL))
