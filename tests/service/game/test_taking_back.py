"""Taking an act back: what is written, until when the question waits, who hears."""

from datetime import datetime, timedelta

import pytest
from msgspec.structs import replace

from engine.board import Card, Seat
from engine.commands import Ballot, Placement, PlacementOption
from engine.errors import (
    CannotTakeBack,
    DecisionClosed,
    GameNotRunning,
    SeatKept,
    TakenBackAlready,
)
from service.game import acts_taken_back, handlers, pace, table_acts, time_up
from service.store import answers, clock, event_log, links, messages
from service.store.links import LinkRow
from service.store.transactions import transaction
from service.values import entropy
from service.values.conflicts import (
    BeyondTheRecord,
)
from service.values.enums import LinkPurpose
from service.values.lines import Line
from service.values.principals import DeviceHolder, LinkHolder, System
from tests.rig.service import seated
from tests.rig.service.seated import Seated, run

pytestmark = pytest.mark.usefixtures("inside")

A4, B4 = Placement("A", "4"), Placement("B", "4")


def first_act(**wish: object) -> tuple[Seated, int]:
    """A table at which the first seat has just placed, and that seat."""
    table = seated.started(3, **wish)
    seat = int(table.game.asked()[0])
    table.answer(seat, A4)
    return table, seat


def take_back(table: Seated, seat: int, decision: int) -> int:
    return acts_taken_back.take_back(table.id, table.holder(seat), decision)


def deadline(table: Seated) -> datetime:
    found = run("SELECT deadline FROM game WHERE id = :g", {"g": table.id})[0][0]
    assert isinstance(found, datetime)
    return found


def due_rows(table: Seated) -> list[tuple]:
    return run(
        "SELECT decision, kind, due_at FROM due WHERE game_id = :g ORDER BY due_at",
        {"g": table.id},
    )


def notices(table: Seated, decision: int) -> list[tuple]:
    return run(
        "SELECT kind, seat FROM notice WHERE game_id = :g AND decision = :d",
        {"g": table.id, "d": decision},
    )


def refused(table: Seated, seat: int, decision: int) -> str:
    before = table.game
    with pytest.raises(CannotTakeBack) as refusal:
        take_back(table, seat, decision)
    assert table.game == before
    return refusal.value.reason


def test_before_the_next_seat_acts_an_act_is_taken_back_by_an_event() -> None:
    table, seat = first_act()
    events = len(event_log.record_after(table.id, 0, 100))

    reopened = take_back(table, seat, 1)

    assert reopened == table.decision == 3
    assert table.game.asked() == (seat,)
    assert "A" not in table.game.board.at
    kept = event_log.record_after(table.id, 0, 100)
    assert [each.type for each in kept[events:]] == ["taken_back"]
    assert kept[events - 1].type == "placed"
    assert table.game == event_log.replayed(table.id)


def test_it_waits_no_longer_than_it_would_have() -> None:
    table = seated.started(3)
    seat = int(table.game.asked()[0])
    until = deadline(table)
    clock.shift(timedelta(hours=5))
    table.answer(seat, A4)
    clock.shift(timedelta(hours=5))

    take_back(table, seat, 1)

    assert deadline(table) == until
    span = until - clock.now()
    moments = {kind: at for _, kind, at in due_rows(table)}
    assert moments["deadline"] == until
    assert abs(until - moments["reminder"] - span / 2) < timedelta(minutes=1)
    assert {decision for decision, _, _ in due_rows(table)} == {3}


def test_but_it_waits_for_an_hour_at_least() -> None:
    table = seated.started(3)
    seat = int(table.game.asked()[0])
    clock.shift(timedelta(seconds=seated.PACE - 60))
    table.answer(seat, A4)
    clock.shift(timedelta(hours=2))
    now = clock.now()

    take_back(table, seat, 1)

    assert (
        timedelta(0)
        <= deadline(table) - now - timedelta(hours=1)
        < timedelta(minutes=1)
    )


def test_it_keeps_the_time_that_spare_time_has_added() -> None:
    table = seated.started(3, spare=2)
    seat = int(table.game.asked()[0])
    clock.shift(timedelta(seconds=seated.PACE + 1))
    time_up.run_out(table.id, 1)
    until = deadline(table)
    table.answer(seat, A4)

    take_back(table, seat, 1)

    assert deadline(table) == until


def test_a_pause_in_between_takes_none_of_its_time() -> None:
    table = seated.started(3)
    seat = int(table.game.asked()[0])
    until = deadline(table)
    table.answer(seat, A4)
    table_acts.pause(table.id, table.holder(seat), 1)
    clock.shift(timedelta(hours=10))
    table_acts.resume(table.id, table.holder(seat))

    take_back(table, seat, 1)

    assert abs(deadline(table) - until - timedelta(hours=10)) < timedelta(minutes=1)


