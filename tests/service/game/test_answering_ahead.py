"""Standing answers: a seat is answered for by what it has laid ahead, and only so."""

from datetime import timedelta

import pytest

from engine.board import Card
from engine.commands import Ballot, Move, Placement, PlacementOption
from engine.errors import GameNotRunning, SeatKept
from engine.state import Kind
from service import config
from service.game import acts_taken_back, answering_ahead, table_acts, time_up
from service.people import deletion
from service.store import clock, standing_answers
from service.values.wishes import (
    NOTHING,
    WishedCard,
    WishedElection,
    WishedMove,
    WishedPlacement,
    Wishes,
)
from tests.rig.service import seated
from tests.rig.service.seated import Seated, run
from worker.clock import sweeper

pytestmark = pytest.mark.usefixtures("inside")

DELAY = timedelta(seconds=config.USUAL_BOT_DELAY)
NO_TO_ALL = Wishes(election=WishedElection((), Card.NO))


def lay(table: Seated, seat: int, wishes: Wishes) -> None:
    answering_ahead.lay(table.id, table.holder(seat), wishes)


def kept(table: Seated, seat: int) -> Wishes:
    return standing_answers.read(table.id, seat, table.game.round)


def stands(table: Seated) -> list[tuple[object, ...]]:
    """Whose standing answer falls due for the open question."""
    return run(
        "SELECT seat FROM due WHERE game_id = :g AND kind = 'standing'",
        {"g": table.id},
    )


def time_passes(seconds: float = config.USUAL_BOT_DELAY) -> None:
    clock.shift(timedelta(seconds=seconds))
    sweeper.sweep()


def first_legal(table: Seated) -> None:
    seat = table.game.asked()[0]
    table.answer(seat, seated.own(table.game, seat).legal[0].answer)


def wishes_of_placing(*wanted: tuple[str, str]) -> Wishes:
    return Wishes(placements=tuple(WishedPlacement(*each) for each in wanted))


def source(table: Seated, decision: int, seat: int) -> tuple[object, ...]:
    ((found, wished),) = run(
        "SELECT source, wished FROM answer WHERE game_id = :g AND decision = :d"
        " AND seat = :s",
        {"g": table.id, "d": decision, "s": seat},
    )
    return found, wished


def moving(seats: int = 3) -> Seated:
    """A game in its ascent, before anybody has moved."""
    return seated.started(seats, placement=PlacementOption.RANDOM, first=0)


def test_the_first_possible_wish_is_placed_two_minutes_after_the_turn_came() -> None:
    table = seated.started(3, first=0)
    lay(table, 1, wishes_of_placing(("A", "1"), ("B", "2"), ("C", "2")))
    table.answer(0, Placement("A", "1"))
    asked = table.decision

    time_passes(config.USUAL_BOT_DELAY - 1)
    assert table.decision == asked
    time_passes(1)

    assert table.game.board.at == {"A": "1", "B": "2"}
    assert source(table, asked, 1) == ("standing", None)
    assert table.decision == asked + 1


def test_wishes_for_placement_hold_for_every_turn_of_the_round() -> None:
    table = seated.started(3, first=0)
    lay(table, 0, wishes_of_placing(("E", "4"), ("P", "3")))
    for _ in range(3):
        first_legal(table)

    time_passes()
    for _ in range(2):
        first_legal(table)
    time_passes()

    at = table.game.board.at
    assert (at["E"], at["P"]) == ("4", "3")


def test_where_no_wish_is_possible_the_question_stays_open_for_the_person() -> None:
    table = seated.started(3, first=0)
    lay(table, 1, wishes_of_placing(("A", "1")))
    table.answer(0, Placement("A", "2"))
    asked = table.decision

    time_passes()

    assert table.decision == asked
    assert stands(table) == []
    assert kept(table, 1) == wishes_of_placing(("A", "1"))


def test_what_is_laid_while_a_question_is_open_counts_from_the_next_one() -> None:
    table = seated.started(3, first=0)
    asked = table.decision

    lay(table, 0, wishes_of_placing(("A", "1")))
    time_passes()

    assert table.decision == asked


