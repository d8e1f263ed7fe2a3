"""Extensions: three decisions of a game wait for a day longer, each once."""

from datetime import UTC, datetime, timedelta

import pytest

from engine.commands import EXTENSIONS
from engine.errors import (
    AlreadyExtended,
    DecisionClosed,
    GameNotRunning,
    NoExtensionLeft,
    SeatKept,
)
from service.game import table_acts
from service.people import accounts
from service.people.accounts import AccountChange
from service.store import clock, due
from service.values.conflicts import BeyondTheRecord, NoDeadline
from service.values.enums import DueKind
from service.values.free_time import QuietHours
from service.values.principals import System
from tests.rig.service import seated
from tests.rig.service.deadlines import close_to, deadline, has_deadline, sweep_after
from tests.rig.service.seated import Seated, run

DAY = timedelta(days=1)
PIECE = timedelta(seconds=seated.PACE)

pytestmark = pytest.mark.usefixtures("inside")


def extend(table: Seated, seat: int = 1, decision: int | None = None) -> None:
    number = table.decision if decision is None else decision
    table_acts.extend(table.id, table.principals[seat], number)


def play_one(table: Seated) -> None:
    (asked,) = table.game.asked()
    table.answer(asked, seated.own(table.game, asked).legal[0].answer)


def told(table: Seated) -> list[str]:
    rows = run(
        "SELECT convert_from(public, 'UTF8') FROM event WHERE game_id = :g"
        " AND type = 'extended' ORDER BY position",
        {"g": table.id},
    )
    return [str(text) for (text,) in rows]


def test_deadline_and_last_reminder_are_a_day_later_and_the_first_stays() -> None:
    table = seated.started(3)
    before, end = due.moments(table.id, table.decision), deadline(table)

    extend(table)

    after = due.moments(table.id, table.decision)
    assert deadline(table) == after[DueKind.DEADLINE] == end + DAY
    last = DueKind.LAST_REMINDER
    assert after[last] == before[last] + DAY
    assert after[DueKind.REMINDER] == before[DueKind.REMINDER]
    assert told(table) == [
        f'{{"decision":{table.decision},"seconds":86400,"type":"extended"}}'
    ]


def keeps_nights_free(table: Seated, seat: int) -> None:
    """Somebody's quiet hours begin an hour before the open question ends."""
    run("UPDATE person SET zone = 'UTC'")
    begin = deadline(table).astimezone(UTC) - timedelta(hours=1)
    end = begin + timedelta(hours=11)
    hours = QuietHours(f"{begin:%H:%M}", f"{end:%H:%M}")
    wish = AccountChange(quiet_hours=hours)
    accounts.change(seated.person_on(table.id, seat), wish, None)


def test_a_day_more_ends_in_nobodys_quiet_hours_and_the_record_tells_none() -> None:
    table = seated.started(3)
    (asked,) = table.game.asked()
    keeps_nights_free(table, asked)
    end = deadline(table)

    extend(table)

    later = deadline(table) - end
    assert DAY + timedelta(hours=10) < later <= DAY + timedelta(hours=11)
    assert '"seconds":86400,' in told(table)[0]


def test_whoever_isnt_asked_moves_no_day_that_others_have_more() -> None:
    table = seated.started(3)
    (asked,) = table.game.asked()
    keeps_nights_free(table, (asked + 1) % 3)
    end = deadline(table)

    extend(table)

    assert deadline(table) == end + DAY


def test_in_a_pause_it_is_a_day_whatever_suits_whom() -> None:
    table = seated.started(3)
    (asked,) = table.game.asked()
    keeps_nights_free(table, asked)
    before = due.moments(table.id, table.decision)[DueKind.DEADLINE]
    table_acts.pause(table.id, table.principals[2], 1)

    extend(table)

    after = due.moments(table.id, table.decision)[DueKind.DEADLINE]
    assert after == before + DAY


def test_a_reminder_that_was_sent_is_sent_no_more() -> None:
    table = seated.started(3)
    sweep_after(PIECE - timedelta(minutes=5))
    assert seated.kinds(table.id).count("reminder") == 2

    extend(table)
    sweep_after(DAY)

    assert seated.kinds(table.id).count("reminder") == 2


def test_the_clock_answers_a_day_later() -> None:
    table = seated.started(3)
    decision = table.decision
    extend(table)

    sweep_after(PIECE)
    assert table.decision == decision
    sweep_after(DAY)

    assert table.decision == decision + 1


def test_each_decision_waits_longer_once_and_three_of_a_game() -> None:
    table = seated.started(3)
    for _ in range(EXTENSIONS):
        extend(table)
        with pytest.raises(AlreadyExtended):
            extend(table, seat=2)
        play_one(table)

    with pytest.raises(NoExtensionLeft) as refused:
        extend(table)

    assert refused.value.facts == {"most": 3}


def test_a_decision_that_is_over_or_was_never_put_is_refused() -> None:
    table = seated.started(3)
    over = table.decision
    play_one(table)

    with pytest.raises(DecisionClosed):
        extend(table, decision=over)
    with pytest.raises(BeyondTheRecord):
        extend(table, decision=over + 5)


def test_spare_time_goes_on_from_the_later_deadline() -> None:
    table = seated.started(3, spare=1)
    end = deadline(table)
    extend(table)

    sweep_after(PIECE + DAY)

    assert deadline(table) == end + DAY + PIECE


def test_in_a_pause_the_day_is_added_to_what_is_left() -> None:
    table = seated.started(3)
    end = deadline(table)
    table_acts.pause(table.id, table.principals[2], 1)

    extend(table)
    assert not has_deadline(table)
    sweep_after(DAY)

    assert close_to(deadline(table), end + 2 * DAY)


@pytest.mark.parametrize(
    ("now", "end", "moved", "seconds"),
    [
        # Zurich changes its clocks on 28 March and 31 October 2027.
        (
            "2027-03-27T06:00+01:00",
            "2027-03-27T20:00+01:00",
            "2027-03-28T20:00+02:00",
            82800,
        ),
        (
            "2027-10-30T06:00+02:00",
            "2027-10-30T20:00+02:00",
            "2027-10-31T20:00+01:00",
            90000,
        ),
    ],
)
def test_where_decisions_end_at_eight_a_day_more_is_eight_on_the_next(
    now: str, end: str, moved: str, seconds: int
) -> None:
    clock.shift(datetime.fromisoformat(now) - clock.now())
    table = seated.started(
        3, decision_time=86_400, daily_at="20:00", zone="Europe/Zurich"
    )
    assert deadline(table) == datetime.fromisoformat(end)

    extend(table)

    assert deadline(table) == datetime.fromisoformat(moved)
    assert f'"seconds":{seconds},' in told(table)[0]


def test_no_more_than_who_plays_a_seat_may_extend() -> None:
    table = seated.started(3)
    table_acts.depart(table.id, table.principals[1], 1)

    with pytest.raises(SeatKept):
        extend(table, seat=1)


def test_where_nothing_ends_nothing_waits_longer() -> None:
    with pytest.raises(NoDeadline):
        extend(seated.started(3, decision_time=None))


def test_a_game_that_is_over_is_refused() -> None:
    table = seated.started(3)
    decision = table.decision
    seated.cancel(table.id, System())

    with pytest.raises(GameNotRunning):
        extend(table, decision=decision)