def test_while_the_game_is_paused_it_may_be_taken_back_and_no_clock_runs() -> None:
    table, seat = first_act()
    table_acts.pause(table.id, table.holder(seat), 1)

    take_back(table, seat, 1)
    held = run("SELECT claim_at = 'infinity' FROM due WHERE decision = 3")
    paused = run("SELECT deadline FROM game WHERE id = :g", {"g": table.id})
    table_acts.resume(table.id, table.holder(seat))

    assert set(held) == {(True,)}
    assert paused == [(None,)]
    assert deadline(table) - clock.now() > timedelta(hours=20)


def test_a_question_that_waits_for_ever_does_so_again() -> None:
    table, seat = first_act(decision_time=None)

    take_back(table, seat, 1)

    kinds = {kind for _, kind, _ in due_rows(table)}
    assert kinds.isdisjoint(("deadline", "reminder", "last_reminder"))


def test_where_no_deadline_is_known_it_has_a_new_one() -> None:
    table, seat = first_act()
    run("UPDATE game SET answered_deadline = NULL WHERE id = :g", {"g": table.id})
    now = clock.now()

    take_back(table, seat, 1)

    wanted = now + timedelta(seconds=seated.PACE)
    assert abs(deadline(table) - wanted) < timedelta(minutes=1)


def test_the_kept_deadline_is_never_later_than_a_new_one() -> None:
    now = datetime.fromisoformat("2026-11-01T12:00:00+00:00")
    fresh = pace.Pace(now + timedelta(minutes=30), now, None)

    again = pace.again(fresh, now + timedelta(days=3), now)

    assert again.deadline == fresh.deadline


def test_whoever_must_act_again_has_one_notice_and_the_other_keeps_none() -> None:
    table, seat = first_act()
    (other,) = table.game.asked()
    assert notices(table, 2) == [("your_turn", other)]

    take_back(table, seat, 1)

    assert notices(table, 3) == [("your_turn", seat)]
    table.answer(seat, B4)
    assert notices(table, 4) == [("your_turn", other)]


def test_a_bot_that_was_asked_is_asked_no_more() -> None:
    table = seated.started(3, bots=1)
    table.play_until(1)
    number, legal = table.decision, seated.own(table.game, 1).legal
    table.answer(1, legal[0].answer)
    assert "bot" in {kind for _, kind, _ in due_rows(table)}

    take_back(table, 1, number)

    assert "bot" not in {kind for _, kind, _ in due_rows(table)}


def test_again_it_gets_the_same_answer_for_ever() -> None:
    table, seat = first_act()
    first = take_back(table, seat, 1)
    revision = table.game

    assert take_back(table, seat, 1) == first
    assert table.game == revision
    table.answer(seat, B4)
    assert take_back(table, seat, 1) == first
    table.finish()
    assert take_back(table, seat, 1) == first


def test_the_answer_that_was_taken_back_is_refused_with_the_new_number() -> None:
    table, seat = first_act()
    take_back(table, seat, 1)

    for answer in (A4, B4):
        with pytest.raises(TakenBackAlready) as refusal:
            table.answer(seat, answer, 1)
        assert refusal.value.facts == {"decision": 1, "reopened": 3}
    table.answer(seat, A4)
    with pytest.raises(TakenBackAlready):
        table.answer(seat, A4, 1)


def test_what_was_answered_stays_readable_with_its_receipt() -> None:
    table, seat = first_act()
    before = answers.given(table.id, 1, seat)
    take_back(table, seat, 1)

    after = answers.given(table.id, 1, seat)

    assert before is not None
    assert after == replace(before, reopened=3)


def test_an_answer_to_the_question_that_is_gone_is_too_late() -> None:
    table, seat = first_act()
    (other,) = table.game.asked()
    take_back(table, seat, 1)

    with pytest.raises(DecisionClosed):
        table.answer(other, B4, 2)


def test_what_came_with_the_act_is_marked_and_nothing_else() -> None:
    table = seated.started(3)
    seat = int(table.game.asked()[0])
    other = (seat + 1) % 3
    with transaction():
        speaker = messages.Speaker(other, seated.person_on(table.id, other))
        messages.say(table.id, speaker, Line("Well?", None))
    handlers.answer(table.id, table.holder(seat), 1, A4, Line("Here!", None))

    take_back(table, seat, 1)

    said = messages.latest(table.id, other, 10)
    assert [(m.line, m.taken_back) for m in said] == [("Well?", False), ("Here!", True)]


