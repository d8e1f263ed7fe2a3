"""docker-compose.yml: its commands and health checks, run here, carry a whole game."""

import os
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.rig import account, compose
from tests.rig.compose import Local
from tests.rig.house import ROOT, House, answers
from tests.rig.parts import START_PATIENCE, Part, wait_until
from tests.rig.people import Table

BEATS = "SELECT name FROM sign_of_life WHERE name = 'worker'"
BASE = {"PATH": os.defpath}
SECRETS = {
    "POSTGRES_PASSWORD": "postgres-password",
    "SECRET_KEY": "a secret for trials that nobody has to keep",
}


@pytest.fixture
def composed(
    tmp_path: Path, environ: dict[str, str], database: str
) -> Iterator[tuple[House, dict[str, Local]]]:
    """The services of the file, with this machine's ports and private servers."""
    house = House(tmp_path, environ, webs=1, workers=0)
    chosen = {"PUBLIC_URL": house.urls[0], "MAIL_SETTLE_SECONDS": "0"}
    services = compose.read({**SECRETS, **chosen})
    moved = {
        "postgresql://kingup:postgres-password@postgres/kingup": house.database,
        "redis://valkey:6379/0": environ["REDIS_URL"],
        "smtp://mail:1025": f"smtp://127.0.0.1:{house.smtp_port}",
        "0.0.0.0:8000": f"127.0.0.1:{house.ports[0]}",
        "127.0.0.1:8000": f"127.0.0.1:{house.ports[0]}",
    }
    locals_ = {
        name: Local(name, service, moved)
        for name, service in compose.ours(services).items()
    }
    house.webs.clear()
    yield house, locals_
    house.stop()


def test_the_composed_services_get_healthy_and_carry_a_game(
    composed: tuple[House, dict[str, Local]], tmp_path: Path
) -> None:
    house, services = composed
    assert set(services) == {"migrate", "web", "worker", "beat"}
    migrate = services.pop("migrate")
    subprocess.run(migrate.command, env=migrate.environ(BASE), check=True)
    house.sink.start()
    for name, service in services.items():
        assert not service.is_healthy(BASE, tmp_path), name
        log = tmp_path / f"{name}.log"
        house.workers.append(Part(name, service.command, service.environ(BASE), log))
        house.workers[-1].start()

    wait_until(lambda: house.rows(BEATS), "the worker's heartbeat", START_PATIENCE)
    wait_until(lambda: answers(house.ports[0]), "the web's start", START_PATIENCE)
    for name, service in services.items():
        # Not sooner, and as seldom as Docker asks: each check is a process that starts.
        wait_until(
            partial(service.is_healthy, BASE, tmp_path),
            f"{name} healthy",
            pause=1.0,
        )

    table = Table(house, 3)
    table.open(house.urls[0], rounds="1", placement="random")
    table.gather()
    table.play()
    record = account.fetch(table.host.browser, house.urls[0], table.game_id)
    assert account.settle(table.game_id, record).round == 1


def test_no_secret_has_a_default() -> None:
    complete = {**SECRETS, "PUBLIC_URL": "https://games.example.org"}
    for name in complete:
        rest = {key: value for key, value in complete.items() if key != name}
        with pytest.raises(compose.Missing, match=name):
            compose.read(rest)

    assert compose.read(complete)


def test_every_lasting_service_has_a_health_check() -> None:
    services = compose.read({**SECRETS, "PUBLIC_URL": "https://games.example.org"})

    unchecked = {name for name, each in services.items() if "healthcheck" not in each}

    assert unchecked == {"migrate"}
    assert set(services) == {
        *("postgres", "valkey", "migrate", "web", "worker", "beat", "mail")
    }
    assert [
        name for name, each in services.items() if "beat" in each.get("command", ())
    ]


def test_nothing_but_this_machine_reaches_the_ports() -> None:
    services = compose.read({**SECRETS, "PUBLIC_URL": "https://games.example.org"})

    opened = [port for each in services.values() for port in each.get("ports", ())]

    assert opened
    assert all(port.startswith("127.0.0.1:") for port in opened)


def test_the_image_is_not_root_and_installs_what_is_pinned() -> None:
    lines = (ROOT / "Dockerfile").read_text().splitlines()

    users = [line.split()[1] for line in lines if line.startswith("USER ")]
    installs = [line for line in lines if "pip install" in line]

    assert users == ["kingup"]
    assert lines.index("USER kingup") < lines.index('ENTRYPOINT ["kingup"]')
    assert "--require-hashes -r requirements.lock" in installs[0]
    assert all("--require-hashes" in i or "--no-deps" in i for i in installs)
