"""A question that comes late by mail is answered later; nobody learns whose it was."""

from datetime import datetime, timedelta

import pytest

from engine.board import Card
from engine.commands import Ballot, PlacementOption
from service.game import time_up
from service.store import clock
from tests.rig.service import absent, paused, seated
from tests.rig.service.deadlines import deadline
from tests.rig.service.seated import Seated, run
from tests.rig.worker.mail_server import Sink, deliver_due, send
from worker.clock import sweeper

PACE = timedelta(seconds=seated.PACE)
HOUR, MOMENT = timedelta(hours=1), timedelta(seconds=30)


def address(table: Seated, seat: int) -> str:
    [(found,)] = run(
        "SELECT address FROM person WHERE id = :p",
        {"p": seated.person_on(table.id, seat)},
    )
    return str(found)


def near(one: datetime, other: datetime) -> bool:
    return abs(one - other) < MOMENT


def asked_late(sink: Sink, answer: str = "451 later") -> Seated:
    """A running game; whoever is asked has a mail server that says so."""
    table = seated.started(3)
    sink.recipients[address(table, table.game.asked()[0])] = answer
    send(table.id)
    return table


def voting_late(sink: Sink, *seats: int) -> Seated:
    """An open election; the questions to some seats are put off."""
    table = seated.started(3, placement=PlacementOption.RANDOM, rounds=1)
    table.nominate()
    run("UPDATE notice SET superseded_at = now() WHERE kind <> 'election'")
    for seat in seats:
        sink.recipients[address(table, seat)] = "451 later"
    send(table.id)
    return table


def arrive(sink: Sink, after: timedelta) -> None:
    """Let every mail that was put off be taken after some time."""
    clock.shift(after)
    sink.recipients.clear()
    run("UPDATE mail SET claim_at = kingup_now() WHERE settled_at IS NULL")
    deliver_due()


def test_a_question_taken_three_hours_late_may_be_answered_as_much_later(
    sink: Sink,
) -> None:
    table = asked_late(sink)
    before = deadline(table)

    arrive(sink, 3 * HOUR)

    assert near(deadline(table), before + 3 * HOUR)
    [(due_at,)] = run("SELECT due_at FROM due WHERE kind = 'deadline'")
    assert due_at == deadline(table)


def test_a_mail_that_comes_behind_its_deadline_moves_it_before_a_late_worker_fires(
    sink: Sink,
) -> None:
    table = asked_late(sink)
    decision, before = table.decision, deadline(table)

    # The worker was away, too: of all that is late it sends the mails first.
    arrive(sink, PACE + 3 * HOUR)

    assert near(deadline(table), before + PACE)
    [(due_at, claim_at)] = run(
        "SELECT due_at, claim_at FROM due WHERE kind = 'deadline'"
    )
    assert due_at == claim_at == deadline(table)
    sweeper.sweep(bots=False)
    assert table.decision == decision


def test_it_counts_once_however_often_anybody_looks(sink: Sink) -> None:
    table = asked_late(sink)
    before = deadline(table)
    arrive(sink, 3 * HOUR)

    time_up.make_up_for_mail(table.id)
    clock.shift(deadline(table) - clock.now() + timedelta(seconds=1))
    assert time_up.run_out(table.id, table.decision)

    assert not near(deadline(table), before + 3 * HOUR)


def test_a_question_taken_within_an_hour_is_in_time(sink: Sink) -> None:
    table = asked_late(sink)
    before = deadline(table)

    arrive(sink, timedelta(minutes=58))

    assert deadline(table) == before


@pytest.mark.parametrize(("hours", "more"), [(1, 1), (20, 20), (48, 24)])
def test_a_question_that_nobody_has_taken_yet_is_waited_for_as_long_again_or_a_day(
    sink: Sink, hours: int, more: int
) -> None:
    table = seated.started(3, decision_time=hours * 3600)
    sink.recipients[address(table, table.game.asked()[0])] = "451 later"
    send(table.id)
    decision, before = table.decision, deadline(table)

    clock.shift(deadline(table) - clock.now() + timedelta(seconds=1))
    sweeper.sweep(bots=False)
    assert table.decision == decision
    assert near(deadline(table), before + more * HOUR)

    clock.shift(deadline(table) - clock.now() + timedelta(seconds=1))
    sweeper.sweep(bots=False)

    assert table.decision == decision + 1


def test_a_question_that_is_refused_for_good_moves_nothing(sink: Sink) -> None:
    table = asked_late(sink, "550 who?")
    clock.shift(PACE + timedelta(seconds=1))

    assert time_up.run_out(table.id, table.decision)


