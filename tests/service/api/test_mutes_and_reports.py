"""Whoever reads nothing more of a seat, or reports what it has said."""

import pytest
from click.testing import CliRunner

from service.commands import admin
from tests.rig.service.programs import Api, Table
from tests.rig.service.talk import LINE, lines, mute, read, say


@pytest.fixture
def table(api: Api) -> Table:
    return Table(api, rounds=1)


def test_whoever_mutes_a_seat_reads_nothing_of_it_and_nobody_else_knows(
    table: Table,
) -> None:
    say(table, 1, line="one")
    say(table, 2, line="two")
    before = [read(table, seat) for seat in (1, 2)]

    assert mute(table, 0, 1) == mute(table, 0, 1) == 204

    assert lines(table, 0) == [(2, 2, "two")]
    assert read(table, 0)["muted"] == [1]
    assert [read(table, seat) for seat in (1, 2)] == before
    assert mute(table, 0, 1, "DELETE") == 204
    assert len(lines(table, 0)) == 2


def test_ones_own_talk_is_never_left_out(table: Table) -> None:
    say(table, 0)

    assert mute(table, 0, 0) == 204

    assert len(lines(table, 0)) == 1
    assert read(table, 0)["muted"] == []


def test_a_seat_that_is_not_there_cannot_be_muted(table: Table) -> None:
    assert mute(table, 0, 3) == 404


def test_a_message_is_reported_once_a_person_and_listed_for_the_operator(
    table: Table, environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    say(table, 1)
    path = f"{table.path}/messages/1/report"
    before = read(table, 1)

    for seat in (0, 0, 2):
        answer = table.api.call("POST", path, table.tokens[seat])
        assert answer.status_code == 204

    unknown = path.replace("/1/", "/2/")
    missing = table.api.call("POST", unknown, table.tokens[0])
    assert (missing.status_code, missing.json["what"]) == (404, "message")
    assert read(table, 1) == before
    # The app that is there, whose connections are put away in the end.
    monkeypatch.setattr(admin, "create_app", lambda _settings: table.api.app)
    listed = CliRunner().invoke(admin.reports, env=environ).output.splitlines()
    assert len(listed) == 2
    assert all(line.endswith(f"Simon: {LINE['line']}") for line in listed)
