"""Whole games through mails alone: each decision by its link, as people play them."""

import sys
import time

import pytest

from tests.rig import account
from tests.rig.house import House
from tests.rig.people import Table


@pytest.mark.parametrize(
    ("edition", "seats"),
    [*(("classic", seats) for seats in (3, 4, 5, 6)), ("jester", 2), ("jester", 8)],
)
def test_three_rounds_are_played_through_mails_alone(
    small_house: House, edition: str, seats: int
) -> None:
    started = time.monotonic()
    table = Table(small_house, seats, seed=seats)
    table.open(small_house.urls[0], edition=edition)
    table.gather()

    table.play()

    record = account.fetch(table.host.browser, small_house.urls[0], table.game_id)
    referee = account.settle(table.game_id, record)
    assert (referee.book.name, referee.n, referee.round) == (edition, seats, 3)
    assert referee.answers == sum(person.acts for person in table.people.values())
    letters = small_house.letters()
    assert len({letter.message_id for letter in letters}) == len(letters)
    took = time.monotonic() - started
    sys.stdout.write(
        f"{edition}, {seats} people: {referee.answers} answers,"
        f" {len(letters)} mails, {took:.0f} s\n"
    )
