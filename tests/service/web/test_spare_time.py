"""What is left of the spare time, on the page of a game."""

import pytest
from flask import Flask

from service.game import pace
from tests.rig.service import seated
from tests.rig.service.seated import run
from tests.rig.service.visitor import Visitor


@pytest.mark.parametrize(
    ("terms", "words"),
    [
        ({"decision_time": pace.USUAL, "spare": 6}, ["5 spare days", "6 spare days"]),
        ({"decision_time": 3600, "spare": 1}, ["no spare time left", "1 spare hour"]),
        ({"decision_time": pace.USUAL, "spare": 0}, []),
    ],
)
def test_the_page_tells_what_is_left_to_whom(
    app: Flask, visitor: Visitor, terms: dict[str, int], words: list[str]
) -> None:
    with app.app_context():
        table = seated.started(3, **terms)
        run(
            "UPDATE seat SET spare_used = 1 WHERE game_id = :g AND number = 1",
            {"g": table.id},
        )

    page = visitor.get(f"/g/{table.id}")

    assert [text for text in words if text not in page.text] == []
    assert ("spare" in page.text) == bool(words)
    assert ("spare time is used by itself" in page.text) == bool(words)
