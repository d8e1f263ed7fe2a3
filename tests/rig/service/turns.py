"""What all of one's games ask, as a program asks for it."""

from typing import Any

from werkzeug.test import TestResponse

from service.store import tokens
from service.store.transactions import transaction
from service.values import entropy
from service.values.principals import System
from tests.rig.service import seated
from tests.rig.service.heard import Heard
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


def follow(
    api: Api, token: str | None, last_id: str | None = None, query: str = ""
) -> Heard:
    """The stream of an account's turns, as a program hears it."""
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    return Heard(api, "/v1/me", last_id=last_id, query=query, headers=headers)


def single(api: Api, token: str, table: Table) -> str:
    """A token of somebody's that is good for one game."""
    with api.app.app_context(), transaction():
        owner = tokens.bearer(entropy.digest(token))
        assert owner is not None
        return tokens.issue(owner.person_id, "one", ("games:read",), table.id).token