def test_a_program_is_waited_for_by_nobody(sink: Sink) -> None:
    table = seated.started(3)
    run("UPDATE person SET program = true")
    sink.recipients[address(table, table.game.asked()[0])] = "451 later"
    send(table.id)
    clock.shift(PACE + timedelta(seconds=1))

    assert time_up.run_out(table.id, table.decision)


def test_what_an_outage_gives_back_is_not_given_twice(sink: Sink) -> None:
    absent.serve()
    table = asked_late(sink)
    absent.serve()
    before = deadline(table)
    absent.go_away(3 * HOUR)
    absent.serve()
    absent.sweep()

    arrive(sink, timedelta(minutes=30))

    assert near(deadline(table), before + 3 * HOUR)


def test_a_mail_taken_in_an_outage_counts_as_late_up_to_that_alone(sink: Sink) -> None:
    absent.serve()
    table = asked_late(sink)
    absent.serve()
    before = deadline(table)
    absent.pass_by(2 * HOUR)
    absent.go_away(3 * HOUR)

    arrive(sink, timedelta())
    absent.serve()
    absent.sweep()

    assert near(deadline(table), before + (2 + 3) * HOUR)


def paused_for(table: Seated, span: timedelta) -> None:
    """Let a pause of one of the players go by."""
    paused.pause(table, 0, 2)
    absent.pass_by(span)
    paused.resume(table, 0)


def test_what_a_pause_held_up_is_not_late(sink: Sink) -> None:
    table = asked_late(sink)
    clock.shift(HOUR / 2)
    paused_for(table, 10 * HOUR)
    before = deadline(table)

    arrive(sink, HOUR / 4)

    assert near(deadline(table), before)


def test_what_came_late_before_and_after_a_pause_counts_as_that(sink: Sink) -> None:
    table = asked_late(sink)
    clock.shift(2 * HOUR)
    paused_for(table, 10 * HOUR)
    before = deadline(table)

    arrive(sink, HOUR)

    assert near(deadline(table), before + 3 * HOUR)


def test_a_mail_taken_in_a_pause_was_late_up_to_that_alone(sink: Sink) -> None:
    table = asked_late(sink)
    clock.shift(2 * HOUR)
    paused.pause(table, 0, 2)
    arrive(sink, 10 * HOUR)
    clock.shift(HOUR)
    paused.resume(table, 0)
    before = deadline(table)
    clock.shift(before - clock.now() + timedelta(seconds=1))

    assert not time_up.run_out(table.id, table.decision)

    assert near(deadline(table), before + 2 * HOUR)


def test_an_outage_in_a_pause_counts_once(sink: Sink) -> None:
    absent.serve()
    table = asked_late(sink)
    absent.pass_by(2 * HOUR)
    paused.pause(table, 0, 2)
    absent.go_away(3 * HOUR)
    absent.serve()
    absent.pass_by(HOUR)
    paused.resume(table, 0)
    before = deadline(table)

    arrive(sink, timedelta())

    assert near(deadline(table), before + 2 * HOUR)


def test_in_an_election_nothing_moves_when_a_mail_arrives(sink: Sink) -> None:
    table = voting_late(sink, 0, 2)
    before = deadline(table)

    arrive(sink, 3 * HOUR)
    # As a question from before the election would, if it came as late.
    time_up.make_up_for_mail(table.id)

    assert deadline(table) == before


@pytest.mark.parametrize("arrives", [True, False])
def test_at_its_end_an_election_waits_for_whoever_still_owes_and_was_asked_late(
    sink: Sink, arrives: bool
) -> None:
    table = voting_late(sink, 2)
    decision, before = table.decision, deadline(table)
    table.answer(1, Ballot(Card.YES))
    if arrives:
        arrive(sink, 3 * HOUR)
    clock.shift(before - clock.now() + timedelta(seconds=1))

    assert not time_up.run_out(table.id, decision)

    assert run("SELECT laid FROM game WHERE id = :g", {"g": table.id}) == [([1],)]
    assert near(deadline(table), before + (3 * HOUR if arrives else PACE))


def test_nobody_waits_for_a_late_mail_of_whoever_has_laid_a_card(sink: Sink) -> None:
    table = voting_late(sink, 2)
    table.answer(2, Ballot(Card.YES))
    clock.shift(PACE + timedelta(seconds=1))

    assert time_up.run_out(table.id, table.decision)


def test_waiting_for_a_mail_costs_no_spare_time(sink: Sink) -> None:
    table = seated.started(3, spare=2)
    sink.recipients[address(table, table.game.asked()[0])] = "451 later"
    send(table.id)
    clock.shift(PACE + timedelta(seconds=1))

    assert not time_up.run_out(table.id, table.decision)

    assert run("SELECT sum(spare_used) FROM seat") == [(0,)]
