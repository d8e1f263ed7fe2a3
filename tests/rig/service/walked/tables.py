"""Tables are looked for, laid, changed, filled, and given up."""

from typing import Any
from uuid import UUID

from service.store import expiry as expirystore
from service.tables import expiry
from service.tables.refusals import InvitationAnswer
from tests.rig.service import programs, seated
from tests.rig.service.postbox import Postbox
from tests.rig.service.programs import Api
from tests.rig.service.seated import run


def lists(api: Api, token: str) -> None:
    """Looks at every list of games, and behind its first page."""
    for query in (
        "",
        *(f"status={status}" for status in ("inviting", "running", "over")),
        "open=true",
        "edition=jester",
        "status=over&edition=classic",
    ):
        first = api.get(f"/v1/games?limit=5&{query}")
        assert first.status_code == 200
        if "Link" in first.headers:
            path = first.headers["Link"].partition(">")[0].removeprefix("<")
            assert api.get(path.partition("localhost")[2] or path).json["games"]
    assert api.get("/v1/games?mine=true", token).status_code == 200
    assert api.get("/v1/games", token).status_code == 200


def hosts(post: Postbox, token: str) -> None:
    """Lays a table, changes it, and fills it."""
    api = post.api
    guest = {"kind": "person", "address": "simon@example.org", "name": "Simon"}
    wish: dict[str, Any] = {"seats": [guest, {"kind": "open"}], "visibility": "listed"}
    key = {"Idempotency-Key": "once"}
    laid, again = (
        api.call("POST", "/v1/games", token, json=wish, headers=key) for _ in range(2)
    )
    assert laid.status_code == again.status_code == 201, laid.text
    path = f"/v1/games/{laid.json['game']}"
    api.get(path, token)
    api.get(f"{path}/invitations", token)
    api.call("PATCH", path, token, json={"rounds": 2})
    api.call("PUT", f"{path}/seats/1", token, json={"kind": "bot"})
    api.call("PUT", f"{path}/seats/1", token, json=guest)
    terry = programs.operator_token(api, "terry@example.org")
    open_seats: dict[str, Any] = {"seats": [{"kind": "open"}, {"kind": "open"}]}
    open_table = api.call("POST", "/v1/games", token, json=open_seats)
    beside = f"/v1/games/{open_table.json['game']}"
    api.call("PATCH", beside, token, json={"rounds": 2})
    paul = programs.operator_token(api, "paul@example.org")
    api.call("POST", f"{beside}/seats", paul, json={})
    assert api.call("DELETE", "/v1/me", paul).status_code == 204
    came = api.call("POST", f"{path}/seats", terry, json={"word": "luck"})
    assert came.status_code == 201, came.text
    assert api.call("DELETE", f"{path}/seats/2", terry).status_code == 204
    post.tell(UUID(laid.json["game"]))
    post.letters()
    assert api.call("DELETE", path, token).status_code == 204
    with api.app.app_context():
        table = seated.draft(3, tag="+walked")
        seated.confirm(table)
        seated.decline(table, 1, InvitationAnswer.NEVER)
        run("UPDATE game SET expiry_at = kingup_now() WHERE id = :g", {"g": table})
        expiry.step(table)
        expirystore.is_warned(table)
        expiry.prolong(table)
