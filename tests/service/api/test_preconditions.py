"""If-Match: a write counts on what its client has read, or nothing is done."""

import pytest
from flask import Flask

from service.store import devices, links
from service.store.transactions import transaction
from tests.rig.service import everybody, programs, seated
from tests.rig.service.new_tables import BOT, OPEN, SIMON, lay, person
from tests.rig.service.preconditions import FAILED, mark, problem, write
from tests.rig.service.programs import Api, Table, contract
from tests.rig.service.promised import Operation, below_v1

SIMON_ASKED = {"address": SIMON["address"], "name": SIMON["name"]}
UNREAD = '"nobody-has-read-this"'
MARKED = {
    "updateGame",
    "cancelGame",
    "takeSeat",
    "assignSeat",
    "correctAddress",
    "leaveSeat",
    "createInvitation",
    "updateMe",
    "deleteMe",
}
"""The operations that honour the header; of the others one alone never looks at it."""


def writes(app: Flask) -> list[Operation]:
    return [each for each in below_v1(app) if each.method != "GET"]


def test_whoever_takes_a_seat_gets_the_terms_they_have_read(
    api: Api, host: str
) -> None:
    path, terry = lay(api, host, OPEN, OPEN), person(api, "Terry")
    read = mark(api, path, terry)
    api.call("PATCH", path, host, json={"rounds": 1})

    late = write(api, "POST", f"{path}/seats", terry, read, {})

    assert problem(late) == FAILED
    assert api.get(path, terry).json["seat"] is None
    read = mark(api, path, terry)
    assert write(api, "POST", f"{path}/seats", terry, read, {}).status_code == 201


@pytest.mark.parametrize(
    "change",
    [
        ("PATCH", "", {"first": 1}),
        ("PATCH", "", {"visibility": "link"}),
        ("PUT", "/seats/2", BOT),
        ("PUT", "/seats/1", SIMON),
        ("DELETE", "/seats/3", None),
        ("DELETE", "", None),
    ],
)
def test_whatever_matters_to_whoever_sits_down_changes_the_mark(
    api: Api, host: str, change: tuple[str, str, object]
) -> None:
    path, terry = lay(api, host, OPEN, OPEN, BOT), person(api, "Terry")
    read = mark(api, path, terry)
    method, below, body = change
    options = {} if body is None else {"json": body}
    assert api.call(method, path + below, host, **options).status_code < 300

    late = write(api, "POST", f"{path}/seats", terry, read, {})

    # A table that was called off is shown to those who sat there alone.
    assert problem(late) in (FAILED, (404, "not-found"))


@pytest.mark.parametrize(("method", "body"), [("PUT", BOT), ("DELETE", None)])
def test_a_seat_that_is_not_there_is_told_before_the_mark(
    api: Api, host: str, method: str, body: object
) -> None:
    path = lay(api, host, OPEN, OPEN)

    answers = [
        write(api, method, f"{path}/seats/{seat}", host, UNREAD, body)
        for seat in ("3", "-1")
    ]

    assert [problem(each) for each in answers] == [(404, "not-found")] * 2


def test_a_card_that_somebody_lays_changes_nobodys_mark(api: Api) -> None:
    table = programs.in_election(api)
    readers = [None, *table.tokens]
    before = [mark(api, table.path, token) for token in readers]

    assert table.put(1, table.first_legal(1)).status_code == 200

    assert [mark(api, table.path, token) for token in readers] == before


def test_a_game_its_seats_and_each_of_them_have_one_mark(api: Api, host: str) -> None:
    path = lay(api, host, OPEN, OPEN)

    marks = {mark(api, f"{path}{below}", host) for below in ("", "/seats", "/seats/1")}

    assert len(marks) == 1


def test_what_is_written_is_answered_with_the_mark_a_reader_gets(
    api: Api, host: str
) -> None:
    terry = person(api, "Terry")
    path = lay(api, host, OPEN, OPEN, OPEN)
    wishes = [
        ("PATCH", "", host, {"rounds": 1}),
        ("PUT", "/seats/3", host, BOT),
        ("POST", "/seats", terry, {"seat": 1}),
        ("DELETE", "/seats/1", terry, None),
        ("POST", "/invitations", host, {**SIMON_ASKED, "seat": 2}),
        ("DELETE", "/seats/2", host, None),
        ("DELETE", "", host, None),
    ]

    for method, below, token, body in wishes:
        read = mark(api, path, token)
        answer = write(api, method, path + below, token, read, body)
        assert answer.status_code < 300, (method, below, answer.text)
        assert answer.headers["ETag"] == mark(api, path, token) != read, below


