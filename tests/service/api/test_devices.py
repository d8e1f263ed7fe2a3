"""Remembered devices over the API: listed and ended by their owner alone."""

from datetime import timedelta
from uuid import UUID

import pytest

from service.store import clock, devices
from service.store.devices import Agent
from service.store.transactions import transaction
from service.values import entropy
from tests.rig.service import seated
from tests.rig.service.programs import Api, Table, stranger
from tests.rig.service.seated import run

PATH = "/v1/me/devices"
PHONE = Agent("Firefox", "Android")


@pytest.fixture
def table(api: Api) -> Table:
    """A table of three, for whose seats nothing is remembered."""
    table = Table(api)
    with api.app.app_context():
        run("DELETE FROM device")
    return table


def plant(table: Table, seat: int, agent: Agent = devices.UNKNOWN) -> None:
    """Have a browser remembered, a minute after the one before."""
    with table.api.app.app_context():
        clock.shift(timedelta(minutes=1))
        person = seated.person_on(table.id, seat)
        with transaction():
            devices.remember(table.id, person, seat, agent)


def listed(table: Table, seat: int) -> list[dict]:
    found: list[dict] = table.api.get(PATH, table.tokens[seat]).json["devices"]
    return found


def test_somebodys_devices_are_listed_for_them_alone(table: Table) -> None:
    plant(table, 1)
    plant(table, 1, PHONE)
    plant(table, 2)

    newest, oldest = listed(table, 1)

    assert newest["description"] == "Firefox on Android"
    assert oldest["description"] == "Some browser"
    assert (newest["game"], newest["seat"]) == (str(table.id), 1)
    assert newest["created_at"] == newest["last_used_at"] < newest["expires_at"]
    assert len(listed(table, 2)) == 1
    assert listed(table, 0) == []


def test_a_device_is_described_in_the_readers_language(table: Table) -> None:
    plant(table, 1, PHONE)

    answer = table.api.get(PATH, table.tokens[1], Accept_Language="de")

    assert answer.json["devices"][0]["description"] == "Firefox auf Android"


def test_pages_of_devices_hold_each_of_them_once(table: Table) -> None:
    for _ in range(5):
        plant(table, 1)
    whole = [each["id"] for each in listed(table, 1)]

    found, path = [], f"{PATH}?limit=2"
    while path:
        page = table.api.get(path, table.tokens[1])
        found += [each["id"] for each in page.json["devices"]]
        link = page.headers.get("Link", "")
        path = link.partition(">")[0].removeprefix("<http://localhost")

    assert found == whole
    assert len(set(found)) == 5


def test_whoever_has_the_seat_ends_its_devices_and_nobody_else(table: Table) -> None:
    plant(table, 1)
    plant(table, 1)
    first, second = (each["id"] for each in listed(table, 1))

    refused = [
        table.api.call("DELETE", f"{PATH}/{first}", token).status_code
        for token in (table.tokens[0], stranger(table.api))
    ]
    ended = table.api.call("DELETE", f"{PATH}/{first}", table.tokens[1])
    again = table.api.call("DELETE", f"{PATH}/{first}", table.tokens[1])

    assert refused == [404, 404]
    assert (ended.status_code, again.status_code) == (204, 404)
    assert [each["id"] for each in listed(table, 1)] == [second]


def test_a_device_that_is_not_there_says_so(table: Table) -> None:
    path = f"{PATH}/{entropy.identifier()}"

    answer = table.api.call("DELETE", path, table.tokens[1])

    assert answer.json["detail"] == "There is no such device."


def test_a_device_that_has_ended_is_listed_no_more(table: Table) -> None:
    plant(table, 1)
    with table.api.app.app_context():
        clock.shift(timedelta(days=devices.DAYS_UNUSED, seconds=1))

    assert listed(table, 1) == []


def test_the_export_of_an_account_has_its_devices(table: Table) -> None:
    plant(table, 1, PHONE)

    export = table.api.get("/v1/me/export", table.tokens[1]).json

    assert [each["description"] for each in export["devices"]] == ["Firefox on Android"]
    assert UUID(export["devices"][0]["id"])
