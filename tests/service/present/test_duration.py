"""About how long games take: as bots played them, and as people answer mails."""

import random
from statistics import mean

import msgspec
import pytest

from engine import rehearsal, views
from engine.bots import BOTS
from engine.commands import Chair, PlacementOption
from engine.editions import EDITIONS
from engine.state import Kind
from service.present import duration
from tests.rig.engine.tables import options

DAY = 24 * 3600


def waits(edition: str, seats: int, number: int) -> int:
    """How many decisions one game of steady bots puts one after another."""
    chance = random.Random(f"{edition} {seats} {number}")
    table = rehearsal.begun("usual", edition, (Chair("bot"),) * seats, chance)
    while (asked := table.game.decision) is not None:
        seat = table.game.asked()[0]
        answer = BOTS["steady"](views.view(table.game, seat), chance)
        table = rehearsal.answered(table, seat, answer)
    assert asked is None
    return table.game.last_decision


@pytest.mark.parametrize(
    ("edition", "seats"), [("classic", 3), ("classic", 6), ("jester", 2), ("jester", 8)]
)
def test_a_usual_round_is_as_bots_play_it(edition: str, seats: int) -> None:
    law = EDITIONS[edition]
    usual = law.usual_waits(seats, law.choices.placement[0])

    found = mean(waits(edition, seats, number) for number in range(6))

    assert 3 * usual.total == pytest.approx(found, rel=0.25)


def test_every_edition_and_size_has_a_usual_round() -> None:
    for law in EDITIONS.values():
        assert set(law.usual_rounds) == set(law.seats)


def of(people: int = 4, **terms: object) -> tuple[int, int]:
    chosen = msgspec.structs.replace(options(), **{"decision_time": DAY, **terms})
    found = duration.of_terms("classic", chosen, 4, people)
    return found.least, found.most


def test_a_whole_game_takes_weeks_and_a_short_one_days() -> None:
    lot = PlacementOption.RANDOM

    assert of() == (13, 43)
    assert of(rounds=1, placement=lot) == (3, 10)
    assert of(decision_time=3600) == (4, 5)


def test_who_has_longer_takes_longer() -> None:
    most = [of(decision_time=each)[1] for each in (3600, DAY, 7 * DAY, 14 * DAY, None)]

    assert most[:4] == sorted(most[:4])
    assert most[4] > most[1]


def test_bots_take_no_time_but_one_person_is_enough_for_an_election() -> None:
    assert of(people=0) == (1, 1)
    assert of(people=2)[1] < of(people=3)[1] < of(people=4)[1]


def test_the_kinds_of_decisions_are_all_counted() -> None:
    usual = EDITIONS["classic"].usual_waits(4, PlacementOption.CHOOSE)

    assert len(Kind) == 3
    assert usual.total == usual.placements + usual.moves + usual.elections
    assert EDITIONS["classic"].usual_waits(4, PlacementOption.RANDOM).placements == 0
