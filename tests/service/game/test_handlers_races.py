"""The write path under races: threads of two processes' worth of engines at once."""

from functools import partial
from uuid import UUID

import pytest

from engine.board import Card
from engine.commands import Ballot, Placement
from engine.errors import AlreadyAnswered
from service.game import handlers
from tests.rig.service import deadline_races, seated
from tests.rig.service.races import Apps, together
from tests.rig.service.seated import Seated, run

YES, NO = Card.YES, Card.NO
ROUNDS = 12
PLACED = "SELECT count(*) FROM event WHERE game_id = :g AND type = 'placed'"


def resolve_often(game_id: UUID, decision: int) -> None:
    """What several workers and sweeps may do at once."""
    for _ in range(8):
        handlers.resolve(game_id, decision)


def counts(table: Seated, decision: int) -> dict[str, int]:
    """How often each thing about an election was written."""
    values = {"g": table.id, "d": decision}
    [(resolved, ballots, answers)] = run(
        """SELECT (SELECT count(*) FROM event WHERE game_id = :g AND decision = :d),
        (SELECT count(*) FROM event WHERE game_id = :g AND type = 'ballot_cast'
         AND convert_from(secret, 'UTF8')::json->>'decision' = CAST(:d AS text)),
        (SELECT count(*) FROM answer WHERE game_id = :g AND decision = :d)""",
        values,
    )
    return {"resolved": resolved, "ballots": ballots, "answers": answers}


@pytest.mark.parametrize("no", [True, False])
def test_ballots_that_arrive_together_are_all_taken_and_resolved_once(
    apps: Apps, no: bool
) -> None:
    for _ in range(ROUNDS):
        table = seated.in_election(6)
        decision = table.decision
        cards = [NO if no and seat in (1, 4) else YES for seat in range(6)]

        acts = [
            *(
                partial(table.answer, s, Ballot(c), decision)
                for s, c in enumerate(cards)
            ),
            partial(resolve_often, table.id, decision),
            partial(resolve_often, table.id, decision),
        ]
        receipts = together(apps, acts)
        handlers.resolve(table.id, decision)

        assert all(isinstance(receipt, bytes) for receipt in receipts[:6]), receipts
        assert counts(table, decision) == {"resolved": 1, "ballots": 6, "answers": 6}
        game = table.game
        assert game.running == no
        if no:
            assert game.elections[0].cards == tuple(cards)
            assert game.asked() == (game.left_of(game.elections[0].mover),)


def test_the_last_card_makes_the_resolution_due_whichever_it_is(
    apps: Apps,
) -> None:
    for _ in range(ROUNDS):
        table = seated.in_election(6)
        decision = table.decision
        receipts = together(
            apps,
            [partial(table.answer, seat, Ballot(YES), decision) for seat in range(6)],
        )

        assert all(isinstance(receipt, bytes) for receipt in receipts)
        assert table.game.election_complete
        due = "SELECT count(*) FROM due WHERE game_id = :g AND kind = 'resolve'"
        assert run(due, {"g": table.id}) == [(1,)]


def test_the_same_answer_at_once_is_written_once_with_one_receipt(
    apps: Apps,
) -> None:
    for _ in range(ROUNDS):
        table = seated.started(3, first=1)
        act = partial(table.answer, 1, Placement("A", "4"), 1)
        receipts = together(apps, [act] * 8)

        assert len(set(receipts)) == 1, receipts
        assert isinstance(receipts[0], bytes)
        assert run(PLACED, {"g": table.id}) == [(1,)]
        assert counts(table, 1)["answers"] == 1


def test_of_different_answers_at_once_one_is_taken_and_the_others_are_refused(
    apps: Apps,
) -> None:
    for _ in range(ROUNDS):
        table = seated.started(3, first=1)
        acts = [partial(table.answer, 1, Placement(c, "4"), 1) for c in "ABCDEF"]
        results = together(apps, acts)

        taken = [result for result in results if isinstance(result, bytes)]
        refused = [r for r in results if isinstance(r, AlreadyAnswered)]
        assert (len(taken), len(refused)) == (1, 5), results
        assert run(PLACED, {"g": table.id}) == [(1,)]


def test_the_last_ballot_against_the_deadline_one_of_the_two_counts(
    apps: Apps,
) -> None:
    assert deadline_races.last_card(apps, ROUNDS).total() == ROUNDS