def test_what_is_made_is_answered_with_its_mark(api: Api, host: str) -> None:
    made = api.call("POST", "/v1/games", host, json={"seats": [OPEN, OPEN]})
    table = Table(api, rounds=1, placement="random")
    table.inside("finish")

    again = api.call("POST", f"{table.path}/rematch", table.tokens[1])

    for answer, token in ((made, host), (again, table.tokens[1])):
        assert answer.headers["ETag"] == mark(api, answer.headers["Location"], token)


def test_an_account_is_changed_as_it_was_read(api: Api, host: str) -> None:
    read = mark(api, "/v1/me", host)
    changed = write(api, "PATCH", "/v1/me", host, read, {"name": "Rosa"})

    late = write(api, "PATCH", "/v1/me", host, read, {"name": "Rita"})
    gone = write(api, "DELETE", "/v1/me", host, read)

    assert (problem(late), problem(gone)) == (FAILED, FAILED)
    assert api.get("/v1/me", host).json["name"] == "Rosa"
    assert changed.headers["ETag"] == mark(api, "/v1/me", host) != read
    read = mark(api, "/v1/me", host)
    assert write(api, "DELETE", "/v1/me", host, read).status_code == 204


def test_an_address_that_is_on_its_way_is_part_of_the_account(
    api: Api, host: str
) -> None:
    read = mark(api, "/v1/me", host)
    first = write(api, "PATCH", "/v1/me", host, read, {"address": "a@example.org"})

    late = write(api, "PATCH", "/v1/me", host, read, {"address": "b@example.org"})
    again = first.headers["ETag"]
    good = write(api, "PATCH", "/v1/me", host, again, {"address": "c@example.org"})

    assert problem(late) == FAILED
    assert (good.status_code, good.json["new_address"]) == (200, "c@example.org")


def known(table: Table) -> dict[str, object]:
    """What stands in the addresses of operations, all of it there."""
    with table.api.app.app_context():
        game_id = seated.draft(3)
        seated.confirm(game_id)
        with transaction():
            token = links.add(seated.link(game_id, 1, "invitation"))
            person_id = seated.link(table.id, 0, "decision").person_id
            devices.remember(table.id, person_id, 0)
    said = {"phrase": "hello"}
    table.api.call("POST", f"{table.path}/messages", table.tokens[0], json=said)
    (mine, *_) = table.api.get("/v1/me/tokens", table.tokens[0]).json["tokens"]
    (device, *_) = table.api.get("/v1/me/devices", table.tokens[0]).json["devices"]
    return {
        "game": table.id,
        "secret": token,
        "token": mine["id"],
        "device": device["id"],
        "message": 1,
        "proposal": 1,
    }


def test_every_write_is_done_as_it_was_read_or_not_at_all(api: Api) -> None:
    table = Table(api)
    there = known(table)
    before = seated.everything(api.app)
    seen = set()

    for each in writes(api.app):
        if each.name != "putAnswer":
            own = {"seat": 0} if each.name in everybody.THEIR_OWN else {}
            path = each.at(**there, **own)
            answer = write(api, each.method, path, table.tokens[0], UNREAD, each.body)
            assert problem(answer) == FAILED, each.name
            seen.add(each.name)

    assert seen > MARKED
    assert seated.everything(api.app) == before


def test_any_that_is_there_is_what_a_star_asks_for(api: Api, host: str) -> None:
    path = lay(api, host, OPEN, OPEN)
    answers = [
        write(api, "PATCH", path, host, " * ", {"rounds": 1}),
        write(api, "PATCH", "/v1/me", host, "*", {"name": "Rosa"}),
        write(api, "POST", "/v1/games", host, "*", {"seats": [OPEN, OPEN]}),
        write(api, "POST", "/v1/practice-games", None, "*", {}),
    ]

    assert [answer.status_code for answer in answers] == [200, 200, 201, 412]