def test_what_is_laid_at_the_moment_itself_counts_whatever_was_laid_before() -> None:
    table = seated.started(3, first=0)
    lay(table, 1, wishes_of_placing(("B", "2")))
    lay(table, 2, wishes_of_placing(("B", "2")))
    first_legal(table)
    lay(table, 1, wishes_of_placing(("C", "3")))

    time_passes()
    answering_ahead.drop(table.id, table.holder(2))
    time_passes()

    assert table.game.board.at == {"A": "1", "C": "3"}
    assert table.game.asked() == (2,)


def test_a_next_move_is_made_to_the_place_it_names_and_then_forgotten() -> None:
    table = moving()
    letter, to = next(iter(_next_moves(table)))
    lay(table, 1, Wishes(move=WishedMove(letter, to)))
    _leave_way(table, letter)
    asked = table.decision

    time_passes()

    assert table.game.board.at[letter] == to
    assert source(table, asked, 1) == ("standing", None)
    assert kept(table, 1) == NOTHING


def _next_moves(table: Seated) -> list[tuple[str, str]]:
    return list(table.game.destinations.items())


def _leave_way(table: Seated, letter: str) -> None:
    """Seat 0 moves somebody else, from another floor to another floor."""
    game = table.game
    at, leads = game.board.at, game.destinations
    others = (
        c for c, to in leads.items() if at[c] != at[letter] != to != leads[letter]
    )
    table.answer(0, Move(next(others)))


def test_a_move_that_would_lead_elsewhere_is_not_made_and_is_forgotten() -> None:
    table = moving()
    letter, to = next(iter(_next_moves(table)))
    lay(table, 1, Wishes(move=WishedMove(letter, "throne" if to != "throne" else "5")))
    _leave_way(table, letter)
    asked = table.decision

    time_passes()
    assert table.decision == asked
    first_legal(table)

    assert kept(table, 1) == NOTHING


def test_only_a_move_that_names_the_throne_puts_somebody_up_for_king() -> None:
    for to, kind in (("5", Kind.MOVE), ("throne", Kind.ELECTION)):
        table = _before_the_throne()
        letter = next(
            c for c, way in table.game.destinations.items() if way == "throne"
        )
        mover = table.game.asked()[0]
        lay(table, mover, Wishes(move=WishedMove(letter, to)))
        run(
            "INSERT INTO due (game_id, decision, kind, seat, due_at, claim_at)"
            " SELECT id, :d, 'standing', :s, kingup_now(), kingup_now() FROM game"
            " WHERE id = :g",
            {"d": table.decision, "s": mover, "g": table.id},
        )

        time_passes(0)

        assert table.game.decision is not None
        assert table.game.decision.kind is kind


def _before_the_throne() -> Seated:
    table = seated.started(3, placement=PlacementOption.RANDOM, rounds=1)
    while "throne" not in table.game.destinations.values():
        game = table.game
        highest = max(game.destinations, key=lambda c: game.board.at[c])
        table.answer(game.asked()[0], Move(highest))
    return table


def opened_with(*wishes: Wishes) -> Seated:
    """An election that opens when each seat has laid these ahead."""
    table = _before_the_throne()
    for seat, each in enumerate(wishes):
        if each != NOTHING:
            lay(table, seat, each)
    table.nominate()
    return table


def test_the_card_for_the_nominee_is_laid() -> None:
    table = _before_the_throne()
    game = table.game
    named = tuple(WishedCard(c, Card.NO) for c in game.law.characters)
    lay(table, 1, Wishes(election=WishedElection(named, Card.YES)))
    table.nominate()

    time_passes()

    assert table.game.ballots == (None, Card.NO, None)
    assert source(table, table.decision, 1) == ("standing", None)


def test_for_whoever_is_not_named_the_card_for_all_others_is_laid() -> None:
    table = _before_the_throne()
    absent = next(c for c, at in table.game.board.at.items() if at == "0")
    named = (WishedCard(absent, Card.YES),)
    lay(table, 1, Wishes(election=WishedElection(named, Card.NO)))
    table.nominate()

    time_passes()

    assert table.game.ballots == (None, Card.NO, None)


