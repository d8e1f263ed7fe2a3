"""Absences, quiet hours and weekends by program: announced, kept to, and shown."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from werkzeug.test import TestResponse

from service.people.absences import MOST_DAYS
from service.store import absences, clock
from tests.rig.service import new_tables, seated
from tests.rig.service.programs import Api, Table, in_election, operator_token
from tests.rig.service.seated import run
from worker.clock import absences as worker

ME = "/v1/me"
DAY = timedelta(days=1)


@pytest.fixture
def token(api: Api) -> str:
    return operator_token(api)


def today(api: Api) -> date:
    with api.app.app_context():
        return clock.now().date()


def announce(
    api: Api,
    token: str,
    begin: int,
    days: int = 1,
    choice: str = "wait",
    **headers: str,
) -> TestResponse:
    """An absence of so many days that begins in so many."""
    first = today(api) + begin * DAY
    wish = {
        "first": str(first),
        "last": str(first + (days - 1) * DAY),
        "choice": choice,
    }
    return api.call("POST", f"{ME}/absences", token, json=wish, headers=headers)


def listed(api: Api, token: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = api.get(f"{ME}/absences", token).json["absences"]
    return found


def test_an_absence_is_listed_until_it_is_called_off(api: Api, token: str) -> None:
    later = announce(api, token, 20, 14, "bot")
    sooner = announce(api, token, 0, 2)

    assert later.status_code == sooner.status_code == 201
    assert listed(api, token) == [sooner.json, later.json]
    assert later.headers["Location"].endswith(f"/absences/{later.json['id']}")
    gone = api.call("DELETE", f"{ME}/absences/{later.json['id']}", token)
    assert gone.status_code == 204
    assert listed(api, token) == [sooner.json]


@pytest.mark.parametrize(
    ("begin", "days", "reason"),
    [
        (-1, 1, "gone"),
        (3, 0, "before-first"),
        (0, MOST_DAYS + 1, "too-many-days"),
        (4000, 1, "too-far"),
    ],
)
def test_days_that_are_past_too_many_or_too_far_off_are_not_understood(
    api: Api, token: str, begin: int, days: int, reason: str
) -> None:
    refused = announce(api, token, begin, days)

    assert (refused.status_code, refused.json["reason"]) == (422, reason)
    assert listed(api, token) == []


def test_the_longest_absence_begins_today(api: Api, token: str) -> None:
    assert announce(api, token, 0, MOST_DAYS).status_code == 201


def test_today_is_today_where_somebody_lives(api: Api, token: str) -> None:
    api.call("PATCH", ME, token, json={"zone": "Pacific/Kiritimati"})
    with api.app.app_context():
        there = clock.now().astimezone(UTC) + timedelta(hours=14)

    gone = (there.date() - today(api)).days - 1

    assert announce(api, token, gone).json["reason"] == "gone"
    assert announce(api, token, gone + 1).status_code == 201


def test_two_absences_share_no_day(api: Api, token: str) -> None:
    announce(api, token, 5, 3)

    for begin, days in ((5, 3), (3, 3), (7, 1), (4, 9)):
        refused = announce(api, token, begin, days)
        assert (refused.status_code, refused.json["code"]) == (409, "absences-overlap")
    assert announce(api, token, 3, 2).status_code == 201
    assert announce(api, token, 8, 2).status_code == 201


def test_nobody_announces_more_than_lie_ahead(api: Api, token: str) -> None:
    for number in range(absences.MOST_AHEAD):
        assert announce(api, token, 2 * number).status_code == 201

    refused = announce(api, token, 50)

    assert (refused.status_code, refused.json["code"]) == (409, "too-many-absences")


def test_the_same_key_announces_once(api: Api, token: str) -> None:
    keyed = {"Idempotency-Key": "summer"}

    first, again = (announce(api, token, 5, **keyed) for _ in range(2))

    assert first.json == again.json
    assert len(listed(api, token)) == 1


def test_nobody_calls_off_somebody_elses_absence(api: Api, token: str) -> None:
    found = announce(api, token, 5).json
    other = operator_token(api, "simon@example.org")

    refused = api.call("DELETE", f"{ME}/absences/{found['id']}", other)

    assert refused.status_code == 404
    assert listed(api, other) == []
    assert listed(api, token) == [found]


def test_the_table_sees_who_is_away_and_strangers_do_not(api: Api) -> None:
    table = Table(api)
    stranger = operator_token(api, "ralf@example.org")
    before = [table.view(seat) for seat in (None, 0)]

    made = announce(api, table.tokens[1], 3, 2, "bot").json

    told = {"seat": 1, "choice": "bot", "first": made["first"], "last": made["last"]}
    assert table.view(0).json["absences"] == table.view(1).json["absences"] == [told]
    assert table.view(0).headers["ETag"] != before[1].headers["ETag"]
    assert table.view().json["absences"] == []
    assert table.view().headers["ETag"] == before[0].headers["ETag"]
    assert api.get(f"{table.path}/view", stranger).json["absences"] == []
    revision = table.view().json["revision"]
    past = api.get(f"{table.path}/view?at={revision}", table.tokens[0])
    assert past.json["absences"] == []


def test_a_game_that_is_over_tells_nobodys_days_off_and_changes_no_more(
    api: Api,
) -> None:
    table = Table(api)
    announce(api, table.tokens[1], 3, 2)
    assert table.view(0).json["absences"]
    table.inside("finish")
    before = table.view(0)

    announce(api, table.tokens[2], 3, 2)

    assert before.json["absences"] == []
    assert table.view(0).json == before.json
    assert table.view(0).headers["ETag"] == before.headers["ETag"]


def test_a_game_somebody_has_left_tells_them_no_days_off_and_none_of_theirs(
    api: Api,
) -> None:
    table = Table(api, 4, placement="random", rounds=2)
    for seat in (1, 2):
        announce(api, table.tokens[seat], 3, 2)
    place = f"{table.path}/seats/1/departure"

    api.call("PUT", place, table.tokens[1])

    assert [each["seat"] for each in table.view(0).json["absences"]] == [2]
    assert table.view(1).json["absences"] == []
    table.inside("play_round")
    api.call("DELETE", place, table.tokens[1])
    assert [each["seat"] for each in table.view(1).json["absences"]] == [1, 2]


def test_the_table_sees_until_when_a_bot_keeps_a_seat_for_somebody_away(
    api: Api,
) -> None:
    table = Table(api)
    announce(api, table.tokens[1], 0, 2, "bot")
    with api.app.app_context():
        worker.sweep()

    assert [each["seat"] for each in table.view(0).json["absences"]] == [1]


def test_quiet_hours_and_weekends_are_kept_and_shown_to_nobody_else(api: Api) -> None:
    table = Table(api)
    before = [table.view(seat).data for seat in (None, 0, 2)]
    hours = {"from": "22:00", "to": "08:00"}

    changed = api.call(
        "PATCH", ME, table.tokens[1], json={"quiet_hours": hours, "weekends": True}
    )

    assert (changed.json["quiet_hours"], changed.json["weekends"]) == (hours, True)
    assert api.get(ME, table.tokens[1]).json == changed.json
    assert [table.view(seat).data for seat in (None, 0, 2)] == before
    kept = api.call("PATCH", ME, table.tokens[1], json={"name": "Simon"}).json
    assert (kept["quiet_hours"], kept["weekends"]) == (hours, True)
    none = {"quiet_hours": None, "weekends": False}
    gone = api.call("PATCH", ME, table.tokens[1], json=none).json
    assert (gone["quiet_hours"], gone["weekends"]) == (None, False)


@pytest.mark.parametrize(
    ("begin", "end", "status"),
    [
        ("20:00", "08:00", 200),
        ("12:00", "00:00", 200),
        ("20:00", "08:01", 422),
        ("08:00", "08:00", 422),
        ("8:00", "09:00", 422),
        ("23:00", "24:00", 422),
    ],
)
def test_quiet_hours_are_at_most_half_a_day(
    api: Api, token: str, begin: str, end: str, status: int
) -> None:
    hours = {"from": begin, "to": end}

    answer = api.call("PATCH", ME, token, json={"quiet_hours": hours})

    assert answer.status_code == status
    assert (api.get(ME, token).json["quiet_hours"] == hours) is (status == 200)


def deadline(table: Table) -> datetime:
    return datetime.fromisoformat(table.view(0).json["decision"]["deadline"])


def put_at(table: Table) -> datetime:
    return datetime.fromisoformat(table.view(0).json["decision"]["opened_at"])


def test_a_question_put_to_somebody_away_waits_until_they_are_back(api: Api) -> None:
    table = Table(api)
    asked = table.asked
    for seat in range(3):
        announce(api, table.tokens[seat], 0, 10)
    # What waits already ends when it would have.
    before = deadline(table)

    table.play_a_turn()

    with api.app.app_context():
        now = clock.now()
        ((used, seat),) = run(
            "SELECT away_days, number FROM seat WHERE game_id = :g AND away_days > 0",
            {"g": table.id},
        )
    assert before < now + DAY
    assert deadline(table).date() == now.date() + 10 * DAY
    unmoved = put_at(table) + timedelta(seconds=seated.PACE)
    assert (used, seat) == (10 - (unmoved.date() - now.date()).days, table.asked)
    assert table.asked != asked


def test_an_election_waits_for_everybody_away_whatever_they_have_laid(api: Api) -> None:
    table = Table(api, placement="random")
    announce(api, table.tokens[2], 0, 6)
    with api.app.app_context():
        table.table.nominate()
        last = clock.now().date() + 6 * DAY
    end = deadline(table)

    table.put(2, table.first_legal(2))

    assert end.date() == last
    assert deadline(table) == end
    assert (
        api.get(f"{table.path}/view").json["decision"]["deadline"]
        == (table.view(0).json["decision"]["deadline"])
    )


def test_all_of_it_is_taken_along_and_erased(api: Api) -> None:
    table = in_election(api)
    token = table.tokens[1]
    hours = {"from": "22:00", "to": "08:00"}
    made = announce(api, token, 3).json
    api.call("PATCH", ME, token, json={"quiet_hours": hours, "weekends": True})

    export = api.get(f"{ME}/export", token).json
    api.call("DELETE", ME, token)

    assert export["absences"] == [made]
    assert (export["me"]["quiet_hours"], export["me"]["weekends"]) == (hours, True)
    with api.app.app_context():
        assert run("SELECT * FROM absence") == []
        left = "quiet_from IS NOT NULL OR quiet_to IS NOT NULL OR weekends"
        assert run(f"SELECT id FROM person WHERE {left}") == []
    assert table.view(0).json["absences"] == []


def test_before_the_start_nobody_is_told_days_off_nor_who_is_invited(
    api: Api,
) -> None:
    host = new_tables.person(api, "Rachel")
    path = new_tables.lay(api, host, new_tables.OPEN, new_tables.SIMON, new_tables.OPEN)
    simon, guest = new_tables.person(api, "Simon"), new_tables.person(api, "Gast")
    announce(api, host, 3, 10, "bot")
    announce(api, simon, 3, 10)

    taken = new_tables.take(api, path, guest, name="Guest")

    assert taken.status_code == 201, taken.text
    for reader in (None, host, simon, guest):
        assert api.get(f"{path}/view", reader).json["absences"] == []
    new_tables.answer(api, new_tables.mailed(api, path, 2), "in", name="Simon")
    last = new_tables.person(api, "Paul")
    new_tables.take(api, path, last, name="Paul")
    shown = api.get(f"{path}/view", last).json["absences"]
    assert [each["seat"] for each in shown] == [0, 2]
