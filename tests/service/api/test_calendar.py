"""A calendar of one's open questions: what it says, and to whom it tells nothing."""

from datetime import datetime, timedelta
from urllib.parse import urlsplit

from icalendar import Calendar, Event
from werkzeug.test import TestResponse

from service.people import deletion
from service.store import clock
from tests.rig.service import seated
from tests.rig.service.programs import Api, Table, in_election
from tests.rig.service.seated import run

ME = "/v1/me/calendar"


def make(table: Table, seat: int) -> str:
    """The path of a new calendar of whoever sits there."""
    made = table.api.call("PUT", ME, table.tokens[seat])
    assert made.status_code == 200
    assert made.headers["Cache-Control"] == "no-store"
    url: str = made.json["url"]
    return urlsplit(url).path


def read(table: Table, path: str, **headers: str) -> TestResponse:
    return table.api.app.test_client().get(path, headers=headers)


def entries(table: Table, path: str) -> list[Event]:
    found = read(table, path)
    assert found.mimetype == "text/calendar"
    calendar = Calendar.from_ical(found.data)
    assert isinstance(calendar, Calendar)
    return calendar.events


def test_what_one_is_asked_is_an_entry_that_ends_with_the_time_for_it(
    api: Api,
) -> None:
    table = Table(api)
    asked = table.asked
    own, other = make(table, asked), make(table, (asked + 1) % 3)

    (entry,) = entries(table, own)

    assert not entries(table, other)
    deadline = datetime.fromisoformat(table.view(asked).json["decision"]["deadline"])
    assert entry.end == deadline.replace(microsecond=0)
    assert entry.end - entry.start == timedelta(minutes=30)
    assert entry["SUMMARY"] == "Whom do you place, and where? · Rachel's table"
    assert str(entry["URL"]).endswith(f"/g/{table.id}")
    table.play_a_turn()
    assert not entries(table, own)


def test_a_vote_stays_byte_for_byte_until_the_reveal_whoever_has_laid(
    api: Api,
) -> None:
    table = in_election(api)
    paths = [make(table, seat) for seat in range(3)]
    before = [read(table, path).data for path in paths]
    assert b"be king?" in before[0]

    for seat in range(2):
        table.put(seat, table.first_legal(seat))
        assert [read(table, path).data for path in paths] == before
    # Its own mark says no more, either.
    marks = {read(table, path).headers["ETag"] for path in paths}
    assert len(marks) == 1

    table.put(2, table.first_legal(2))
    table.inside("resolve")
    assert all(b"be king?" not in read(table, path).data for path in paths)


def test_a_reader_that_knows_the_newest_is_told_so(api: Api) -> None:
    table = Table(api)
    path = make(table, table.asked)

    mark = read(table, path).headers["ETag"]

    assert read(table, path, **{"If-None-Match": mark}).status_code == 304


def test_a_question_without_a_clock_stands_on_the_day_it_was_asked(api: Api) -> None:
    table = Table(api, decision_time=None)
    path = make(table, table.asked)

    (entry,) = entries(table, path)

    with api.app.app_context():
        assert entry.start == clock.now().date()


def test_a_new_address_ends_the_one_before_and_so_does_its_owner(api: Api) -> None:
    table = Table(api)
    first = make(table, 0)
    second = make(table, 0)

    assert read(table, first).status_code == 404
    assert read(table, second).status_code == 200
    assert api.get(ME, table.tokens[0]).json["since"]
    assert api.get("/v1/me/export", table.tokens[0]).json["calendar_since"]

    for _ in range(2):
        assert api.call("DELETE", ME, table.tokens[0]).status_code == 204
    assert read(table, second).status_code == 404
    assert api.get(ME, table.tokens[0]).json == {"since": None}


def test_whoever_is_erased_has_no_calendar(api: Api) -> None:
    table = Table(api)
    path = make(table, 1)

    with api.app.app_context():
        deletion.erase(seated.person_on(table.table.id, 1))

        assert not run("SELECT 1 FROM calendar")
    assert read(table, path).status_code == 404
