"""Tables that play while something is done to what they play on."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.rig import apps
from tests.rig.crowd import Company
from tests.rig.house import House
from tests.rig.parts import wait_until

long = (pytest.mark.proof, pytest.mark.timeout(1800))


@contextmanager
def playing(built: House) -> Iterator[list[Company]]:
    """Three tables play meanwhile; then every acknowledged answer is looked for."""
    # Of six seats, so that no game is over before the last kill.
    companies = [Company(built, number, seats=6) for number in range(3)]
    for company in companies:
        company.start()
    try:
        yield companies
    finally:
        for company in companies:
            company.stop()
    # Whatever connections the pool kept may be those of a database that was killed.
    apps.close_connections()
    for company in companies:
        company.check()
        company.close()


def wait_for_answers(companies: list[Company]) -> None:
    """Until every table has been given some more receipts."""
    before = [len(company.receipts) for company in companies]
    wait_until(
        lambda: all(
            len(company.receipts) > so_far + 1
            for company, so_far in zip(companies, before, strict=True)
        ),
        "an answer at each table",
    )
