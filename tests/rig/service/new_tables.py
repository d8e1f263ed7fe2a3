"""Tables before the start, as programs make and fill them over the API."""

from typing import Any
from uuid import UUID

from service.auth import bearer
from service.store import links
from service.store.transactions import transaction
from tests.rig.service import seated
from tests.rig.service.programs import Api

OPEN, BOT = {"kind": "open"}, {"kind": "bot"}
SIMON = {"kind": "person", "address": "simon@example.org", "name": "Simon"}


def lay(api: Api, host: str, *seats: object, **wish: Any) -> str:
    """The path of a new table."""
    wish.setdefault("visibility", "listed")
    answer = api.call("POST", "/v1/games", host, json={"seats": list(seats), **wish})
    assert answer.status_code == 201, answer.text
    return f"/v1/games/{answer.json['game']}"


def take(api: Api, path: str, token: str | None, **wish: Any) -> Any:
    return api.call("POST", f"{path}/seats", token, json=wish)


def person(api: Api, name: str) -> str:
    with api.app.app_context():
        address = f"{name.lower()}@example.org"
        return bearer.issue_token(address, name)


def states(api: Api, path: str, token: str) -> list[str]:
    return [s["state"] for s in api.get(f"{path}/seats", token).json["seats"]]


def mailed(api: Api, path: str, seat: int) -> str:
    """The path of the invitation that a seat's person was mailed."""
    with api.app.app_context(), transaction():
        link = seated.link(UUID(path[-36:]), seat)
        return f"/v1/invitations/{links.add(link)}"


def answer(api: Api, invitation: str, choice: str, **more: Any) -> Any:
    wish = {"choice": choice, **more}
    return api.call("POST", f"{invitation}/acceptance", json=wish)


def lay_draft(api: Api) -> str:
    with api.app.app_context():
        return f"/v1/games/{seated.draft(3)}"
