"""Leaving a running game, and coming back."""

from datetime import timedelta
from uuid import UUID

import pytest

from engine.board import Card, Seat
from engine.commands import Ballot, PlacementOption
from engine.errors import CardsNotOpen, GameNotRunning, SeatKept
from engine.state import Kind
from service import config
from service.game import handlers, seatings, table_acts, time_up
from service.people import deletion
from service.store import clock, event_log, games
from service.store.games import GameReadModel
from service.values.errors import Forbidden
from service.values.principals import Bot, DeviceHolder, System
from tests.rig.service import seated
from tests.rig.service.seated import Seated, run

pytestmark = pytest.mark.usefixtures("inside")


def leave(table: Seated, seat: int) -> None:
    table_acts.depart(table.id, table.holder(seat), seat)


def come_back(table: Seated, seat: int) -> None:
    table_acts.come_back(table.id, table.holder(seat), seat)


def read(table: Seated, reader: DeviceHolder | None = None) -> GameReadModel:
    seen = games.read(table.id, reader or System())
    assert seen is not None
    return seen


def kind(table: Seated) -> Kind:
    asked = table.game.decision
    assert asked is not None
    return asked.kind


def bots_turns(table: Seated) -> list[tuple]:
    return run(
        "SELECT decision, seat FROM due WHERE game_id = :g AND kind = 'bot'",
        {"g": table.id},
    )


def second_round(table: Seated) -> None:
    """Everybody crowns whoever comes first; bots answer where they sit."""
    while table.game.round == 1:
        answer_for_all(table)


def answer_for_all(table: Seated) -> None:
    game = table.game
    if game.election_complete:
        table.resolve()
        return
    seat = game.asked()[0]
    legal = seated.own(game, seat).legal
    best = max(legal, key=lambda each: each.nominates)
    answer = Ballot(Card.YES) if isinstance(best.answer, Ballot) else best.answer
    principal = Bot(seat) if game.has_bot(seat) else table.principals[seat]
    handlers.answer(table.id, principal, table.decision, answer)


def test_who_leaves_has_a_bot_on_their_seat_and_the_record_says_so() -> None:
    table = seated.started(4)

    leave(table, 2)
    leave(table, 2)

    assert seated.seatings(table) == [2]
    assert table.game.has_bot(Seat(2))
    rows = run("SELECT number, bot FROM seat WHERE game_id = :g", {"g": table.id})
    assert rows == [(0, None), (1, None), (2, seatings.KEEPER), (3, None)]
    assert table.game == event_log.replayed(table.id)


def test_the_open_question_of_who_leaves_is_the_bots_at_the_usual_delay() -> None:
    table = seated.started(3)
    seat = table.game.asked()[0]
    before = clock.now()

    leave(table, seat)

    assert bots_turns(table) == [(table.decision, seat)]
    [(due_at,)] = run("SELECT due_at FROM due WHERE kind = 'bot'")
    delay = timedelta(seconds=config.USUAL_BOT_DELAY)
    assert delay <= due_at - before < delay + timedelta(seconds=5)


def test_a_card_laid_stays_and_is_asked_for_no_more() -> None:
    table = seated.in_election(3)
    table.answer(1, Ballot(Card.NO))

    leave(table, 1)

    assert table.game.ballots == (None, Card.NO, None)
    assert bots_turns(table) == []


def test_others_learn_the_same_of_who_leaves_with_a_card_laid_and_without() -> None:
    laid, owing = seated.in_election(3), seated.in_election(3)
    laid.answer(1, Ballot(Card.YES))

    for table in (laid, owing):
        leave(table, 1)

    seen = [
        [
            (row.type, row.public)
            for row in event_log.record_after(table.id, 0, 1000)
            if row.type == "bot_seated"
        ]
        for table in (laid, owing)
    ]
    assert seen[0] == seen[1] != []
    assert [read(each).laid for each in (laid, owing)] == [None, None]


def test_who_has_left_reads_as_a_spectator_that_may_come_back() -> None:
    table = seated.started(3)

    leave(table, 1)

    seen = read(table, table.holder(1))
    assert (seen.proved, seen.seat, seen.beside) == (True, None, 1)
    assert seen.seats[1].kept
    assert not seen.seats[0].kept


def test_who_has_left_answers_for_the_seat_no_more() -> None:
    table = seated.in_election(3)
    leave(table, 1)

    with pytest.raises(SeatKept):
        table.answer(1, Ballot(Card.YES))

    assert table.game.ballots == (None, None, None)


def test_who_has_left_gets_the_receipt_of_what_they_answered_all_the_same() -> None:
    table = seated.in_election(3)
    receipt = table.answer(1, Ballot(Card.YES))
    leave(table, 1)

    assert table.answer(1, Ballot(Card.YES)) == receipt


def test_nobody_leaves_for_somebody_else() -> None:
    table = seated.started(3)

    for act in (table_acts.depart, table_acts.come_back):
        with pytest.raises(Forbidden):
            act(table.id, table.holder(0), 1)

    assert seated.seatings(table) == []


def test_nobody_comes_back_before_the_cards_they_left_are_open() -> None:
    table = seated.started(3, placement=PlacementOption.RANDOM)
    leave(table, 1)

    with pytest.raises(CardsNotOpen):
        come_back(table, 1)

    assert table.game.has_bot(Seat(1))


