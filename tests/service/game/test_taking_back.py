"""Taking an act back: what is written, what stays readable, who hears."""

import pytest
from msgspec.structs import replace

from engine.board import Seat
from engine.commands import PlacementOption
from engine.errors import DecisionClosed, TakenBackAlready
from service.game import handlers
from service.store import answers, event_log, messages
from service.store.transactions import transaction
from service.values.lines import Line
from tests.rig.service import seated
from tests.rig.service.seated import Seated, run
from tests.rig.service.taken_back import A4, B4, due_rows, first_act, take_back

pytestmark = pytest.mark.usefixtures("inside")


def notices(table: Seated, decision: int) -> list[tuple]:
    return run(
        "SELECT kind, seat FROM notice WHERE game_id = :g AND decision = :d",
        {"g": table.id, "d": decision},
    )


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


def test_a_move_goes_back_to_where_it_came_from() -> None:
    table = seated.started(3, placement=PlacementOption.RANDOM)
    before, number = table.game, table.decision
    seat = Seat(before.asked()[0])
    legal = next(e for e in seated.own(before, seat).legal if not e.nominates)
    table.answer(seat, legal.answer)

    take_back(table, seat, number)

    assert table.game.board == before.board
    assert table.game == event_log.replayed(table.id)
