"""A whole service in processes of its own for each journey."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask import Flask

from service import config
from service.processes import embedded
from tests.rig import house
from tests.rig.homes import Homes
from tests.rig.house import House


@pytest.fixture
def small_house(
    tmp_path: Path, environ: dict[str, str], database: str
) -> Iterator[House]:
    """One web process, one worker, one mail server."""
    built = House(tmp_path, environ, webs=1, workers=1)
    with house.running(built):
        yield built


@pytest.fixture(scope="module")
def build(
    tmp_path_factory: pytest.TempPathFactory,
    environ: dict[str, str],
    migrated: tuple[str, ...],
) -> Iterator[Callable[..., House]]:
    """Builds houses that stand for all journeys of a module: see `House`."""
    with ExitStack() as stack:

        def stand(**wanted: Any) -> House:
            folder = tmp_path_factory.mktemp("house")
            return stack.enter_context(house.running(House(folder, environ, **wanted)))

        yield stand


@pytest.fixture(scope="module")
def standing_web(build: Callable[..., House]) -> House:
    """One web process for all journeys of a module, and nobody who works beside it."""
    return build(webs=1, workers=0)


@pytest.fixture
def lone_web(standing_web: House, database: str) -> House:
    """A web process on clean databases, whatever the last journey did to it."""
    standing_web.mend()
    return standing_web


@pytest.fixture
def inside(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    """The test itself commits too, in a process of its own, set as those of a house."""
    quick = msgspec.structs.replace(config.of(app), bot_delay=house.BOT_DELAY)
    monkeypatch.setitem(app.config, "KINGUP", quick)
    with app.app_context():
        yield app


@pytest.fixture
def own_servers(homes: Homes, tmp_path: Path) -> Iterator[embedded.Servers]:
    """Servers of its own for a journey that ends them, with all tables."""
    servers = embedded.Servers(homes.copied_to(tmp_path / "servers"))
    servers.start()
    yield servers
    servers.stop()


@pytest.fixture
def kept() -> Iterator[ExitStack]:
    """Closes what a test has opened."""
    with ExitStack() as stack:
        yield stack