def test_who_comes_back_plays_on_with_the_bots_hand_and_is_asked() -> None:
    table = seated.started(3, placement=PlacementOption.RANDOM)
    leave(table, 1)
    second_round(table)
    while table.game.asked()[0] != 1:
        answer_for_all(table)
    assert bots_turns(table) == [(table.decision, 1)]

    come_back(table, 1)
    come_back(table, 1)

    assert seated.seatings(table, "person_seated") == [1]
    assert bots_turns(table) == []
    assert not table.game.has_bot(Seat(1))
    notices = run(
        "SELECT kind, decision FROM notice WHERE game_id = :g AND seat = 1"
        " ORDER BY created_at DESC LIMIT 1",
        {"g": table.id},
    )
    assert notices == [("your_turn", table.decision)]
    table.answer(1, seated.own(table.game, 1).legal[0].answer)


def test_a_bot_that_thought_while_the_person_came_back_answers_nothing() -> None:
    table = seated.started(3, placement=PlacementOption.RANDOM)
    leave(table, 1)
    second_round(table)
    while table.game.asked()[0] != 1:
        answer_for_all(table)
    answer, decision = seated.own(table.game, 1).legal[0].answer, table.decision
    come_back(table, 1)

    with pytest.raises(handlers.NotAtTable):
        handlers.answer(table.id, Bot(1), decision, answer)


def test_nobody_who_has_left_hears_of_the_game() -> None:
    table = seated.in_election(3)
    leave(table, 1)
    run("DELETE FROM notice WHERE game_id = :g", {"g": table.id})

    second = table.decision
    while table.game.last_decision < second + 3 and table.game.running:
        answer_for_all(table)

    told = run("SELECT DISTINCT seat FROM notice WHERE game_id = :g", {"g": table.id})
    assert (1,) not in told
    assert told


def test_who_has_left_hears_not_even_of_the_end_but_who_was_replaced_by_a_bot() -> None:
    table = seated.started(4, placement=PlacementOption.RANDOM, rounds=1, misses=1)
    first = int(table.game.asked()[0])
    clock.shift(timedelta(seconds=seated.PACE + 1))
    assert time_up.run_out(table.id, table.decision)
    assert table.game.has_bot(Seat(first))
    leaver = (first + 1) % 4
    leave(table, leaver)

    table.finish()

    over = run(
        "SELECT seat FROM notice WHERE game_id = :g AND kind = 'game_over'",
        {"g": table.id},
    )
    assert over == [(seat,) for seat in range(4) if seat != leaver]


def test_who_is_back_after_they_had_left_hears_of_the_end() -> None:
    table = seated.started(3, placement=PlacementOption.RANDOM, rounds=2)
    leave(table, 1)
    table.play_round()
    come_back(table, 1)

    assert run("SELECT departed FROM seat WHERE departed") == []
    table.finish()

    over = "SELECT seat FROM notice WHERE game_id = :g AND kind = 'game_over'"
    assert (1,) in run(over, {"g": table.id})


def test_bots_finish_at_once_when_the_last_person_has_left() -> None:
    table = seated.started(3)
    run("DELETE FROM notice WHERE game_id = :g", {"g": table.id})

    for seat in range(3):
        leave(table, seat)

    [(wait,)] = run(
        "SELECT DISTINCT extract(epoch FROM due_at - g.deadline) FROM due d"
        " JOIN game g ON g.id = d.game_id WHERE d.kind = 'bot' AND g.id = :g",
        {"g": table.id},
    )
    assert wait < 0
    seat = table.game.asked()[0]
    handlers.answer(
        table.id,
        Bot(seat),
        table.decision,
        seated.own(table.game, seat).legal[0].answer,
    )
    [(at_once,)] = run(
        "SELECT due_at <= kingup_now() FROM due WHERE kind = 'bot' AND game_id = :g",
        {"g": table.id},
    )
    assert at_once
    assert run("SELECT count(*) FROM notice WHERE game_id = :g", {"g": table.id}) == [
        (0,)
    ]


def test_games_that_do_not_run_are_not_left() -> None:
    waiting, over = seated.draft(3), seated.started(3)
    seated.cancel(over.id, System())

    with pytest.raises(GameNotRunning):
        leave(over, 1)
    with pytest.raises(GameNotRunning):
        handlers.handle(waiting, System(), lambda w: seatings.seat_bot(w, Seat(1)))


def test_whoever_is_erased_leaves_their_seat_by_the_same_event() -> None:
    table = seated.in_election(3)
    table.answer(1, Ballot(Card.NO))

    from_account(table.id, 1)

    assert seated.seatings(table) == [1]
    assert table.game.ballots == (None, Card.NO, None)
    assert table.game.has_bot(Seat(1))


def from_account(game_id: UUID, seat: int) -> None:
    deletion.erase(seated.person_on(game_id, seat))


def test_an_election_that_waits_for_its_end_is_resolved_before_its_seat_is_left() -> (
    None
):
    table = seated.in_election(3)
    decision = table.decision
    table.lay([Card.YES, Card.NO, Card.YES])

    from_account(table.id, 1)

    types = [row.type for row in event_log.record_after(table.id, 0, 1000)][-2:]
    assert types == ["election_resolved", "bot_seated"]
    assert table.game.last_decision == decision + 1
