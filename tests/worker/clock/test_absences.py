"""While somebody is away a bot keeps their seats, and afterwards they are back."""

from collections.abc import Callable
from datetime import date, timedelta

import pytest
from flask import Flask

from engine.board import Seat
from engine.commands import PlacementOption
from service.config import USUAL_BOT_DELAY
from service.game import away_seats, table_acts
from service.people import absences, deletion
from service.people.absences import AbsenceWish
from service.store import absences as absencestore
from service.store import clock
from service.store.transactions import transaction
from service.tables import cancellation
from service.values.enums import AbsenceChoice
from service.values.principals import System
from tests.rig import statements
from tests.rig.service import replaced, seated
from tests.rig.service.seated import Seated, run
from tests.rig.worker import rows
from worker import schedule, tasks
from worker.clock import absences as worker
from worker.clock import retention, sweeper

pytestmark = pytest.mark.usefixtures("inside")

DAY = timedelta(days=1)


@pytest.fixture
def table() -> Seated:
    return seated.started(3, placement=PlacementOption.RANDOM)


def away(
    table: Seated, seat: int, *, begin: int = 0, choice: str = "bot"
) -> absencestore.AnnouncedAbsence:
    """Whoever sits there is away for two days from now on, or in some days."""
    first: date = clock.now().date() + begin * DAY
    wish = AbsenceWish(first, first + DAY, AbsenceChoice(choice))
    return absences.announce(seated.person_on(table.id, seat), wish)


def has_bot(table: Seated, seat: int) -> bool:
    return table.game.has_bot(Seat(seat))


def later(days: float) -> None:
    clock.shift(timedelta(days=days))
    worker.sweep()


def test_from_the_first_day_on_a_bot_keeps_the_seat_in_every_game() -> None:
    table, other = seated.started(3), seated.started(3)
    run(
        "UPDATE seat SET person_id = :p WHERE game_id = :g AND number = 2",
        {"p": seated.person_on(table.id, 1), "g": other.id},
    )
    away(table, 1, begin=1)

    worker.sweep()
    assert not has_bot(table, 1)
    later(1)

    assert has_bot(table, 1)
    assert has_bot(other, 2)
    assert rows.events(table.id, "bot_seated") == 1
    assert not any(has_bot(table, seat) for seat in (0, 2))


def test_who_wants_to_be_waited_for_keeps_playing(table: Seated) -> None:
    away(table, 1, choice="wait")

    worker.sweep()

    assert not has_bot(table, 1)


def test_they_are_back_when_the_days_are_over_and_their_cards_open(
    table: Seated,
) -> None:
    away(table, 1)
    worker.sweep()
    table.play_round()

    later(1)
    assert has_bot(table, 1)
    later(1)

    assert not has_bot(table, 1)
    assert rows.events(table.id, "person_seated") == 1


def test_while_the_cards_are_not_open_the_bot_plays_on(table: Seated) -> None:
    away(table, 1)
    worker.sweep()

    later(2)
    assert has_bot(table, 1)
    table.play_round()

    assert not has_bot(table, 1)
    assert rows.events(table.id, "person_seated") == 1


def test_who_leaves_before_their_cards_are_open_is_not_seated_at_the_deal(
    table: Seated,
) -> None:
    away(table, 1)
    worker.sweep()
    later(2)
    table_acts.depart(table.id, table.holder(1), 1)

    table.play_round()

    assert has_bot(table, 1)


def test_who_has_left_since_they_were_found_is_not_seated(table: Seated) -> None:
    away(table, 1)
    worker.sweep()
    table.play_round()
    clock.shift(2 * DAY)
    with transaction():
        found = absencestore.returning(None, 10)
    table_acts.depart(table.id, table.holder(1), 1)

    for each in found:
        away_seats.come_back(each)

    assert len(found) == 1
    assert has_bot(table, 1)


def test_who_comes_back_early_is_left_alone(table: Seated) -> None:
    away(table, 1)
    worker.sweep()
    table.play_round()

    table_acts.come_back(table.id, table.holder(1), 1)
    worker.sweep()
    later(2)

    assert not has_bot(table, 1)
    assert rows.events(table.id, "person_seated") == 1


def test_who_comes_back_early_and_leaves_again_stays_away(table: Seated) -> None:
    away(table, 1)
    worker.sweep()
    table.play_round()
    table_acts.come_back(table.id, table.holder(1), 1)
    table_acts.depart(table.id, table.holder(1), 1)
    table.play_round()

    later(2)

    assert has_bot(table, 1)


def test_who_had_left_before_does_not_return_by_it(table: Seated) -> None:
    table_acts.depart(table.id, table.holder(1), 1)
    away(table, 1)
    worker.sweep()
    table.play_round()

    table_acts.come_back(table.id, table.holder(1), 1)
    worker.sweep()

    assert not has_bot(table, 1)


def test_who_had_left_before_stays_away_when_the_days_are_over(table: Seated) -> None:
    table_acts.depart(table.id, table.holder(1), 1)
    away(table, 1)
    worker.sweep()
    table.play_round()

    later(2)

    assert has_bot(table, 1)


