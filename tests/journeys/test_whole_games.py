"""Whole games through mails alone: each decision by its link, as people play them."""

import sys
import time

import pytest

from tests.rig import account
from tests.rig.house import House
from tests.rig.people import Table

long = (pytest.mark.proof, pytest.mark.timeout(1800))
FEW = [("classic", 3, 2), ("jester", 2, 1)]
"""A whole game of each edition at its smallest table; the other journeys play more."""
MORE = [
    *(("classic", seats, 3) for seats in (3, 4, 5, 6)),
    ("jester", 2, 3),
    ("jester", 8, 1),
    ("jester", 8, 3),
]


@pytest.mark.parametrize(
    ("edition", "seats", "rounds"),
    [*FEW, *(pytest.param(*each, marks=long) for each in MORE)],
)
def test_games_are_played_to_their_end_through_mails_alone(
    small_house: House, edition: str, seats: int, rounds: int
) -> None:
    started = time.monotonic()
    table = Table(small_house, seats, seed=seats)
    table.open(small_house.urls[0], edition=edition, rounds=str(rounds))
    table.gather()

    table.play()

    record = account.fetch(table.host.browser, small_house.urls[0], table.game_id)
    referee = account.settle(table.game_id, record)
    assert (referee.book.name, referee.n, referee.round) == (edition, seats, rounds)
    assert referee.answers == sum(person.acts for person in table.people.values())
    letters = small_house.letters()
    assert len({letter.message_id for letter in letters}) == len(letters)
    took = time.monotonic() - started
    sys.stdout.write(
        f"{edition}, {seats} people, {rounds} rounds: {referee.answers} answers,"
        f" {len(letters)} mails, {took:.0f} s\n"
    )
