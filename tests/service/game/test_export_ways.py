"""The commands and pages that give a game away, and the command that takes one in."""

import subprocess
import sys
from collections.abc import Mapping

import pytest
from click.testing import CliRunner, Result
from flask import Flask
from flask.testing import FlaskClient

from engine import export, notation
from engine.commands import Chair
from service.commands import cli
from tests.rig.engine.verified import CHAIRS, sample
from tests.rig.service import programs
from tests.rig.service.game_files import data_of
from tests.rig.service.programs import Api, Table
from tests.rig.service.seated import run


@pytest.fixture
def over(api: Api) -> Table:
    """A game that is over."""
    table = Table(api, rounds=1)
    table.inside("finish")
    return table


def kingup(
    environ: Mapping[str, str], *words: str, data: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-P", "-m", "service.commands.cli", *words],
        env=dict(environ),
        input=data,
        capture_output=True,
        check=False,
    )


def called(environ: Mapping[str, str], *words: str, data: bytes = b"") -> Result:
    """The same without a process of its own, for what asks no database."""
    return CliRunner().invoke(cli.main, words, input=data, env=environ)


def test_the_commands_give_away_and_take_in(
    app: Flask, environ: dict[str, str]
) -> None:
    data = data_of(3)
    game = export.read(data).game

    taken = kingup(environ, "import", "-", data=data)
    given = kingup(environ, "export", game)
    again = kingup(environ, "import", "-", data=data)

    assert (taken.returncode, taken.stdout.decode()) == (0, f"{game}\n")
    assert (given.returncode, given.stdout) == (0, data)
    assert (again.returncode, again.stdout) == (1, b"")
    assert again.stderr.decode() == f"Error: The game {game} is here already.\n"


def _with_bot(name: str) -> tuple[Chair, ...]:
    return (*CHAIRS[:3], Chair("bot", name))


BAD_TABLES = {
    "a bot that clears the screen": (_with_bot("\x1b[2J"), 86400),
    "a bot with a NUL": (_with_bot("a\0b"), 86400),
    "a bot without end": (_with_bot("x" * 100_000), 86400),
    "a bot as host": ((Chair("bot", "steady"), *CHAIRS[1:]), 86400),
    "a pace without end": (CHAIRS, 2**63 - 1),
    "a pace that is none": (CHAIRS, 0),
}


@pytest.mark.parametrize("name", BAD_TABLES)
def test_a_table_that_nobody_can_have_is_not_taken_in(
    app: Flask, environ: dict[str, str], name: str
) -> None:
    chairs, pace = BAD_TABLES[name]
    data = export.write(sample(chairs=chairs, pace=pace))

    taken = called(environ, "import", "-", data=data)

    printed = taken.stderr
    assert (taken.exit_code, taken.stdout) == (1, "")
    assert printed.startswith("Error: - is not taken: untrue: bad-table at event 2")
    assert printed.strip().isprintable()
    assert len(printed) < 500
    with app.app_context():
        assert run("SELECT count(*) FROM game") == [(0,)]


def test_the_commands_say_why_not(app: Flask, environ: dict[str, str]) -> None:
    unknown = programs.unknown_game()

    given = kingup(environ, "export", str(unknown))
    taken = called(environ, "import", "-", data=b"{}\n")
    printed = called(environ, "notation", "-", data=b"{")

    assert given.stderr.decode() == f"Error: There is no game {unknown}.\n"
    assert taken.stderr == "Error: - is not taken: missing-key: format\n"
    assert printed.stderr.startswith("Error: - is not read: not-json: ")
    assert {given.returncode, taken.exit_code, printed.exit_code} == {1}


def test_the_command_prints_the_notation_of_a_file() -> None:
    data = data_of(10)

    printed = called({}, "notation", "-", data=data)

    assert (printed.exit_code, printed.stderr) == (0, "")
    assert printed.stdout == notation.write(export.read(data))


def test_the_command_prints_nothing_of_a_crafted_file() -> None:
    data = data_of(3).replace(b'"by":"bot"', b'"by":"\\u001b[2J"', 1)

    printed = called({}, "notation", "-", data=data)

    assert (printed.exit_code, printed.stdout) == (1, "")
    assert printed.stderr.startswith(
        "Error: - is not read: unknown-word: record event "
    )
    assert printed.stderr.strip().isprintable()


def test_the_page_of_a_game_that_is_over_leads_to_its_record(
    api: Api, over: Table, client: FlaskClient
) -> None:
    page = client.get(f"/g/{over.id}").text
    assert f'href="/g/{over.id}/record.txt"' in page
    assert f'href="/g/{over.id}/record.json"' in page

    answer = client.get(f"/g/{over.id}/record.txt")
    kept = client.get(f"/g/{over.id}/record.json")

    data = api.get(f"{over.path}/export").data
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.text == notation.write(export.read(data))
    assert kept.data == data
    assert "attachment" in kept.headers["Content-Disposition"]


def test_a_running_game_has_no_record_page(api: Api, client: FlaskClient) -> None:
    table = Table(api)

    assert "record.txt" not in client.get(f"/g/{table.id}").text
    for kind in ("txt", "json"):
        assert client.get(f"/g/{table.id}/record.{kind}").status_code == 404


def test_the_record_page_of_a_game_for_its_players_is_theirs_alone(
    api: Api, client: FlaskClient
) -> None:
    table = Table(api, rounds=1, visibility="players")
    table.inside("finish")

    assert client.get(f"/g/{table.id}/record.txt").status_code == 404