def test_somebody_s_link_of_the_answered_question_takes_back_and_no_other() -> None:
    table = seated.started(3)
    seat = int(table.game.asked()[0])
    person = seated.person_on(table.id, seat)
    rows = [
        LinkRow(LinkPurpose.DECISION, table.id, person, seat, number)
        for number in (1, 2)
    ]
    with transaction():
        right, wrong = (LinkHolder(entropy.digest(links.add(row))) for row in rows)
    handlers.answer(table.id, right, 1, A4)

    with pytest.raises(handlers.NotAtTable):
        acts_taken_back.take_back(table.id, wrong, 1)
    assert acts_taken_back.take_back(table.id, right, 1) == 3


def test_who_has_no_seat_takes_nothing_back() -> None:
    table, _ = first_act()

    for principal in (DeviceHolder(b"x" * 32), LinkHolder(b"x" * 32), System()):
        with pytest.raises(handlers.NotAtTable):
            acts_taken_back.take_back(table.id, principal, 1)


def test_once_the_next_seat_has_acted_nothing_is_taken_back() -> None:
    table, seat = first_act()
    (other,) = table.game.asked()
    table.answer(other, B4)

    assert refused(table, seat, 1) == "acted-since"


def test_once_the_clock_has_answered_nothing_is_taken_back() -> None:
    table, seat = first_act()
    clock.shift(timedelta(seconds=seated.PACE + 1))
    assert time_up.run_out(table.id, 2)

    assert refused(table, seat, 1) == "acted-since"


def test_a_nomination_stays_with_and_without_a_card() -> None:
    table = seated.in_election(3)
    number = table.decision - 1
    (mover,) = run("SELECT seat FROM answer WHERE decision = :d", {"d": number})[0]

    assert refused(table, mover, number) == "nominated"
    table.answer(mover, Ballot(Card.YES))
    assert refused(table, mover, number) == "nominated"
    assert refused(table, mover, number + 1) == "ballot"


def test_after_the_reveal_nothing_is_taken_back() -> None:
    table = seated.in_election(3)
    number = table.decision - 1
    (mover,) = run("SELECT seat FROM answer WHERE decision = :d", {"d": number})[0]
    table.lay((Card.YES, Card.NO, Card.YES))
    table.resolve()

    assert refused(table, mover, number) == "acted-since"
    assert refused(table, mover, number + 1) == "ballot"


def test_an_election_whose_cards_are_all_in_is_turned_over_first() -> None:
    table = seated.in_election(3)
    number = table.decision - 1
    (mover,) = run("SELECT seat FROM answer WHERE decision = :d", {"d": number})[0]
    table.lay((Card.YES, Card.NO, Card.YES))

    with pytest.raises(CannotTakeBack) as refusal:
        take_back(table, mover, number)

    assert refusal.value.reason == "acted-since"
    assert len(table.game.elections) == 1


def test_a_question_that_was_put_again_is_not_taken_back_again() -> None:
    table, seat = first_act()
    take_back(table, seat, 1)
    table.answer(seat, B4)

    assert refused(table, seat, 3) == "once"


def test_where_the_host_wants_it_so_nothing_is_taken_back() -> None:
    table, seat = first_act(take_back=False)

    assert refused(table, seat, 1) == "off"


def test_another_s_act_and_an_open_question_are_not_taken_back() -> None:
    table, seat = first_act()
    other = (seat + 1) % 3

    assert refused(table, other, 1) == "not-yours"
    assert refused(table, other, 2) == "not-answered"
    with pytest.raises(BeyondTheRecord):
        take_back(table, seat, 9)


def test_who_has_left_takes_nothing_back_but_what_they_had() -> None:
    table, seat = first_act()
    handlers.depart(table.id, table.holder(seat), seat)
    with pytest.raises(SeatKept):
        take_back(table, seat, 1)

    undone, who = first_act()
    take_back(undone, who, 1)
    handlers.depart(undone.id, undone.holder(who), who)
    assert take_back(undone, who, 1) == 3


def test_a_game_that_is_over_takes_nothing_back() -> None:
    table, seat = first_act()
    seated.cancel(table.id, System())

    with pytest.raises(GameNotRunning):
        take_back(table, seat, 1)


def test_a_move_goes_back_to_where_it_came_from() -> None:
    table = seated.started(3, placement=PlacementOption.RANDOM)
    before, number = table.game, table.decision
    seat = Seat(before.asked()[0])
    legal = next(e for e in seated.own(before, seat).legal if not e.nominates)
    table.answer(seat, legal.answer)

    take_back(table, seat, number)

    assert table.game.board == before.board
    assert table.game == event_log.replayed(table.id)