@pytest.mark.parametrize(
    ("tags", "status"),
    [
        ("{}", 200),
        ('"other", {}', 200),
        (' ,, "a,b" ,{} ,', 200),
        ('"other"', 412),
        ("W/{}", 412),
        ('W/"other", "another"', 412),
        ('""', 412),
        ("", 422),
        (",", 422),
        ("abc", 422),
        ("*, {}", 422),
        (" " * 4000 + "x", 422),
        ('w/"other"', 422),
        ('"open', 422),
        ('{} "another"', 422),
    ],
)
def test_one_of_the_strong_marks_must_be_that_of_now(
    api: Api, host: str, tags: str, status: int
) -> None:
    path = lay(api, host, OPEN, OPEN)
    sent = tags.replace("{}", mark(api, path, host))

    answer = write(api, "PATCH", path, host, sent, {"rounds": 1})

    assert answer.status_code == status
    if status == 422:
        assert (answer.json["field"], answer.json["reason"]) == (
            "If-Match",
            "entity-tags",
        )
    assert (api.get(path, host).json["options"]["rounds"] == 1) == (status == 200)


@pytest.mark.parametrize("tag", [UNREAD, "no tag", "*", "W/"])
def test_an_answer_has_its_decision_for_a_precondition(api: Api, tag: str) -> None:
    table = Table(api)
    seat, path = table.asked, f"{table.path}/decisions/{table.decision}/answer"
    answer = table.first_legal(seat)

    given = write(api, "PUT", path, table.tokens[seat], tag, answer)
    again = write(api, "PUT", path, table.tokens[seat], tag, answer)

    assert (given.status_code, again.data) == (200, given.data)


def looks_at(each: Operation, tag: str) -> bool:
    """Whether an operation finds that a tag is none."""
    return tag == "no tag" and each.name != "putAnswer"


@pytest.mark.parametrize("tag", [UNREAD, "no tag", "*"])
def test_whoever_may_not_learns_nothing_from_it(api: Api, tag: str) -> None:
    table = Table(api, visibility="players")
    there = known(table)
    stranger = person(api, "Zoe")
    with api.app.app_context():
        talker = table.token(0, scopes=("messages",))
        reader = table.token(0, scopes=("games:read",))

    for each in writes(api.app):
        if each.scope is None:
            continue
        path = each.at(**there)
        nobody = write(api, each.method, path, None, tag, each.body)
        lacking = reader if each.scope == "messages" else talker
        unfit = write(api, each.method, path, lacking, tag, each.body)
        assert problem(nobody) == (401, "unauthorized"), each.name
        assert problem(unfit) == (403, "forbidden"), each.name
        if "{game}" in each.path:
            other = write(api, each.method, path, stranger, tag, each.body)
            # What can't be understood is so for everybody, and tells nothing.
            unread = (422, "invalid") if looks_at(each, tag) else (404, "not-found")
            assert problem(other) == unread, each.name


def test_a_kept_answer_comes_before_the_mark(api: Api, host: str) -> None:
    path, terry = lay(api, host, OPEN, OPEN), person(api, "Terry")
    headers = {"If-Match": mark(api, path, terry), "Idempotency-Key": "k"}
    first = api.call("POST", f"{path}/seats", terry, json={}, headers=headers)

    again = api.call("POST", f"{path}/seats", terry, json={}, headers=headers)

    assert (first.status_code, again.data) == (201, first.data)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert "ETag" not in again.headers


def test_a_refused_mark_uses_up_no_key(api: Api, host: str) -> None:
    path, terry = lay(api, host, OPEN, OPEN), person(api, "Terry")
    headers = {"If-Match": UNREAD, "Idempotency-Key": "k"}
    late = api.call("POST", f"{path}/seats", terry, json={}, headers=headers)

    headers["If-Match"] = mark(api, path, terry)
    again = api.call("POST", f"{path}/seats", terry, json={}, headers=headers)

    assert (problem(late), again.status_code) == (FAILED, 201)


def test_the_contract_says_who_honours_it_and_how_it_fails(app: Flask) -> None:
    for path, item in contract(app)["paths"].items():
        for method, operation in item.items():
            if method == "parameters" or not path.startswith("/v1"):
                continue
            name = operation["operationId"]
            named = {each["name"] for each in operation.get("parameters", ())}
            assert ("If-Match" in named) == (name in MARKED), name
            refuses = method != "get" and name != "putAnswer"
            assert ("412" in operation["responses"]) == refuses, name
