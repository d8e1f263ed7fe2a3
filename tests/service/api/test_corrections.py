"""The address of somebody who is invited is corrected: before they answer, thrice."""

from uuid import UUID

import pytest
from werkzeug.test import TestResponse

from service.auth import bearer
from service.tables.seat_changes import CORRECTIONS
from tests.rig.service import seated
from tests.rig.service.new_tables import BOT, OPEN, SIMON, answer, lay, mailed, person
from tests.rig.service.programs import Api
from tests.rig.service.seated import run


@pytest.fixture
def host(api: Api) -> str:
    with api.app.app_context():
        return bearer.issue_token("rachel@example.org", "Rachel")


@pytest.fixture
def path(api: Api, host: str) -> str:
    """Rachel's table: Simon is invited, a seat is open, a bot sits."""
    return lay(api, host, SIMON, OPEN, BOT)


def correct(
    api: Api, path: str, token: str | None, address: str, seat: int = 1
) -> TestResponse:
    wish = {"address": address}
    return api.call("PATCH", f"{path}/seats/{seat}", token, json=wish)


def code(found: TestResponse) -> tuple[int, str]:
    return found.status_code, found.json["code"]


def asked(api: Api, path: str) -> list[str]:
    """Who was invited, the oldest first."""
    with api.app.app_context():
        rows = run(
            "SELECT p.address FROM invitation i JOIN person p ON p.id = i.person_id"
            " WHERE i.game_id = :g ORDER BY i.created_at",
            {"g": UUID(path[-36:])},
        )
        return [address for (address,) in rows]


def test_whoever_is_invited_keeps_their_name_at_another_address(
    api: Api, host: str, path: str
) -> None:
    first = mailed(api, path, 1)

    corrected = correct(api, path, host, "simon@example.com")

    assert corrected.status_code == 200
    assert (corrected.json["name"], corrected.json["state"]) == ("Simon", "invited")
    assert asked(api, path) == ["simon@example.org", "simon@example.com"]
    assert code(answer(api, first, "in")) == (404, "invitation-over")
    assert answer(api, mailed(api, path, 1), "in").json["state"] == "joined"
    states = api.get(f"{path}/invitations", host).json["invitations"]
    assert [each["state"] for each in states] == ["withdrawn", "accepted"]


def test_an_address_is_corrected_three_times_a_seat(
    api: Api, host: str, path: str
) -> None:
    for number in range(CORRECTIONS):
        assert correct(api, path, host, f"s{number}@example.org").status_code == 200
    before = seated.everything(api.app)

    again = correct(api, path, host, "simon@example.com")

    assert code(again) == (409, "too-many-corrections")
    assert (again.json["seat"], again.json["most"]) == (1, 3)
    assert seated.everything(api.app) == before


def test_a_correction_counts_like_any_invitation(
    api: Api, host: str, path: str
) -> None:
    for _ in range(2):
        assert correct(api, path, host, "simon@example.org").status_code == 200

    again = correct(api, path, host, "simon@example.org")

    assert code(again) == (429, "too-many-invitations")
    assert again.json["whose"] == "address"


def test_only_who_waits_to_be_answered_has_an_address_to_correct(
    api: Api, host: str, path: str
) -> None:
    answer(api, mailed(api, path, 1), "in")

    for seat in (0, 1, 2, 3):
        found = correct(api, path, host, "terry@example.org", seat)
        assert code(found) == (409, "not-invited")
    assert code(correct(api, path, host, "terry@example.org", 7)) == (404, "not-found")


@pytest.mark.parametrize("address", ["simon", "", "rachel@example.org"])
def test_an_address_that_can_not_be_asked_corrects_nothing(
    api: Api, host: str, path: str, address: str
) -> None:
    before = seated.everything(api.app)

    found = correct(api, path, host, address)

    assert found.json["code"] in ("invalid", "address-twice")
    assert found.json["field"] == "address"
    assert seated.everything(api.app) == before


def test_nobody_but_the_host_corrects_an_address(
    api: Api, host: str, path: str
) -> None:
    terry = person(api, "Terry")
    api.call("POST", f"{path}/seats", terry, json={"seat": 2})

    found = correct(api, path, terry, "simon@example.com")

    assert code(found) == (403, "forbidden")


def test_after_the_start_nobodys_address_is_corrected(api: Api, host: str) -> None:
    path = lay(api, host, SIMON, BOT)
    answer(api, mailed(api, path, 1), "in")

    found = correct(api, path, host, "simon@example.com")

    assert code(found) == (409, "already-started")


def test_it_looks_the_same_whether_or_not_the_other_address_wants_no_mail(
    api: Api, host: str, path: str
) -> None:
    answer(api, mailed(api, path, 1), "never")
    other = lay(api, host, {**SIMON, "address": "s@example.org"}, OPEN, BOT)

    unwilling = correct(api, other, host, "simon@example.org")
    shown = unwilling.json
    willing = correct(api, other, host, "simon@example.com")

    assert unwilling.status_code == willing.status_code == 200
    assert shown == willing.json