def test_a_card_that_is_not_held_becomes_a_yes() -> None:
    table = seated.started(
        3, edition="jester", placement=PlacementOption.RANDOM, rounds=1
    )
    ache = tuple(WishedCard(c, Card.STOMACHACHE) for c in table.game.law.characters)
    lay(table, 1, Wishes(election=WishedElection(ache, Card.NO)))
    told = []
    for _ in range(2):
        table.nominate()
        election = table.decision
        time_passes()
        told.append((table.game.ballots[1], source(table, election, 1)))
        table.answer(0, Ballot(Card.NO))
        table.answer(2, Ballot(Card.NO))
        table.resolve()

    assert told == [
        (Card.STOMACHACHE, ("standing", None)),
        (Card.YES, ("standing", "stomachache")),
    ]


def test_who_answers_themself_is_not_answered_for() -> None:
    table = opened_with(NO_TO_ALL, NO_TO_ALL)
    table.answer(0, Ballot(Card.YES))
    assert stands(table) == [(1,)]

    time_passes()

    assert table.game.ballots == (Card.YES, Card.NO, None)
    assert source(table, table.decision, 0) == ("person", None)


def test_the_last_card_of_an_election_may_be_a_standing_answer() -> None:
    table = opened_with(NO_TO_ALL, NO_TO_ALL, NO_TO_ALL)
    election = table.decision

    time_passes()
    sweeper.sweep()

    assert table.decision > election


def test_an_answer_given_ahead_ends_a_row_of_misses() -> None:
    table = opened_with(NO_TO_ALL)

    time_passes()

    assert table.game.unanswered[0] == 0


def test_all_standing_answers_end_with_the_round() -> None:
    table = seated.started(3, rounds=2, placement=PlacementOption.RANDOM)
    lay(table, 1, NO_TO_ALL)
    lay(table, 2, wishes_of_placing(("A", "1")))
    time_up.run_out(table.id, table.decision)

    table.play_round()

    assert table.game.round == 2
    assert run("SELECT * FROM standing_answer") == []
    assert stands(table) == []


def test_whoever_leaves_to_a_bot_has_no_standing_answer_any_more() -> None:
    table = opened_with(NO_TO_ALL)

    table_acts.depart(table.id, table.holder(0), 0)
    time_passes()

    assert run("SELECT * FROM standing_answer") == []
    assert source(table, table.decision, 0) == ("bot", None)


def test_a_bot_keeps_a_seat_for_which_nothing_can_be_laid_ahead() -> None:
    table = seated.started(3)
    table_acts.depart(table.id, table.holder(1), 1)

    with pytest.raises(SeatKept):
        lay(table, 1, NO_TO_ALL)


def test_nothing_is_laid_ahead_when_the_game_is_over() -> None:
    table = seated.started(3, rounds=1, placement=PlacementOption.RANDOM)
    lay(table, 1, NO_TO_ALL)
    seated.cancel(table.id, table.holder(0))

    with pytest.raises(GameNotRunning):
        lay(table, 1, NO_TO_ALL)
    assert run("SELECT * FROM standing_answer") == []


def test_nothing_of_an_erased_person_stands() -> None:
    table = seated.started(3)
    lay(table, 1, NO_TO_ALL)

    deletion.erase(seated.person_on(table.id, 1))

    assert run("SELECT * FROM standing_answer") == []


def test_who_is_answered_for_is_mailed_no_question_and_all_others_are() -> None:
    table = opened_with(NO_TO_ALL)
    waits = run(
        "SELECT seat, due_at > kingup_now() FROM notice WHERE kind = 'election'"
        " AND game_id = :g ORDER BY seat",
        {"g": table.id},
    )

    assert waits == [(0, True), (1, False), (2, False)]


def test_what_was_taken_back_is_not_answered_ahead_again() -> None:
    table = seated.started(3, first=0)
    lay(table, 1, wishes_of_placing(("B", "2"), ("C", "2")))
    table.answer(0, Placement("A", "1"))
    given = table.decision
    time_passes()

    acts_taken_back.take_back(table.id, table.holder(1), given)
    time_passes()

    assert table.game.board.at == {"A": "1"}
    assert table.game.asked() == (1,)
