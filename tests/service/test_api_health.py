"""Health: alive without asking anybody, ready only with everything it needs."""

import shutil
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from alembic.script import ScriptDirectory
from flask import Flask

from service import app as application
from service import config, health
from service.api.contract import document
from tests.service import seated
from tests.service.programs import Api


@pytest.fixture
def api(app: Flask) -> Api:
    return Api(app)


@pytest.fixture
def valkey(environ: dict[str, str]) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(environ["REDIS_URL"]) as client:
        yield client


def beat(valkey: redis.Redis, age: float = 0) -> None:
    valkey.set(health.HEARTBEAT, int(time.time() - age))


def test_a_process_is_ready_with_database_valkey_and_worker(
    api: Api, valkey: redis.Redis
) -> None:
    beat(valkey)

    answer = api.get("/readyz")

    assert answer.status_code == 200
    assert set(answer.json["checks"].values()) == {"ok"}
    assert set(answer.json["checks"]) == {
        "database",
        "isolation",
        "migrations",
        "valkey",
        "worker",
    }
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("age", [31, 3600, None])
def test_a_worker_without_a_recent_heartbeat_is_not_ready(
    api: Api, valkey: redis.Redis, age: float | None
) -> None:
    if age is not None:
        beat(valkey, age)

    answer = api.get("/readyz")

    assert answer.status_code == 503
    assert answer.json["checks"]["worker"] == "no heartbeat"
    assert answer.json["checks"]["database"] == "ok"


@pytest.mark.parametrize(("version", "outcome"), [("0000", "ok"), (None, "none")])
def test_a_database_is_ready_when_it_is_as_new_as_the_code_or_newer(
    api: Api, version: str | None, outcome: str
) -> None:
    with api.app.app_context():
        kept = seated.run("SELECT version_num FROM alembic_version")[0][0]
        try:
            seated.run("DELETE FROM alembic_version")
            if version:
                seated.run("INSERT INTO alembic_version VALUES (:v)", {"v": version})
            answer = api.get("/readyz")
        finally:
            seated.run("DELETE FROM alembic_version")
            seated.run("INSERT INTO alembic_version VALUES (:v)", {"v": kept})

    assert answer.json["checks"]["migrations"] == outcome


def test_a_database_older_than_the_code_is_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripts = tmp_path / "migrations"
    shutil.copytree(health.MIGRATIONS, scripts)
    head = ScriptDirectory(str(scripts)).get_current_head()
    (scripts / "versions" / "next.py").write_text(
        f"revision, down_revision = 'next', {head!r}\n"
    )
    monkeypatch.setattr(health, "MIGRATIONS", scripts)

    assert health.migrations(head) == "behind"
    assert health.migrations("next") == "ok"


def test_at_another_isolation_level_nothing_is_served(
    settings: config.Config, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        application,
        "_engine_options",
        lambda _: {"isolation_level": "REPEATABLE READ"},
    )
    api = Api(application.create_app(settings))

    ready = api.get("/readyz")
    refused = api.client.get("/v1/games")

    assert ready.status_code == 503
    assert ready.json["checks"]["isolation"] == "not read committed"
    assert (refused.status_code, refused.json["code"]) == (500, "internal")


def test_a_process_without_database_and_valkey_is_alive_but_not_ready(
    environ: dict[str, str],
) -> None:
    dead = environ | {
        "DATABASE_URL": "postgresql://kingup@127.0.0.1:1/kingup",
        "REDIS_URL": "redis://127.0.0.1:1/0",
    }
    api = Api(application.create_app(config.load(dead)))

    assert api.get("/healthz").json == {"status": "alive"}
    answer = api.get("/readyz")
    assert answer.status_code == 503
    assert answer.json["checks"] == {"database": "no answer", "valkey": "no answer"}
    refused = api.get("/v1/games")
    assert (refused.status_code, refused.json["code"]) == (503, "busy")
    assert refused.headers["Retry-After"] == "5"


def test_servers_that_no_longer_answer_are_found_out_in_time(
    environ: dict[str, str],
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        port = deaf.getsockname()[1]
        frozen = environ | {
            "DATABASE_URL": f"postgresql://kingup@127.0.0.1:{port}/kingup",
            "REDIS_URL": f"redis://127.0.0.1:{port}/0",
        }
        client = application.create_app(config.load(frozen)).test_client()
        began = time.monotonic()

        answer = client.get("/readyz")

    assert answer.status_code == 503
    assert answer.json["checks"] == {"database": "no answer", "valkey": "no answer"}
    assert time.monotonic() - began < 10


@pytest.mark.parametrize(("path", "status"), [("/healthz", 200), ("/readyz", 200)])
def test_the_contract_shows_what_is_answered_when_all_is_well(
    api: Api, valkey: redis.Redis, path: str, status: int
) -> None:
    beat(valkey)
    promised = document.specification(api.app)["paths"][path]["get"]["responses"]

    answer = api.get(path)

    example = promised[str(status)]["content"]["application/json"]["example"]
    assert (answer.status_code, answer.json) == (status, example)


def test_the_contract_shows_a_failed_check_as_it_is_told(
    api: Api, valkey: redis.Redis
) -> None:
    promised = document.specification(api.app)["paths"]["/readyz"]["get"]["responses"]

    answer = api.get("/readyz")

    example = promised["503"]["content"]["application/json"]["example"]
    assert (answer.status_code, answer.json) == (503, example)
