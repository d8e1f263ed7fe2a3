"""What all of one's games ask, as a program asks for it."""

from typing import Any

from werkzeug.test import TestResponse

from service.values import entropy
from service.values.principals import System
from tests.rig.service import seated
from tests.rig.service.programs import Api, Table
from tests.rig.service.seated import run

PATH = "/v1/me/turns"
LONG_PATH = f"{PATH}?wait=20"
VIEWS_PATH = f"{PATH}?view=true"


def turns(answer: TestResponse) -> list[dict[str, Any]]:
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json["turns"]
    return found


def seat_by(api: Api, table: Table, seat: int, token: str) -> None:
    """Let a token's owner take the place of who sits on a seat."""
    with api.app.app_context():
        run(
            "UPDATE seat SET person_id = (SELECT person_id FROM token"
            " WHERE token_hash = :t) WHERE game_id = :g AND number = :s",
            {"t": entropy.digest(token), "g": table.id, "s": seat},
        )


def end(api: Api, table: Table) -> None:
    """End a game before its time."""
    with api.app.app_context():
        seated.cancel(table.id, System())
