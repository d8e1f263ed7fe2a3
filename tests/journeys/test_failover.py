"""The database stopped, alone, or replaced by its standby, while tables play."""

import http.client
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import msgspec
import pytest

from service import app as application
from service import config
from service.processes import command_lines, embedded
from service.store import connections
from tests.rig import apps, cluster, house
from tests.rig.cluster import Cluster
from tests.rig.crowd import Company
from tests.rig.house import House
from tests.rig.parts import wait_until
from tests.rig.playing import long, playing, wait_for_answers
from tests.rig.stopping import stopped

# What a process does then is held faster by
# tests/service/store/test_stopped_database.py.
pytestmark = [*long]

PATIENCE = connections.ANSWER_SECONDS + 2 * connections.CONNECT_SECONDS
OFTEN = 0.1


class Health:
    """What a web process says of its health, again and again."""

    def __init__(self, built: House) -> None:
        self._port = built.ports[0]
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self.alive: Counter[int] = Counter()
        self.ready: Counter[int] = Counter()

    def _look(self) -> None:
        while not self._over.wait(OFTEN):
            self.alive[self._status("/healthz")] += 1
            self.ready[self._status("/readyz")] += 1

    def _status(self, path: str) -> int:
        """The status, or 0 for no answer within three seconds."""
        line = http.client.HTTPConnection("127.0.0.1", self._port, timeout=3)
        try:
            line.request("GET", path)
            return line.getresponse().status
        except (OSError, http.client.HTTPException):
            return 0
        finally:
            line.close()

    @contextmanager
    def watched(self) -> Iterator[None]:
        self._thread.start()
        try:
            yield
        finally:
            self._over.set()
            self._thread.join()


@contextmanager
def inhabited(folder: Path, url: str, redis_url: str) -> Iterator[House]:
    """A web process and a worker on these servers, and the test's own app."""
    servers = _Addresses(database_url=url, redis_url=redis_url)
    environ = house.environ_of(servers)
    subprocess.run(command_lines.migrate(), env=environ, check=True)
    app = application.create_app(config.load(environ))
    built = House(folder, environ, webs=1, workers=1)
    with house.running(built), app.app_context():
        yield built
        apps.put_away(app)


class _Addresses(msgspec.Struct, kw_only=True):
    """Where servers are."""

    database_url: str
    redis_url: str


@contextmanager
def staying(folder: Path) -> Iterator[embedded.Servers]:
    servers = embedded.Servers(folder)
    servers.start()
    try:
        yield servers
    finally:
        servers.stop()


@contextmanager
def settled(cluster: Cluster, folder: Path) -> Iterator[House]:
    """A house on both servers, whose commits wait for the second."""
    redis_url = cluster.primary.redis_url
    with inhabited(folder, cluster.url, redis_url) as built:
        cluster.wait_for_standby()
        yield built


def tell(what: str, companies: list[Company], waits: list[float], seen: Health) -> None:
    answers = sum(len(company.receipts) for company in companies)
    longest = max(program.longest for c in companies for program in c.programs)
    sys.stdout.write(
        f"\n{what}: {answers} answers acknowledged, none lost or doubled;"
        f" {repeats(companies)} repeated; longest request {longest:.1f} s;"
        f" next answers after {max(waits):.1f} s at the latest;"
        f" alive {dict(seen.alive)}, ready {dict(seen.ready)}\n"
    )


@pytest.mark.parametrize(("seconds", "times"), [(PATIENCE, 1), (60, 5)])
def test_a_database_stopped_for_long_is_told_and_then_served_from_again(
    tmp_path: Path, seconds: float, times: int
) -> None:
    waits = []
    with (
        staying(tmp_path / "servers") as servers,
        inhabited(tmp_path / "house", servers.database_url, servers.redis_url) as built,
        playing(built) as companies,
    ):
        seen = Health(built)
        with seen.watched():
            for _ in range(times):
                wait_for_answers(companies)
                with stopped(tmp_path / "servers" / "pg"):
                    time.sleep(seconds)
                since = time.monotonic()
                wait_for_answers(companies)
                waits.append(time.monotonic() - since)

    assert set(seen.alive) == {200}
    assert seen.ready[503] > 0
    tell(f"Postgres stopped {times} times for {seconds:g} s", companies, waits, seen)


@pytest.mark.parametrize("times", [1, 5])
def test_a_lost_standby_loses_no_answer_and_stops_no_process(
    tmp_path: Path, times: int
) -> None:
    waits = []
    with (
        cluster.running(tmp_path / "servers") as both,
        settled(both, tmp_path / "house") as built,
        playing(built) as companies,
    ):
        seen = Health(built)
        with seen.watched():
            for _ in range(times):
                wait_for_answers(companies)
                both.standby.postgres.stop()
                before = repeats(companies)
                wait_until(lambda: repeats(companies) > before, "a refusal")  # noqa: B023
                both.standby.postgres.start()
                since = time.monotonic()
                wait_for_answers(companies)
                waits.append(time.monotonic() - since)

    assert set(seen.alive) == {200}
    tell(f"Standby stopped {times} times", companies, waits, seen)


def repeats(companies: list[Company]) -> int:
    """How many answers were refused so far, or never came."""
    return sum(program.repeats for c in companies for program in c.programs)


@pytest.mark.parametrize("times", [1, 5])
def test_a_synchronous_standby_that_is_promoted_has_every_answer(
    tmp_path: Path, times: int
) -> None:
    for turn in range(times):
        with (
            cluster.running(tmp_path / f"servers{turn}") as both,
            settled(both, tmp_path / f"house{turn}") as built,
            playing(built) as companies,
        ):
            seen, waited = fail_over(both, built, companies, both.primary.postgres.kill)

        assert set(seen.alive) == {200}
        tell("Primary killed, standby promoted", companies, [waited], seen)


def test_a_standby_is_promoted_while_the_primary_hangs(tmp_path: Path) -> None:
    with (
        cluster.running(tmp_path / "servers") as both,
        settled(both, tmp_path / "house") as built,
        stopped_in_the_end(both) as stop,
        playing(built) as companies,
    ):
        seen, waited = fail_over(both, built, companies, stop)

    assert set(seen.alive) == {200}
    tell("Primary stopped, standby promoted", companies, [waited], seen)


def fail_over(
    both: Cluster, built: House, companies: list[Company], end: Callable[[], object]
) -> tuple[Health, float]:
    """Let the standby take over from a primary that `end` stops, while all play.

    What health said meanwhile, and the seconds until the next answers.
    """
    seen = Health(built)
    with seen.watched():
        wait_for_answers(companies)
        end()
        both.promote()
        since = time.monotonic()
        wait_for_answers(companies)
        return seen, time.monotonic() - since


@contextmanager
def stopped_in_the_end(both: Cluster) -> Iterator[Callable[[], None]]:
    """Lets a test stop the primary for good: until nobody looks at it any more."""
    with ExitStack() as stack:
        yield lambda: stack.enter_context(stopped(both.data))
