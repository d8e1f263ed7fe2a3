"""A whole service in processes of its own for each journey."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.rig import house
from tests.rig.house import House


@pytest.fixture
def small_house(
    tmp_path: Path, environ: dict[str, str], database: str
) -> Iterator[House]:
    """One web process, one worker, one mail server."""
    built = House(tmp_path, environ, webs=1, workers=1)
    with house.running(built):
        yield built
