"""Elections with real processes: ballots that meet, workers that die."""

import sys
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest
from flask import Flask

from tests.rig.ballots import Club, quantile
from tests.rig.house import House

FEW, MANY = 5, 500


@pytest.fixture(scope="module")
def standing_house(build: Callable[..., House]) -> House:
    """Two web processes and a worker."""
    return build(webs=2, workers=1)


@pytest.fixture
def big_house(standing_house: House, app: Flask) -> Iterator[House]:
    """The house on clean databases, beside the app itself."""
    with app.app_context():
        yield standing_house


@pytest.mark.parametrize(("edition", "seats"), [("classic", 6), ("jester", 8)])
@pytest.mark.parametrize(
    "elections",
    [FEW, pytest.param(MANY, marks=(pytest.mark.proof, pytest.mark.timeout(1800)))],
)
def test_ballots_that_arrive_together_are_counted_once_and_resolved_once(
    big_house: House, elections: int, edition: str, seats: int
) -> None:
    # A machine that is busy with other tests proves no more than that none is stuck.
    most = 1 if elections == MANY else 10

    with closing(Club(big_house, seats, edition=edition)) as club:
        votings = [club.vote() for _ in range(elections)]

    waits = [voting.seconds for voting in votings]
    spread = quantile([voting.spread for voting in votings], 0.5)
    p50, p99 = quantile(waits, 0.5), quantile(waits, 0.99)
    sys.stdout.write(
        f"\n{edition}: {elections} elections of {seats} ballots"
        f" within {1000 * spread:.0f} ms (p50):"
        f" last ballot to resolved p50 {1000 * p50:.0f} ms, p99 {1000 * p99:.0f} ms\n"
    )
    assert p50 < 1
    assert p99 < most
