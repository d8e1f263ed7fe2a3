"""Worked examples, read from their files and set out on a table."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from engine.errors import CannotMove
from engine.events import RoundScored
from tests.rig.engine.tables import Table

Case = dict[str, Any]


def load(edition: str) -> dict[str, Any]:
    """The examples of an edition, by what they are about."""
    path = Path(__file__).parents[2] / "engine" / f"golden_{edition}.json"
    return dict(json.loads(path.read_text(encoding="utf-8")))


def before_the_coronation(table: Table, case: Case) -> None:
    """Set the case's castle out, its king still on floor 5."""
    places = dict(case["castle"])
    king = places.pop("throne")
    table.arrange({**places, "5": places.get("5", "") + king})


def last_score(table: Table) -> RoundScored:
    return [event for event in table.log if isinstance(event, RoundScored)][-1]


def move_as_told(table: Table, case: Case) -> None:
    """The case's character goes where the case says, or is refused."""
    if case["to"] is None:
        with pytest.raises(CannotMove):
            table.move(case["character"])
    else:
        table.move(case["character"])
        assert table.game.board.at[case["character"]] == case["to"]


def crown_after(table: Table, case: Case, start: int) -> None:
    """Crown the case's king with its favourites dealt and its earlier rounds won."""
    table.deal(*case["favourites"])
    earlier = tuple(start + sum(points) for points in case["earlier"])
    table.game = replace(table.game, totals=earlier)
    if case["in_castle"] is not None:
        board = table.game.board.put(case["king"], "throne")
        law = table.game.law
        inside = [law.still_in_castle(board, card) for card in case["favourites"]]
        assert inside == case["in_castle"]
    table.crown(case["king"])


def check_end(table: Table, case: Case) -> None:
    """The totals and winners are the case's."""
    assert list(table.game.totals) == case["totals"]
    winners = [case["table"][seat] for seat in table.game.winners]
    assert winners == case["winners"]
