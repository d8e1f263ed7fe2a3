"""Mails of many programs and habits: each is read as its writer meant it, or asked."""

from collections.abc import Iterator

import pytest

from tests.rig.worker import generated_mails, reading

NUMBERS = range(48)
"""Ten times as many are read in tests/proof."""


@pytest.fixture(autouse=True)
def inside() -> Iterator[None]:
    """No database: what is read here are mails alone."""
    with reading.speaking():
        yield


def test_generated_mails_are_read_as_their_writers_meant_them() -> None:
    made = {each: each.read() for each in map(generated_mails.generate, NUMBERS)}

    wrong = {
        each.made_of: read for each, read in made.items() if not each.is_right(read)
    }

    assert wrong == {}
    assert sum(read == each.meant for each, read in made.items()) > len(NUMBERS) / 3
