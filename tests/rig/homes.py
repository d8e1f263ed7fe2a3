"""Homes of private servers at rest, made once in a test run and copied from then on.

Making the database's folder and its tables takes seconds, copying both next to none.
"""

import fcntl
import shutil
from collections.abc import Callable
from pathlib import Path

from click.testing import CliRunner

from service.commands import admin
from service.processes import embedded


class Homes:
    """What all processes of a test run share, in a folder of theirs."""

    def __init__(self, folder: Path, environ: dict[str, str]) -> None:
        """`environ` is what a command has to be given beside its database."""
        folder.mkdir(exist_ok=True)
        self._folder = folder
        self._environ = environ

    def bare(self) -> Path:
        """A home whose database has no table yet."""
        return self._once("bare", self._make_bare)

    def migrated(self) -> Path:
        """The same with the tables that `kingup migrate` makes."""
        bare = self.bare()
        return self._once("migrated", lambda home: self._migrate(bare, home))

    def copied_to(self, home: Path) -> Path:
        """A home with its tables, for whoever starts it."""
        return shutil.copytree(self.migrated(), home, dirs_exist_ok=True)

    def _once(self, name: str, make: Callable[[Path], None]) -> Path:
        """The home of that name, made by whoever comes first; the others wait."""
        home = self._folder / name
        with (self._folder / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not home.exists():
                new = home.with_suffix(".new")
                make(new)
                new.rename(home)
        return home

    def _make_bare(self, home: Path) -> None:
        servers = embedded.Servers(home)
        servers.start()
        servers.stop()

    def _migrate(self, bare: Path, home: Path) -> None:
        shutil.copytree(bare, home)
        servers = embedded.Servers(home)
        servers.start(valkey=False)
        there = self._environ | {"DATABASE_URL": servers.database_url}
        ended = CliRunner().invoke(admin.migrate, env=there)
        servers.stop()
        assert ended.exit_code == 0, ended.output
