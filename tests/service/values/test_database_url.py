"""`DATABASE_URL`: one way to read it, for everything that connects."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner
from flask import Flask

from service import app as application
from service import config
from service.commands import cli
from service.store import connections, pubsub
from tests.rig import apps
from tests.rig.pooler import pooling
from tests.rig.service.programs import Api


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "pooler"


@pytest.fixture
def ask(environ: dict[str, str], database: str) -> Iterator["Asking"]:
    asking = Asking(environ, database)
    yield asking
    asking.close()


class Asking:
    """Apps on addresses of the same database."""

    def __init__(self, environ: dict[str, str], database: str) -> None:
        self.environ = environ
        self.database = database
        self._apps: list[Flask] = []

    def at(self, url: str) -> Api:
        """Programs that ask an app on an address."""
        app = application.create_app(config.load(self.environ | {"DATABASE_URL": url}))
        self._apps.append(app)
        return Api(app)

    def close(self) -> None:
        for app in self._apps:
            apps.put_away(app)


def checks(api: Api) -> dict[str, str]:
    found: dict[str, str] = api.get("/readyz").json["checks"]
    return found


def test_of_several_hosts_everything_takes_the_one_that_is_there(ask: Asking) -> None:
    own = psycopg.conninfo.conninfo_to_dict(ask.database)["host"]
    several = f"postgresql://kingup@/kingup?host=127.0.0.1,{own}&port=1,5432"

    api = ask.at(several)

    assert api.get("/v1/games").status_code == 200
    assert checks(api)["database"] == "ok"
    assert pubsub.keeps_sessions(several)
    migrated = CliRunner().invoke(
        cli.main, ["migrate"], env=ask.environ | {"DATABASE_URL": several}
    )
    assert migrated.exit_code == 0, migrated.output


def test_a_host_that_vanishes_is_noticed(ask: Asking) -> None:
    with connections.connect(ask.database) as line:
        parameters = line.info.get_parameters()

    assert {
        name: parameters[name]
        for name in ("keepalives", "keepalives_idle", "tcp_user_timeout")
    } == {"keepalives": "1", "keepalives_idle": "15", "tcp_user_timeout": "30000"}


def test_what_the_address_sets_is_set_beside_what_we_set(ask: Asking) -> None:
    url = f"{ask.database}&options=-c%20application_name%3Dtables&keepalives_idle=7"

    with connections.connect(url) as line:
        named = line.execute("SHOW application_name").fetchone()
        assert line.info.get_parameters()["keepalives_idle"] == "7"
        level, limits = connections.session_settings(line)

    assert named == ("tables",)
    assert (level, limits) == ("read committed", connections.LIMITS)


def test_a_pooler_by_session_serves_and_keeps_every_limit(
    ask: Asking, folder: Path
) -> None:
    with pooling(folder, ask.database, by_transaction=False) as pooler:
        api = ask.at(pooler.url)

        assert api.get("/v1/games").status_code == 200
        assert checks(api)["limits"] == "ok"
        assert pubsub.keeps_sessions(pooler.url)
        with connections.connect(pooler.url) as line:
            assert connections.session_settings(line)[1] == connections.LIMITS


@pytest.mark.parametrize("command", ["migrate", "web", "worker"])
def test_a_pooler_by_transaction_is_refused_at_the_start(
    ask: Asking, folder: Path, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pubsub, "_HEARING_SECONDS", 1.0)
    with pooling(folder, ask.database, by_transaction=True) as pooler:
        there = ask.environ | {"DATABASE_URL": pooler.url}

        ended = CliRunner().invoke(cli.main, [command], env=there)

    assert ended.exit_code == 1
    assert ended.output == (
        "Error: DATABASE_URL leads to a pooler that pools by transaction:"
        " it must pool by session.\n"
    )


def test_without_its_limits_a_connection_serves_nothing(
    ask: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = {**connections.LIMITS, "lock_timeout": "4s"}
    monkeypatch.setattr(connections, "LIMITS", wanted)
    api = ask.at(ask.database)

    ready = api.get("/readyz")
    refused = api.client.get("/v1/games")

    assert ready.status_code == 503
    assert ready.json["checks"]["limits"] == "not kept"
    assert (refused.status_code, refused.json["code"]) == (500, "internal")
