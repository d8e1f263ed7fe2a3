"""Free time changes three times in seven days, so that none moves with the clock."""

from datetime import timedelta
from uuid import UUID

import pytest
from werkzeug.test import TestResponse

from service.store import people
from service.store.people import Profile
from service.store.transactions import transaction
from service.values.free_time import (
    CHANGE_DAYS,
    MOST_CHANGES,
    FreeHours,
    FreeTime,
    QuietHours,
)
from tests.rig.service.programs import Api, Table, let_pass, operator_token
from tests.rig.service.seated import run

ME = "/v1/me"
NIGHTS = FreeTime(QuietHours("22:00", "08:00"))
WEEKENDS = FreeTime(None, weekends=True)
BOTH = FreeTime(NIGHTS.quiet_hours, weekends=True)


@pytest.fixture
def token(api: Api) -> str:
    return operator_token(api)


def change(api: Api, token: str, **wish: object) -> TestResponse:
    return api.call("PATCH", ME, token, json=wish)


def quiet(api: Api, token: str, hour: int) -> TestResponse:
    """Quiet hours that begin at some hour of the evening."""
    return change(api, token, quiet_hours={"from": f"{hour}:00", "to": "06:00"})


def use_up(api: Api, token: str) -> None:
    for number in range(MOST_CHANGES):
        assert quiet(api, token, 20 + number).status_code == 200


def is_refused(answer: TestResponse) -> bool:
    """Whether free time was changed too often."""
    told = answer.status_code, answer.get_json().get("code")
    return told == (429, "too-many-changes")


def free_zone(api: Api, token: str) -> str:
    found: str = api.get(ME, token).json["zone"]
    return found


def test_free_time_changes_three_times_in_seven_days(api: Api, token: str) -> None:
    use_up(api, token)
    let_pass(api, 24)

    refused = quiet(api, token, 23)

    assert is_refused(refused)
    kept = api.get(f"{ME}/export", token).json["free_time_changes"]
    assert len(kept) == MOST_CHANGES
    told = {name: refused.json[name] for name in ("limit", "whose", "most")}
    assert told == {"limit": "free-time", "whose": "person", "most": 3}
    wait = timedelta(seconds=int(refused.headers["Retry-After"]))
    assert wait == timedelta(seconds=refused.json["retry_after"])
    left = timedelta(days=CHANGE_DAYS - 1)
    assert left - timedelta(minutes=1) < wait <= left
    assert api.get(ME, token).json["quiet_hours"]["from"] == "22:00"
    let_pass(api, wait.total_seconds() / 3600 - 0.1)
    assert is_refused(change(api, token, weekends=True))
    let_pass(api, 0.2)
    assert quiet(api, token, 23).status_code == 200


def test_each_change_counts_for_seven_days_of_its_own(api: Api, token: str) -> None:
    for number in range(MOST_CHANGES):
        quiet(api, token, 20 + number)
        let_pass(api, 48)

    # The first of them was six days ago.
    assert is_refused(quiet(api, token, 23))
    let_pass(api, 25)
    assert quiet(api, token, 23).status_code == 200
    assert is_refused(quiet(api, token, 20))


def test_taking_free_time_away_is_always_possible_and_gives_none_back(
    api: Api, token: str
) -> None:
    for _ in range(MOST_CHANGES):
        hours = {"from": "22:00", "to": "08:00"}
        wish = {"quiet_hours": hours, "weekends": True}
        assert change(api, token, **wish).status_code == 200
        assert change(api, token, weekends=False).status_code == 200
        assert change(api, token, quiet_hours=None).status_code == 200

    assert is_refused(quiet(api, token, 22))
    assert is_refused(change(api, token, weekends=True))


def test_what_changes_no_free_time_counts_for_nothing(api: Api, token: str) -> None:
    use_up(api, token)

    for wish in (
        {"name": "Rita"},
        {"language": "it"},
        {"program": True},
        {"quiet_hours": {"from": "22:00", "to": "06:00"}, "weekends": False},
    ):
        assert change(api, token, **wish).status_code == 200


def test_a_refused_change_changes_nothing_else(api: Api, token: str) -> None:
    use_up(api, token)

    assert is_refused(change(api, token, weekends=True, name="Somebody else"))
    assert api.get(ME, token).json["name"] != "Somebody else"


def test_a_zone_counts_while_time_is_kept_free_by_its_clock(
    api: Api, token: str
) -> None:
    for zone in ("Asia/Tokyo", "Europe/Rome", "UTC", "Pacific/Auckland", "Asia/Tokyo"):
        assert change(api, token, zone=zone).status_code == 200
    change(api, token, weekends=True)
    change(api, token, zone="Europe/Rome")
    change(api, token, zone="UTC")

    assert is_refused(change(api, token, zone="Asia/Tokyo"))
    assert free_zone(api, token) == "UTC"
    gone = change(api, token, zone="Asia/Tokyo", weekends=False)
    assert (gone.status_code, gone.json["zone"]) == (200, "Asia/Tokyo")


def arrive(api: Api, token: str, zone: str) -> None:
    """Whoever signs in or sits down says what their clock shows."""
    person_id = UUID(api.get(ME, token).json["id"])
    with api.app.app_context(), transaction():
        people.verify(person_id, Profile("Rita", "en", zone))


def test_a_zone_that_is_said_on_arrival_counts_alike_and_stays_beyond(
    api: Api, token: str
) -> None:
    arrive(api, token, "Asia/Tokyo")
    assert free_zone(api, token) == "Asia/Tokyo"
    quiet(api, token, 22)
    for zone in ("Asia/Tokyo", "Europe/Rome", "Europe/Rome", "UTC"):
        arrive(api, token, zone)
        assert free_zone(api, token) == zone

    arrive(api, token, "Asia/Tokyo")

    assert free_zone(api, token) == "UTC"
    assert is_refused(quiet(api, token, 23))
    change(api, token, quiet_hours=None)
    arrive(api, token, "Asia/Tokyo")
    assert free_zone(api, token) == "Asia/Tokyo"


def test_nothing_stays_of_when_an_erased_person_changed_their_free_time(
    api: Api,
) -> None:
    """Also not where a seat of a game that goes on keeps somebody without a face."""
    token = Table(api).tokens[1]
    use_up(api, token)
    person_id = api.get(ME, token).json["id"]

    assert api.call("DELETE", ME, token).status_code == 204

    with api.app.app_context():
        kept = "SELECT cardinality(free_changes) FROM person WHERE id = :p"
        assert run(kept, {"p": person_id}) == [(0,)]


@pytest.mark.parametrize(
    ("before", "after", "more"),
    [
        (FreeTime(), NIGHTS, True),
        (FreeTime(), WEEKENDS, True),
        (NIGHTS, BOTH, True),
        (WEEKENDS, NIGHTS, True),
        (NIGHTS, FreeTime(QuietHours("23:00", "08:00")), True),
        (BOTH, BOTH, False),
        (BOTH, NIGHTS, False),
        (BOTH, WEEKENDS, False),
        (BOTH, FreeTime(), False),
    ],
)
def test_only_free_time_that_was_there_before_takes_no_more(
    before: FreeTime, after: FreeTime, *, more: bool
) -> None:
    here = FreeHours(before, "UTC")

    assert FreeHours(after, "UTC").takes_more_than(here) is more
    elsewhere = FreeHours(after, "Asia/Tokyo").takes_more_than(here)
    assert elsewhere is (after != FreeTime())
