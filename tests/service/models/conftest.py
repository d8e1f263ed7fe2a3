"""What tests of tables copy: a database that has every one, made once."""

from collections.abc import Iterator

import pytest

from tests.rig.service.databases import every_table


@pytest.fixture(scope="session")
def model(environ: dict[str, str]) -> Iterator[str]:
    """Its name."""
    with every_table(environ) as name:
        yield name