@pytest.mark.parametrize("goes", ["leaves", "is erased"])
def test_who_goes_for_good_meanwhile_does_not_return(table: Seated, goes: str) -> None:
    away(table, 1)
    worker.sweep()
    if goes == "leaves":
        table_acts.depart(table.id, table.holder(1), 1)
    else:
        deletion.erase(seated.person_on(table.id, 1))

    table.play_round()
    later(3)

    assert has_bot(table, 1)
    assert rows.events(table.id, "person_seated") == 0


def test_a_new_person_who_is_away_at_their_deal_comes_in_afterwards() -> None:
    table = replaced.kept(4)
    link = replaced.asked(table)
    today = clock.now().date()
    wish = AbsenceWish(today, today + DAY, AbsenceChoice.BOT)
    absences.announce(link.person_id, wish)
    replaced.answer(link)
    worker.sweep()

    table.play_round()
    assert has_bot(table, replaced.KEPT)
    later(3)

    assert not has_bot(table, replaced.KEPT)


def test_bots_do_not_rush_through_a_game_whose_people_will_be_back() -> None:
    table = seated.started(3, bots=1, placement=PlacementOption.RANDOM)
    for seat in (0, 1):
        away(table, seat)
    worker.sweep()

    sweeper.sweep()
    first = table.decision
    clock.shift(timedelta(seconds=USUAL_BOT_DELAY))
    sweeper.sweep()

    assert table.game.running
    assert table.decision <= first + 1


def test_days_that_follow_days_are_one_absence(table: Seated) -> None:
    away(table, 1)
    away(table, 1, begin=2)
    worker.sweep()
    table.play_round()

    later(2)
    assert has_bot(table, 1)
    later(2)

    assert not has_bot(table, 1)
    assert rows.events(table.id, "person_seated") == 1


def test_an_absence_that_is_called_off_brings_them_back(table: Seated) -> None:
    found = away(table, 1)
    worker.sweep()
    table.play_round()

    absences.call_off(seated.person_on(table.id, 1), found.id)
    worker.sweep()

    assert not has_bot(table, 1)


def test_a_game_that_is_over_keeps_nobody_waiting(table: Seated) -> None:
    away(table, 1)
    worker.sweep()
    table.finish()

    later(2)

    assert absencestore.returning(None, 10) == ()


def test_who_is_away_is_found_whatever_games_they_had(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    over = seated.started(3)
    seated.cancel(over.id, System())
    many_over(over)
    table = seated.started(3)
    run(
        "UPDATE seat SET person_id = :p WHERE game_id = :g AND number = 1",
        {"p": seated.person_on(over.id, 1), "g": table.id},
    )
    away(table, 1)
    # Of an empty table the planner would guess how many are away.
    run("ANALYZE")

    with statements.explained(monkeypatch, scanning=False) as found:
        worker.sweep()

    assert has_bot(table, 1)
    asked = [each for each in found if "FROM absence a JOIN seat" in each.statement]
    assert asked
    assert max(each.most.rows for each in asked) < 10


def many_over(table: Seated) -> None:
    """So many more games like one that is over, with the same people."""
    run(
        """INSERT INTO game SELECT (jsonb_populate_record(g,
            jsonb_build_object('id', gen_random_uuid()))).*
        FROM game g, generate_series(1, 300) WHERE g.id = :g""",
        {"g": table.id},
    )
    run(
        """INSERT INTO seat SELECT (jsonb_populate_record(s,
            jsonb_build_object('game_id', g.id))).*
        FROM seat s, game g WHERE s.game_id = :g AND g.id <> :g
            AND g.status = 'over'""",
        {"g": table.id},
    )


def test_a_table_that_is_called_off_keeps_nobody_in_its_seats() -> None:
    draft = seated.draft(3)
    seated.confirm(draft)

    cancellation.give_up(draft)

    assert run("SELECT DISTINCT ended FROM seat WHERE game_id = :g", {"g": draft}) == [
        (True,)
    ]


def test_absences_that_are_over_are_erased(table: Seated) -> None:
    away(table, 1, choice="wait")

    for days in (2.5, 1):
        assert len(run("SELECT id FROM absence")) == 1
        later(days)
        retention.tidy()

    assert run("SELECT id FROM absence") == []


def test_who_is_away_from_today_on_has_a_bot_within_a_minute(
    table: Seated, each_minute: Callable[[], None]
) -> None:
    away(table, 1)

    each_minute()

    assert has_bot(table, 1)


def test_who_is_named_for_a_seat_is_asked_within_a_minute_of_their_day(
    each_minute: Callable[[], None],
) -> None:
    kept = replaced.kept()
    replaced.name(kept, replaced.fresh())
    clock.shift(DAY)

    each_minute()

    assert replaced.state(kept) == "asked"


@pytest.fixture
def each_minute(
    environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> Callable[[], None]:
    """What the worker does at least every minute."""
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    often = {e["task"] for e in schedule.BEAT.values() if e["schedule"] in (1.0, 60.0)}
    known = (tasks.sweep, tasks.seats, tasks.tidy)

    def run_all() -> None:
        for task in known:
            if task.name in often:
                task.run()

    return run_all


def test_a_game_that_fails_stops_no_other(inside: Flask) -> None:
    first, second = sorted((seated.started(3), seated.started(3)), key=lambda t: t.id)
    for table in (first, second):
        away(table, 1)
    run("UPDATE game SET snapshot_format = 9999 WHERE id = :g", {"g": first.id})

    worker.sweep()

    assert has_bot(second, 1)
