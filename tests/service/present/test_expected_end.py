"""About when a game is over: never before what everybody knows to come first."""

from datetime import date, datetime, timedelta

import pytest

from engine.board import Card
from engine.commands import Ballot, PlacementOption
from service.game import table_acts
from service.people import absences
from service.people.absences import AbsenceWish
from service.present import duration
from service.store import clock, games
from service.store.games import GameReadModel
from service.store.transactions import transaction
from service.values.enums import AbsenceChoice
from service.values.principals import Principal, System
from tests.rig.service import seated
from tests.rig.service.seated import Seated, run

pytestmark = pytest.mark.usefixtures("inside")

DAY = timedelta(days=1)


def read(table: Seated, reader: Principal | None = None) -> GameReadModel:
    with transaction():
        found = games.read(table.id, reader or System())
    assert found is not None
    return found


def end(table: Seated) -> date:
    """The day, which is the same for whoever asks."""
    found = duration.expected_end(read(table))
    assert found is not None
    for seat in range(len(table.game.seats)):
        assert duration.expected_end(read(table, table.holder(seat))) == found
    return found


def deadline(table: Seated) -> datetime:
    found = read(table).deadline
    assert found is not None
    return found


def is_away(table: Seated, seat: int, days: int) -> None:
    with transaction():
        today = clock.now().date()
    wish = AbsenceWish(today, today + (days - 1) * DAY, AbsenceChoice.WAIT)
    absences.announce(seated.person_on(table.id, seat), wish)


def first_answer(table: Seated) -> None:
    seat = int(table.game.asked()[0])
    table.answer(seat, seated.own(table.game, seat).legal[0].answer)


def test_a_pause_puts_the_end_off_until_after_it() -> None:
    table = seated.started(3)
    before = end(table)

    table_acts.pause(table.id, table.principals[0], 7)

    assert timedelta(6) <= end(table) - before <= timedelta(8)


def test_the_last_pause_counts_where_several_run() -> None:
    table = seated.started(3)
    table_acts.pause(table.id, table.principals[0], 2)
    before = end(table)

    table_acts.pause(table.id, table.principals[1], 7)

    assert end(table) - before == timedelta(5)


def test_a_question_that_waits_for_an_absence_is_counted_from_its_end() -> None:
    table, usual = seated.started(3, first=0), seated.started(3, first=0)
    is_away(table, 1, 10)

    for each in (table, usual):
        first_answer(each)

    assert deadline(table) - deadline(usual) > timedelta(8)
    assert end(table) - end(usual) > timedelta(9)


def test_in_the_last_vote_the_end_is_not_before_the_one_who_is_awaited() -> None:
    table = seated.started(3, rounds=1, placement=PlacementOption.RANDOM)
    is_away(table, 1, 10)

    table.nominate()

    assert end(table) >= deadline(table).date()


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_card_that_is_laid_moves_no_end_of_a_vote_that_waits(seat: int) -> None:
    table = seated.started(3, rounds=1, placement=PlacementOption.RANDOM)
    is_away(table, 1, 10)
    table.nominate()
    before = end(table)

    table.answer(seat, Ballot(Card.YES))

    assert end(table) == before


def test_a_deadline_of_the_usual_kind_puts_nothing_off() -> None:
    table = seated.started(3)
    before = end(table)

    # Spare time, or a day more.
    longer = "UPDATE game SET deadline = deadline + interval '1 day' WHERE id = :g"
    run(longer, {"g": table.id})

    assert end(table) == before
