"""Proposals to call a game off: all agree who play a seat, or it goes on."""

from datetime import timedelta
from functools import partial

import pytest

from engine.board import Card
from engine.commands import Ballot, PlacementOption
from engine.errors import GameNotRunning, SeatKept
from engine.state import Phase
from service.game import table_acts
from service.store import clock
from service.values.conflicts import NoProposalLeft, ProposalClosed, ProposalOpen
from service.values.enums import ProposalState
from service.values.errors import NotFound
from tests.rig.service import proposing, seated
from tests.rig.service.races import Apps, together
from tests.rig.service.seated import Seated, run
from worker.clock import sweeper

DAY = timedelta(days=1)

pytestmark = pytest.mark.usefixtures("inside")


def lapses(table: Seated) -> int:
    rows = run(
        "SELECT 1 FROM due WHERE game_id = :g AND kind = 'lapse'", {"g": table.id}
    )
    return len(rows)


def test_a_game_is_called_off_once_all_agree() -> None:
    table = seated.started(3)
    proposing.propose(table)
    proposing.vote(table, 1)
    assert table.game.running
    assert proposing.latest(table).agreed == (0, 1)

    proposing.vote(table, 2)

    assert (table.game.phase, table.game.reason) == (Phase.OVER, "cancelled")
    assert table.game.winners == ()
    assert proposing.latest(table).state is ProposalState.AGREED
    assert lapses(table) == 0
    assert seated.kinds(table.id).count("game_over") == 3


def test_a_single_no_ends_it_at_once_and_the_game_goes_on() -> None:
    table = seated.started(3)
    proposing.propose(table)
    proposing.vote(table, 1)

    proposing.vote(table, 2, agrees=False)

    assert table.game.running
    assert proposing.latest(table).state is ProposalState.REFUSED
    assert lapses(table) == 0
    with pytest.raises(ProposalClosed) as refused:
        proposing.vote(table, 2)
    assert refused.value.facts == {"state": "refused"}


def test_whoever_agreed_may_say_no_while_it_is_open() -> None:
    table = seated.started(3)
    proposing.propose(table)

    proposing.vote(table, 0, agrees=False)

    assert proposing.latest(table).state is ProposalState.REFUSED


def test_silence_is_no_consent_and_it_lapses_after_three_days() -> None:
    table = seated.started(3, decision_time=14 * 86_400)
    proposing.propose(table)
    proposing.vote(table, 1)
    clock.shift(3 * DAY - timedelta(minutes=1))
    sweeper.sweep()
    assert proposing.latest(table).state is ProposalState.OPEN

    clock.shift(timedelta(minutes=1))
    sweeper.sweep()

    assert proposing.latest(table).state is ProposalState.LAPSED
    assert table.game.running
    assert lapses(table) == 0


def test_a_vote_after_its_time_counts_no_more_whether_the_worker_came_or_not() -> None:
    table = seated.started(3, decision_time=14 * 86_400)
    proposing.propose(table)
    proposing.vote(table, 1)
    clock.shift(3 * DAY)

    with pytest.raises(ProposalClosed) as refused:
        proposing.vote(table, 2)

    assert refused.value.facts == {"state": "lapsed"}
    assert table.game.running


def test_one_is_open_at_a_time_and_the_next_may_come_when_it_is_over() -> None:
    table = seated.started(3)
    proposing.propose(table)
    with pytest.raises(ProposalOpen) as refused:
        proposing.propose(table, 1)
    assert refused.value.facts == {"proposal": 1}

    proposing.vote(table, 1, agrees=False)

    assert proposing.propose(table, 1).number == 2


def test_one_that_nobody_ended_in_time_is_in_nobodys_way() -> None:
    table = seated.started(3, decision_time=14 * 86_400)
    proposing.propose(table)
    clock.shift(3 * DAY)

    assert proposing.propose(table, 1).number == 2
    assert (proposing.latest(table).seat, lapses(table)) == (1, 1)


def test_each_seat_has_two_in_a_game() -> None:
    table = seated.started(3)
    for number in (1, 2):
        proposing.propose(table)
        proposing.vote(table, 1, agrees=False, number=number)

    with pytest.raises(NoProposalLeft) as refused:
        proposing.propose(table)

    assert refused.value.facts == {"most": 2}
    assert proposing.propose(table, 1).number == 3


def test_bots_are_not_asked() -> None:
    table = seated.started(3, bots=1)
    proposing.propose(table)

    proposing.vote(table, 1)

    assert table.game.reason == "cancelled"


def test_when_somebody_leaves_whoever_is_left_decides() -> None:
    table = seated.started(3)
    proposing.propose(table)
    proposing.vote(table, 1)

    table_acts.depart(table.id, table.principals[2], 2)

    assert table.game.reason == "cancelled"
    types = run(
        "SELECT type FROM event WHERE game_id = :g ORDER BY position DESC LIMIT 2",
        {"g": table.id},
    )
    assert [kind for (kind,) in types] == ["game_over", "bot_seated"]


