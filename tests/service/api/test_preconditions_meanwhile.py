"""If-Match among others: what changes while a write waits, and who comes at once."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

import psycopg
import pytest

from service.store import links, people
from service.store.people import Profile
from service.store.transactions import transaction
from service.tables import options, seat_changes, seating
from service.tables.options import TermsChange
from service.values.enums import MailChoice
from service.values.free_time import FreeTime
from tests.rig.service import held, seated
from tests.rig.service.new_tables import BOT, OPEN, SIMON, lay, person
from tests.rig.service.preconditions import FAILED, mark, problem, write
from tests.rig.service.programs import Api


@pytest.mark.parametrize("wish", [{}, {"seat": 1}])
def test_what_changes_while_a_write_waits_its_turn_is_noticed(
    outside: psycopg.Connection, api: Api, host: str, wish: dict[str, object]
) -> None:
    path, terry = lay(api, host, OPEN, OPEN), person(api, "Terry")
    read = mark(api, path, terry)
    game_id = UUID(path.rpartition("/")[2])

    with ThreadPoolExecutor(1) as pool, api.app.app_context():
        with transaction():
            seating.hold(game_id)
            late = pool.submit(write, api, "POST", f"{path}/seats", terry, read, wish)
            held.until_somebody_waits(outside)
            options.change(game_id, TermsChange(rounds=1))
        answer = late.result()

    assert problem(answer) == FAILED


@pytest.mark.parametrize(
    ("method", "wish"),
    [
        ("PATCH", {"language": "it"}),
        ("PATCH", {"address": "a@example.org"}),
        ("DELETE", None),
    ],
)
def test_an_account_that_changes_while_a_write_waits_is_left_alone(
    outside: psycopg.Connection, api: Api, host: str, method: str, wish: object
) -> None:
    account = api.get("/v1/me", host)
    person_id, read = UUID(account.json["id"]), account.headers["ETag"]

    with ThreadPoolExecutor(1) as pool, api.app.app_context():
        with transaction():
            people.hold(person_id)
            late = pool.submit(write, api, method, "/v1/me", host, read, wish)
            held.until_somebody_waits(outside)
            people.change(
                person_id,
                Profile("Rosa"),
                False,
                FreeTime(),
                MailChoice.INSTANT,
                counts=False,
            )
        answer = late.result()

    assert problem(answer) == FAILED
    now = api.get("/v1/me", host).json
    assert (now["name"], now["language"], now["new_address"]) == ("Rosa", "en", None)


def test_an_invitation_is_answered_on_the_terms_it_was_sent_with(
    outside: psycopg.Connection, api: Api, host: str
) -> None:
    path = lay(api, host, SIMON, OPEN)
    game_id = UUID(path.rpartition("/")[2])
    with api.app.app_context(), transaction():
        token = links.add(seated.link(game_id, 1, "invitation"))

    with ThreadPoolExecutor(1) as pool, api.app.app_context():
        with transaction():
            seating.hold(game_id)
            place = f"/v1/invitations/{token}/acceptance"
            late = pool.submit(api.call, "POST", place, json={"choice": "in"})
            held.until_somebody_waits(outside)
            seat_changes.leave_open(game_id, 1)
            options.change(game_id, TermsChange(rounds=1))
            seat_changes.guest(game_id, 1, SIMON["address"], "Simon")
        answer = late.result()

    assert problem(answer) == (404, "invitation-over")
    assert api.get(path, host).json["seats"][1]["state"] == "invited"


def test_of_writes_that_count_on_the_same_one_is_done(api: Api, host: str) -> None:
    path = lay(api, host, OPEN, OPEN)
    wishes: list[tuple[str, str, Any]] = [
        ("PATCH", path, {"rounds": 1}),
        ("PUT", f"{path}/seats/1", BOT),
        ("PATCH", path, {"placement": "random"}),
        ("PUT", f"{path}/seats/2", SIMON),
    ]
    read = mark(api, path, host)

    def one(wish: tuple[str, str, Any]) -> int:
        method, place, body = wish
        return write(Api(api.app), method, place, host, read, body).status_code

    with ThreadPoolExecutor(4) as pool:
        found = sorted(pool.map(one, wishes))

    assert found == [200, 412, 412, 412]


def test_of_two_changes_of_one_account_one_is_done(api: Api, host: str) -> None:
    read = mark(api, "/v1/me", host)
    wishes = [{"name": "Rosa"}, {"address": "a@example.org"}, {"program": True}]

    def one(wish: object) -> int:
        return write(Api(api.app), "PATCH", "/v1/me", host, read, wish).status_code

    with ThreadPoolExecutor(3) as pool:
        found = sorted(pool.map(one, wishes))

    assert found == [200, 412, 412]
