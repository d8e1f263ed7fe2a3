"""What a host settles anew before the start, and what is agreed by then."""

from typing import Any

import pytest

from tests.rig.service import programs, seated
from tests.rig.service.new_tables import BOT, OPEN, SIMON, lay, lay_draft, person, take
from tests.rig.service.programs import Api, Table


def patch(api: Api, path: str, token: str | None, **wish: Any) -> Any:
    return api.call("PATCH", path, token, json=wish)


def test_the_host_changes_what_is_played_while_nobody_else_is_asked(
    api: Api, host: str
) -> None:
    path = lay(api, host, SIMON, BOT)
    api.call("DELETE", f"{path}/seats/1", person(api, "Simon"))
    wish = {"rounds": 1, "placement": "random", "ballot_history": "open", "first": 2}

    answer = patch(api, path, host, **wish, visibility="players")

    assert answer.status_code == 200
    assert wish.items() <= answer.json["options"].items()
    assert answer.json["visibility"] == "players"
    assert api.get(path).status_code == 404
    assert patch(api, path, host, first=None).json["options"]["first"] is None


@pytest.mark.parametrize("guest", [SIMON, OPEN])
def test_terms_that_somebody_has_read_or_agreed_to_stay(
    api: Api, host: str, guest: object
) -> None:
    path = lay(api, host, guest, OPEN, rounds=2)
    if guest == OPEN:
        take(api, path, person(api, "Terry"))
    before = seated.everything(api.app)

    for wish in ({"rounds": 1}, {"visibility": "link"}, {"first": 0}):
        answer = patch(api, path, host, **wish)
        assert (answer.status_code, answer.json["code"]) == (409, "terms-agreed")
    assert patch(api, path, host, rounds=2).status_code == 200

    assert seated.everything(api.app) == before
    assert api.call("DELETE", f"{path}/seats/1", host).status_code == 204
    assert patch(api, path, host, rounds=1).json["options"]["rounds"] == 1


def test_in_a_draft_everything_may_change(api: Api, host: str) -> None:
    path = lay_draft(api)

    answer = patch(api, path, host, rounds=1, visibility="players")

    assert (answer.status_code, answer.json["status"]) == (200, "draft")
    assert answer.json["options"]["rounds"] == 1
    assert answer.json["visibility"] == "players"


@pytest.mark.parametrize(
    ("wish", "status", "code"),
    [
        ({"rounds": 9}, 422, "invalid"),
        ({"edition": "jester"}, 422, "invalid"),
        ({"visibility": "secret"}, 422, "invalid"),
        ({"rounds": None}, 422, "invalid"),
        ({"first": 3}, 409, "bad-table"),
        ({"placement": "compensated"}, 409, "bad-table"),
        ({"visibility": "players"}, 409, "bad-table"),
    ],
)
def test_terms_that_cannot_be_played_change_nothing(
    api: Api, host: str, wish: dict[str, Any], status: int, code: str
) -> None:
    path = lay(api, host, OPEN, BOT)
    before = seated.everything(api.app)

    answer = patch(api, path, host, **wish)

    assert (answer.status_code, answer.json["code"]) == (status, code)
    assert seated.everything(api.app) == before


def test_only_the_host_changes_terms_and_only_before_the_start(
    api: Api, host: str
) -> None:
    path, running = lay(api, host, OPEN, SIMON), Table(api)
    simon = programs.operator_token(api, "simon@example.org")

    assert patch(api, path, None, rounds=1).status_code == 401
    assert patch(api, path, simon, rounds=1).status_code == 403
    late = patch(api, running.path, running.tokens[0], rounds=1)
    assert (late.status_code, late.json["code"]) == (409, "already-started")


def test_lists_are_narrowed_and_their_links_stay_narrow(api: Api, host: str) -> None:
    free = [lay(api, host, OPEN, BOT)[-36:] for _ in range(3)]
    begun = lay(api, host, BOT, BOT)[-36:]
    lay(api, host, OPEN, BOT, visibility="link")
    jester = lay(api, host, SIMON, BOT, BOT, edition="jester")[-36:]

    def found(query: str, token: str | None = None) -> list[str]:
        ids, path = [], f"/v1/games?{query}"
        while path:
            answer = api.get(path, token)
            assert answer.status_code == 200, answer.text
            ids += [game["game"] for game in answer.json["games"]]
            link = answer.headers.get("Link", "")
            path = link.partition(">")[0].removeprefix("<http://localhost")
        return ids

    assert found("open=true&limit=1") == free[::-1]
    assert found("status=running") == [begun]
    assert found("edition=jester") == [jester]
    assert len(found("mine=true&limit=2", host)) == 6
    assert found("mine=true", programs.stranger(api)) == []
    assert found("open=true&status=running") == []


@pytest.mark.parametrize(
    "query",
    ["status=won", "edition=chess", "open=yes", "mine=1", "open=", "free=true"],
)
def test_a_filter_that_is_not_understood_is_refused(api: Api, query: str) -> None:
    answer = api.get(f"/v1/games?{query}")

    assert (answer.status_code, answer.json["parameter"]) == (422, query.split("=")[0])


def test_ones_own_games_need_a_token(api: Api) -> None:
    assert api.get("/v1/games?mine=true").status_code == 401