def test_when_one_who_agreed_leaves_the_others_are_still_asked() -> None:
    table = seated.started(3)
    proposing.propose(table)

    table_acts.depart(table.id, table.principals[0], 0)
    proposing.vote(table, 1)
    assert table.game.running

    proposing.vote(table, 2)
    assert table.game.reason == "cancelled"


def test_when_all_have_left_bots_play_on() -> None:
    table = seated.started(3)
    proposing.propose(table)

    for seat in range(3):
        table_acts.depart(table.id, table.principals[seat], seat)

    assert table.game.running
    assert proposing.latest(table).agreed == ()


def test_whoever_comes_back_to_a_seat_that_agreed_is_asked_anew() -> None:
    table = seated.started(3, placement=PlacementOption.RANDOM, rounds=2)
    proposing.propose(table)
    table_acts.depart(table.id, table.principals[0], 0)
    table.play_round()
    table_acts.come_back(table.id, table.principals[0], 0)
    proposing.vote(table, 1)

    proposing.vote(table, 2)

    assert table.game.running
    proposing.vote(table, 0)
    assert table.game.reason == "cancelled"


def test_whoever_is_left_alone_among_bots_needs_nobodys_consent() -> None:
    table = seated.started(3)
    for seat in (1, 2):
        table_acts.depart(table.id, table.principals[seat], seat)

    proposing.propose(table)

    assert table.game.reason == "cancelled"


def test_whose_seat_a_bot_keeps_proposes_nothing_and_has_no_vote() -> None:
    table = seated.started(3)
    table_acts.depart(table.id, table.principals[1], 1)

    with pytest.raises(SeatKept):
        proposing.propose(table, 1)
    proposing.propose(table)
    with pytest.raises(SeatKept):
        proposing.vote(table, 1)


def test_the_same_vote_again_changes_nothing() -> None:
    table = seated.started(3)
    proposing.propose(table)
    for _ in range(2):
        proposing.vote(table, 1)
    assert proposing.latest(table).agreed == (0, 1)
    for _ in range(2):
        proposing.vote(table, 2)
    assert table.game.reason == "cancelled"

    with pytest.raises(GameNotRunning):
        proposing.vote(table, 2, agrees=False)


def test_a_proposal_that_was_never_made_is_not_found() -> None:
    table = seated.started(3)

    with pytest.raises(NotFound):
        proposing.vote(table, 1, number=7)


def test_the_ballots_of_an_open_election_stay_sealed_for_ever() -> None:
    table = seated.started(3, placement=PlacementOption.RANDOM, rounds=1)
    table.nominate()
    table.answer(0, Ballot(Card.YES))
    proposing.propose(table)
    proposing.vote(table, 1)

    proposing.vote(table, 2)

    public = run(
        "SELECT type, convert_from(public, 'UTF8') FROM event"
        " WHERE game_id = :g AND public IS NOT NULL",
        {"g": table.id},
    )
    assert "election_resolved" not in {kind for kind, _ in public}
    assert not any("cards" in text for _, text in public)
    assert table.game.ballots == ()


def test_the_others_are_told_by_a_notice_and_whoever_proposed_it_is_not() -> None:
    table = seated.started(3)
    table_acts.depart(table.id, table.principals[2], 2)

    proposing.propose(table)

    told = run(
        "SELECT seat FROM notice WHERE game_id = :g AND kind = 'proposal'",
        {"g": table.id},
    )
    assert told == [(1,)]


def test_a_game_that_ends_by_itself_leaves_nothing_open() -> None:
    table = seated.started(3, rounds=1)
    proposing.propose(table)

    table.finish()

    assert table.game.reason == "finished"
    assert (proposing.latest(table).state, lapses(table)) == (ProposalState.LAPSED, 0)


def test_the_last_two_who_agree_at_once_call_it_off_once(apps: Apps) -> None:
    table = seated.started(3)
    proposing.propose(table)

    together(apps, [partial(proposing.vote, table, seat) for seat in (1, 2)])

    assert table.game.reason == "cancelled"
    over = run(
        "SELECT 1 FROM event WHERE game_id = :g AND type = 'game_over'", {"g": table.id}
    )
    assert len(over) == 1


def test_a_pause_ends_with_the_game_that_is_called_off() -> None:
    table = seated.started(3)
    table_acts.pause(table.id, table.principals[1], 2)
    proposing.propose(table)
    proposing.vote(table, 1)

    table_acts.depart(table.id, table.principals[2], 2)

    assert table.game.reason == "cancelled"
    assert run("SELECT 1 FROM due WHERE game_id = :g", {"g": table.id}) == []
