"""kill -9 of web, worker and Valkey: nothing lost, nothing twice, nobody stuck."""

import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask

from service import app as application
from service import config
from service.processes import embedded
from tests.rig import apps, house
from tests.rig.ballots import Club
from tests.rig.crowd import Company
from tests.rig.house import House
from tests.rig.parts import wait_until
from tests.rig.playing import long, playing, wait_for_answers

BEATS = "SELECT name FROM sign_of_life WHERE name = 'worker'"


@pytest.fixture(scope="module")
def standing_house(build: Callable[..., House]) -> House:
    """One web process and one worker, for whatever is killed of them."""
    return build(webs=1, workers=1)


@pytest.fixture
def solid_house(standing_house: House, app: Flask) -> Iterator[House]:
    """The house on clean databases, whatever the last journey has killed of it."""
    standing_house.mend()
    with app.app_context():
        yield standing_house


@pytest.mark.parametrize("kills", [1, pytest.param(20, marks=long)])
def test_a_worker_killed_with_the_last_ballot_in_resolves_when_it_is_back(
    solid_house: House, kills: int
) -> None:
    [worker] = solid_house.workers
    mind, waits = random.Random(9), []
    with closing(Club(solid_house)) as club:
        for kill in range(kills):
            election = club.nominate()
            receipts = [club.lay(election, seat) for seat in range(5)]
            if kill % 2:
                receipts.append(club.lay(election, 5))
                # While it works at it, or has just been woken for it.
                time.sleep(mind.random() * 0.05)
                worker.kill()
            else:
                worker.kill()
                receipts.append(club.lay(election, 5))
                time.sleep(0.5)
                assert not club.resolved(election.number)

            solid_house.rows("DELETE FROM sign_of_life")
            worker.start()
            # How long an interpreter takes to start is the machine's matter.
            wait_until(lambda: solid_house.rows(BEATS), "the worker's start")

            waits.append(club.wait(election, 10))
            assert [status for status, _ in receipts] == [200] * 6
            club.check(election, [body for _, body in receipts])
    sys.stdout.write(
        f"\n{kills} workers killed with the last ballot in: resolved"
        f" {max(waits):.1f} s after the worker was back at the latest\n"
    )


@pytest.mark.parametrize("kills", [1, pytest.param(20, marks=long)])
def test_a_web_process_killed_during_answers_loses_and_doubles_none(
    solid_house: House, kills: int
) -> None:
    [web] = solid_house.webs
    mind = random.Random(4)

    with playing(solid_house) as companies:
        for _ in range(kills):
            wait_for_answers(companies)
            time.sleep(mind.random() * 0.1)
            web.kill()
            web.start()
        solid_house.wait_for_webs()

    tell("web processes killed", kills, companies)


@pytest.mark.parametrize("kills", [1, pytest.param(20, marks=long)])
def test_a_database_killed_during_answers_loses_and_doubles_none(
    own_servers: embedded.Servers, tmp_path: Path, kills: int
) -> None:
    environ = house.environ_of(own_servers)
    mind = random.Random(5)
    app = application.create_app(config.load(environ))
    built = House(tmp_path / "house", environ, webs=1, workers=1)

    with house.running(built), app.app_context(), playing(built) as companies:
        for _ in range(kills):
            wait_for_answers(companies)
            time.sleep(mind.random() * 0.1)
            own_servers.postgres.kill()
            own_servers.postgres.start()
        wait_for_answers(companies)

    apps.put_away(app)
    tell("times Postgres killed", kills, companies)


def tell(what: str, kills: int, companies: list[Company]) -> None:
    answers = sum(len(company.receipts) for company in companies)
    repeats = sum(program.repeats for c in companies for program in c.programs)
    # A few kills may hit nothing; that so many do would show that none is felt.
    assert repeats > 0 or kills < 10
    sys.stdout.write(
        f"\n{kills} {what}: {answers} answers acknowledged, each in the log once;"
        f" {repeats} requests repeated\n"
    )
