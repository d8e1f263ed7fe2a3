"""What readiness and log say of standbys before a failover shows it."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from structlog.testing import capture_logs

from service import app as application
from service import config
from service.monitoring import health, replication
from service.monitoring.replication import Replication
from service.store.standbys import Standbys
from tests.rig import apps, cluster
from tests.rig.cluster import Cluster
from tests.rig.service.programs import Api


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (Standbys(there=0, synchronous=0, untold=0, wanted=False), Replication.OK),
        (
            Standbys(there=2, synchronous=0, untold=0, wanted=False),
            Replication.ASYNCHRONOUS,
        ),
        (Standbys(there=0, synchronous=0, untold=0, wanted=True), Replication.MISSING),
        (Standbys(there=1, synchronous=0, untold=0, wanted=True), Replication.MISSING),
        (Standbys(there=2, synchronous=1, untold=0, wanted=True), Replication.OK),
        (Standbys(there=1, synchronous=0, untold=1, wanted=True), Replication.OK),
    ],
)
def test_standbys_are_fine_if_one_is_waited_for_or_none_is_there(
    found: Standbys, said: Replication
) -> None:
    assert replication.judged(found) is said


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory, made: Path) -> Iterator[Cluster]:
    folder = tmp_path_factory.mktemp("cluster")
    shutil.copytree(made, folder / "one")
    with cluster.running(folder) as found:
        yield found


@pytest.fixture
def api(both: Cluster, environ: dict[str, str]) -> Iterator[Api]:
    there = {"DATABASE_URL": both.url, "REDIS_URL": both.primary.redis_url}
    app = application.create_app(config.load(environ | there))
    yield Api(app)
    apps.put_away(app)


def test_an_asynchronous_standby_is_warned_of_and_serves_all_the_same(
    api: Api, both: Cluster, environ: dict[str, str]
) -> None:
    with capture_logs() as logged:
        first, second = api.get("/readyz"), api.get("/readyz")

    assert first.json["checks"]["replication"] == "asynchronous"
    assert second.json["checks"] == first.json["checks"]
    warned = [each for each in logged if "replication" in each]
    assert [each["event"] for each in warned] == ["a_failover_would_lose_answers"]
    assert health.is_ready({"database": "ok", "replication": "asynchronous"})

    both.wait_for_standby()

    assert api.get("/readyz").json["checks"]["replication"] == "ok"
    assert without_rights(both, environ) == "ok"


def test_a_standby_is_written_to_by_nobody_and_told_as_busy(
    both: Cluster, environ: dict[str, str]
) -> None:
    there = {"DATABASE_URL": both.standby.database_url}
    there["REDIS_URL"] = both.primary.redis_url
    app = application.create_app(config.load(environ | there))
    wish = {"address": "rachel@example.org"}

    answer = Api(app).call("POST", "/v1/sign-in", json=wish)

    assert (answer.status_code, answer.json["code"]) == (503, "busy")
    apps.put_away(app)


def without_rights(both: Cluster, environ: dict[str, str]) -> str:
    """What is said to a role that may see nothing of a standby but that it is there."""
    with psycopg.connect(both.primary.database_url, autocommit=True) as line:
        line.execute("CREATE ROLE plain LOGIN")
    url = both.primary.database_url.replace("kingup@", "plain@")
    app = application.create_app(config.load(environ | {"DATABASE_URL": url}))
    with app.app_context():
        said = replication.look()
    apps.put_away(app)
    return said
