"""Health: alive without asking anybody, ready only with everything it needs."""

import shutil
import socket
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from flask import Flask

from service import app as application
from service import config
from service.monitoring import health
from service.store import heartbeats, revisions
from service.store.transactions import transaction
from tests.rig.service import seated
from tests.rig.service.programs import Api, contract
from worker.outgoing import smtp


def sign(api: Api, name: str, state: str = "ok", age: float = 0) -> None:
    """Leave a word of a part, as if so many seconds ago."""
    with api.app.app_context(), transaction():
        heartbeats.renew(name, state)
        seated.run(
            "UPDATE sign_of_life SET at = at - make_interval(secs => :age)"
            " WHERE name = :name",
            {"age": age, "name": name},
        )


def test_a_process_is_ready_with_database_valkey_and_worker(api: Api) -> None:
    sign(api, health.WORKER)

    answer = api.get("/readyz")

    assert answer.status_code == 200
    assert set(answer.json["checks"].values()) == {"ok"}
    assert set(answer.json["checks"]) == {
        "database",
        "isolation",
        "limits",
        "migrations",
        "replication",
        "worker",
        "mail",
        "valkey",
    }
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("age", [31, 3600, None])
def test_a_worker_without_a_recent_heartbeat_is_not_ready(
    api: Api, age: float | None
) -> None:
    if age is not None:
        sign(api, health.WORKER, age=age)

    answer = api.get("/readyz")

    assert answer.status_code == 503
    assert answer.json["checks"]["worker"] == "no heartbeat"
    assert answer.json["checks"]["database"] == "ok"


def test_a_heartbeat_counts_for_half_a_minute(api: Api) -> None:
    sign(api, health.WORKER, age=25)

    assert api.get("/readyz").json["checks"]["worker"] == "ok"


@pytest.mark.parametrize("trouble", [*smtp.MailServerProblem])
def test_mails_that_cannot_leave_are_told_and_nothing_more(
    api: Api, trouble: str
) -> None:
    sign(api, health.WORKER)
    sign(api, health.MAIL, trouble, age=86400)

    answer = api.get("/readyz")

    assert answer.status_code == 503
    checks = answer.json["checks"]
    assert {part for part in checks if checks[part] != "ok"} == {"mail"}
    assert checks["mail"] == trouble


def test_asking_writes_nothing(api: Api) -> None:
    before = seated_rows(api)

    api.get("/readyz")

    assert seated_rows(api) == before


def seated_rows(api: Api) -> list[object]:
    with api.app.app_context():
        return list(seated.run("SELECT * FROM sign_of_life"))


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
    shutil.copytree(revisions.MIGRATIONS, scripts)
    head = max(scripts.glob("versions/*.py")).name.partition("_")[0]
    (scripts / "versions" / "9999_next.py").write_text(
        f"revision, down_revision = '9999', {head!r}\n"
    )
    monkeypatch.setattr(revisions, "MIGRATIONS", scripts)

    assert health.migrations(head) == "behind"
    assert health.migrations("9999") == "ok"


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
    api: Api, path: str, status: int
) -> None:
    sign(api, health.WORKER)
    promised = contract(api.app)["paths"][path]["get"]["responses"]

    answer = api.get(path)

    example = promised[str(status)]["content"]["application/json"]["example"]
    assert (answer.status_code, answer.json) == (status, example)


def test_the_contract_shows_a_failed_check_as_it_is_told(api: Api) -> None:
    promised = contract(api.app)["paths"]["/readyz"]["get"]["responses"]

    answer = api.get("/readyz")

    example = promised["503"]["content"]["application/json"]["example"]
    assert (answer.status_code, answer.json) == (503, example)


def test_many_who_ask_at_once_do_not_make_it_look_dead(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two threads look: one after the other, sixty looks would take nine seconds."""
    sign(api, health.WORKER)
    usual = health.database

    def slow(app: Flask) -> Mapping[str, str]:
        time.sleep(0.3)
        return usual(app)

    monkeypatch.setattr(health, "database", slow)
    with ThreadPoolExecutor(60) as many:
        answers = list(many.map(lambda _: Api(api.app).get("/readyz"), range(60)))

    assert [answer.json for answer in answers if answer.status_code != 200] == []
