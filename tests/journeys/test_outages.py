"""A web process that is gone for hours is an outage; what it took is given back."""

from datetime import datetime, timedelta

import pytest
from flask import Flask

from tests.rig.house import House
from tests.rig.parts import wait_until
from tests.rig.service import seated

pytestmark = pytest.mark.usefixtures("inside")

HOUR = timedelta(hours=1)


def deadline(house: House) -> datetime:
    [(moment,)] = house.rows("SELECT deadline FROM game")
    assert isinstance(moment, datetime)
    return moment


def test_a_web_process_that_is_back_has_its_outage_given_back_by_the_worker(
    small_house: House, inside: Flask
) -> None:
    house, [web] = small_house, small_house.webs
    alive = "SELECT 1 FROM sign_of_life WHERE name = 'web'"
    wait_until(lambda: house.rows(alive), "a sign of life")
    table = seated.started(3)
    decision, before = table.decision, deadline(house)
    web.kill()
    house.rows("UPDATE sign_of_life SET at = at - interval '30 h' WHERE name = 'web'")
    house.shift(30 * HOUR)
    # The worker is there, and the deadline has passed: it waits for a web process.
    beaten = "SELECT 1 FROM due WHERE kind = 'deadline' AND attempts > 0"
    wait_until(lambda: house.rows(beaten), "a sweep in vain")
    assert table.decision == decision

    web.start()
    house.wait_for_webs()
    credited = "SELECT 1 FROM outage WHERE credited_at IS NOT NULL"
    wait_until(lambda: house.rows(credited), "the end of the outage", 60)

    assert table.decision == decision
    assert abs(deadline(house) - before - 30 * HOUR) < timedelta(minutes=5)
    assert "outage_is_over" in web.printed()
