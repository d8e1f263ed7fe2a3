"""kill -9 of web, worker and Valkey: nothing lost, nothing twice, nobody stuck."""

import random
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask

from service.models import db
from tests.rig import house
from tests.rig.ballots import Club
from tests.rig.crowd import Company
from tests.rig.house import House

long = (pytest.mark.proof, pytest.mark.timeout(1800))


@pytest.fixture
def solid_house(tmp_path: Path, environ: dict[str, str], app: Flask) -> Iterator[House]:
    """One web process and one worker, to be killed."""
    built = House(tmp_path, environ, webs=1, workers=1)
    with house.running(built), app.app_context():
        yield built


@pytest.mark.parametrize("kills", [2, pytest.param(20, marks=long)])
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

            worker.start()

            waits.append(club.wait(election, 10))
            assert [status for status, _ in receipts] == [200] * 6
            club.check(election, [body for _, body in receipts])
    sys.stdout.write(
        f"\n{kills} workers killed with the last ballot in: resolved"
        f" {max(waits):.1f} s after the restart at the latest\n"
    )


@pytest.mark.parametrize("kills", [3, pytest.param(20, marks=long)])
def test_a_web_process_killed_during_answers_loses_and_doubles_none(
    solid_house: House, kills: int
) -> None:
    [web] = solid_house.webs
    mind = random.Random(4)
    companies = [Company(solid_house, number) for number in range(3)]
    db.session.remove()
    for company in companies:
        company.start()

    for _ in range(kills):
        solid_house.wait_for_webs()
        time.sleep(0.2 + mind.random() * 0.5)
        web.kill()
        web.start()
    solid_house.wait_for_webs()
    for company in companies:
        company.stop()

    for company in companies:
        company.check()
        company.close()
    answers = sum(len(company.receipts) for company in companies)
    lost = sum(program.lost for c in companies for program in c.programs)
    assert answers > 10 * kills
    assert lost >= kills
    sys.stdout.write(
        f"\n{kills} web processes killed: {answers} answers acknowledged, each in the"
        f" log once; {lost} requests cut off and repeated\n"
    )
