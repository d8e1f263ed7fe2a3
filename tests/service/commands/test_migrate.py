"""`kingup migrate` waits for a database that is starting, and tells what fails."""

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from click.testing import CliRunner

from service import config
from service.commands import admin
from service.processes import embedded
from service.store import revisions
from tests.rig.service.environs import COMPLETE

MIGRATE = (sys.executable, "-P", "-m", "service.commands.cli", "migrate")


@pytest.fixture
def own(bare: Path, tmp_path: Path) -> Iterator[embedded.Servers]:
    servers = embedded.Servers(shutil.copytree(bare, tmp_path / "home"))
    servers.start(valkey=False)
    yield servers
    servers.stop()


def versions(url: str) -> list[tuple[object, ...]]:
    with psycopg.connect(url) as line:
        return line.execute("SELECT version_num FROM alembic_version").fetchall()


def test_a_database_that_is_starting_is_waited_for(own: embedded.Servers) -> None:
    own.postgres.stop()
    environ = config.child_environ(COMPLETE | {"DATABASE_URL": own.database_url})
    migrate = subprocess.Popen(MIGRATE, env=environ, stderr=subprocess.PIPE, text=True)

    time.sleep(3)
    own.postgres.start()
    _, said = migrate.communicate(timeout=120)

    assert (migrate.returncode, "Traceback" in said) == (0, False)
    assert len(versions(own.database_url)) == 1


def test_a_database_that_never_answers_is_told_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(admin, "PATIENCE_SECONDS", 0.1)
    nobody = {"DATABASE_URL": "postgresql://me:secret@127.0.0.1:1/kingup"}

    ended = CliRunner().invoke(admin.migrate, env=COMPLETE | nobody)

    assert ended.exit_code == 1
    assert ended.output.startswith("Error: The database of DATABASE_URL")
    assert ended.output.count("\n") == 1
    assert "secret" not in ended.output


def test_a_role_that_may_make_no_tables_is_told_in_one_sentence(
    own: embedded.Servers,
) -> None:
    with psycopg.connect(own.database_url, autocommit=True) as line:
        line.execute("CREATE ROLE guest LOGIN")
    parts = urlsplit(own.database_url)
    guest = parts._replace(netloc="guest@").geturl()

    ended = CliRunner().invoke(admin.migrate, env=COMPLETE | {"DATABASE_URL": guest})

    assert ended.exit_code == 1
    assert ended.output.splitlines()[-1] == (
        "Error: The tables can't be brought up to date: InsufficientPrivilege."
    )
    assert "Traceback" not in ended.output


def test_the_code_may_stand_in_a_folder_of_any_spelling(
    own: embedded.Servers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "100%s #1"
    shutil.copytree(revisions.MIGRATIONS, folder)
    monkeypatch.setattr(revisions, "MIGRATIONS", folder)
    there = COMPLETE | {"DATABASE_URL": own.database_url}

    ended = CliRunner().invoke(admin.migrate, env=there)

    assert ended.exit_code == 0
    assert len(versions(own.database_url)) == 1
