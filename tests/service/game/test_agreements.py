"""Proposals to call a game off: all agree who play a seat, or it goes on."""

from datetime import timedelta
from functools import partial

import pytest

from engine.board import Card, Seat
from engine.commands import Ballot, PlacementOption
from engine.errors import GameNotRunning, SeatKept
from engine.state import Phase
from service.game import table_acts
from service.people import deletion
from service.store import clock, proposals
from service.store.proposals import Proposal
from service.values.conflicts import NoProposalLeft, ProposalClosed, ProposalOpen
from service.values.enums import ProposalState
from service.values.errors import NotFound
from tests.rig.service import away, replaced, seated
from tests.rig.service.races import Apps, together
from tests.rig.service.seated import Seated, run
from worker.clock import sweeper

DAY = timedelta(days=1)

pytestmark = pytest.mark.usefixtures("inside")


def propose(table: Seated, seat: int = 0) -> Proposal:
    return table_acts.propose(table.id, table.principals[seat])


def vote(table: Seated, seat: int, *, agrees: bool = True, number: int = 1) -> None:
    table_acts.vote(table.id, table.principals[seat], number, agrees=agrees)


def latest(table: Seated) -> Proposal:
    found = proposals.latest(table.id)
    assert found is not None
    return found


def lapses(table: Seated) -> int:
    rows = run(
        "SELECT 1 FROM due WHERE game_id = :g AND kind = 'lapse'", {"g": table.id}
    )
    return len(rows)


def told(table: Seated, kind: str) -> list[int]:
    """The seats that a kind of notice was written for, in order."""
    asked = "SELECT seat FROM notice WHERE game_id = :g AND kind = :k ORDER BY seat"
    return [seat for (seat,) in run(asked, {"g": table.id, "k": kind})]


def test_a_game_is_called_off_once_all_agree() -> None:
    table = seated.started(3)
    propose(table)
    vote(table, 1)
    assert table.game.running
    assert latest(table).agreed == (0, 1)

    vote(table, 2)

    assert (table.game.phase, table.game.reason) == (Phase.OVER, "cancelled")
    assert table.game.winners == ()
    assert latest(table).state is ProposalState.AGREED
    assert lapses(table) == 0
    assert seated.kinds(table.id).count("game_over") == 3


def test_a_single_no_ends_it_at_once_and_the_game_goes_on() -> None:
    table = seated.started(3)
    propose(table)
    vote(table, 1)

    vote(table, 2, agrees=False)

    assert table.game.running
    assert latest(table).state is ProposalState.REFUSED
    assert lapses(table) == 0
    with pytest.raises(ProposalClosed) as refused:
        vote(table, 2)
    assert refused.value.facts == {"state": "refused"}


def test_whoever_agreed_may_say_no_while_it_is_open() -> None:
    table = seated.started(3)
    propose(table)

    vote(table, 0, agrees=False)

    assert latest(table).state is ProposalState.REFUSED


def test_silence_is_no_consent_and_it_lapses_after_three_days() -> None:
    table = seated.started(3, decision_time=14 * 86_400)
    propose(table)
    vote(table, 1)
    clock.shift(3 * DAY - timedelta(minutes=1))
    sweeper.sweep()
    assert latest(table).state is ProposalState.OPEN

    clock.shift(timedelta(minutes=1))
    sweeper.sweep()

    assert latest(table).state is ProposalState.LAPSED
    assert table.game.running
    assert lapses(table) == 0


def test_a_vote_after_its_time_counts_no_more_whether_the_worker_came_or_not() -> None:
    table = seated.started(3, decision_time=14 * 86_400)
    propose(table)
    vote(table, 1)
    clock.shift(3 * DAY)

    with pytest.raises(ProposalClosed) as refused:
        vote(table, 2)

    assert refused.value.facts == {"state": "lapsed"}
    assert table.game.running


def test_one_is_open_at_a_time_and_the_next_may_come_when_it_is_over() -> None:
    table = seated.started(3)
    propose(table)
    with pytest.raises(ProposalOpen) as refused:
        propose(table, 1)
    assert refused.value.facts == {"proposal": 1}

    vote(table, 1, agrees=False)

    assert propose(table, 1).number == 2


def test_one_that_nobody_ended_in_time_is_in_nobodys_way() -> None:
    table = seated.started(3, decision_time=14 * 86_400)
    propose(table)
    clock.shift(3 * DAY)

    assert propose(table, 1).number == 2
    assert (latest(table).seat, lapses(table)) == (1, 1)


def test_each_seat_has_two_in_a_game() -> None:
    table = seated.started(3)
    for number in (1, 2):
        propose(table)
        vote(table, 1, agrees=False, number=number)

    with pytest.raises(NoProposalLeft) as refused:
        propose(table)

    assert refused.value.facts == {"most": 2}
    assert propose(table, 1).number == 3


def test_bots_are_not_asked() -> None:
    table = seated.started(3, bots=1)
    propose(table)

    vote(table, 1)

    assert table.game.reason == "cancelled"


def test_when_somebody_leaves_whoever_is_left_decides() -> None:
    table = seated.started(3)
    propose(table)
    vote(table, 1)

    table_acts.depart(table.id, table.principals[2], 2)

    assert table.game.reason == "cancelled"
    types = run(
        "SELECT type FROM event WHERE game_id = :g ORDER BY position DESC LIMIT 2",
        {"g": table.id},
    )
    assert [kind for (kind,) in types] == ["game_over", "bot_seated"]


def test_when_one_who_agreed_leaves_the_others_are_still_asked() -> None:
    table = seated.started(3)
    propose(table)

    table_acts.depart(table.id, table.principals[0], 0)
    vote(table, 1)
    assert table.game.running

    vote(table, 2)
    assert table.game.reason == "cancelled"


def test_when_all_have_left_bots_play_on() -> None:
    table = seated.started(3)
    propose(table)

    for seat in range(3):
        table_acts.depart(table.id, table.principals[seat], seat)

    assert table.game.running
    assert latest(table).agreed == ()


def test_whoever_comes_back_to_a_seat_that_agreed_is_asked_anew() -> None:
    table = seated.started(3, placement=PlacementOption.RANDOM, rounds=2)
    propose(table)
    table_acts.depart(table.id, table.principals[0], 0)
    table.play_round()
    table_acts.come_back(table.id, table.principals[0], 0)
    vote(table, 1)

    vote(table, 2)

    assert table.game.running
    vote(table, 0)
    assert table.game.reason == "cancelled"


def test_who_is_away_and_will_be_back_is_asked_like_whoever_plays() -> None:
    table = seated.started(3)
    away.leaves_a_bot(table, 1)
    propose(table)
    vote(table, 2)
    assert table.game.running

    vote(table, 1)

    assert table.game.reason == "cancelled"
    assert told(table, "proposal") == [1, 2]
    assert told(table, "game_over") == [0, 1, 2]


def test_a_no_of_somebody_away_ends_it_and_so_does_their_silence() -> None:
    table = seated.started(3, decision_time=14 * 86_400)
    away.leaves_a_bot(table, 1)
    propose(table)
    vote(table, 1, agrees=False)
    assert latest(table).state is ProposalState.REFUSED
    propose(table)
    vote(table, 2, number=2)

    clock.shift(3 * DAY)
    sweeper.sweep()

    assert latest(table).state is ProposalState.LAPSED
    assert table.game.running


def test_who_agreed_and_is_away_since_agrees_still() -> None:
    table = seated.started(3)
    propose(table, 1)

    away.leaves_a_bot(table, 1)

    assert latest(table).agreed == (1,)
    for seat in (0, 2):
        vote(table, seat)
    assert table.game.reason == "cancelled"


@pytest.mark.parametrize("goes", ["leaves", "is erased"])
def test_when_who_is_away_goes_for_good_whoever_is_left_decides(goes: str) -> None:
    table = seated.started(3)
    away.leaves_a_bot(table, 1)
    propose(table)
    vote(table, 2)
    assert table.game.running

    if goes == "leaves":
        table_acts.depart(table.id, table.principals[1], 1)
    else:
        deletion.erase(seated.person_on(table.id, 1))

    assert table.game.reason == "cancelled"
    assert told(table, "game_over") == [0, 2]


def test_whom_a_kept_seat_has_gone_to_is_asked_before_they_play() -> None:
    table = replaced.kept()
    replaced.answer(replaced.asked(table))
    assert table.game.has_bot(Seat(replaced.KEPT))
    propose(table)
    for seat in (2, 3):
        vote(table, seat)
    assert table.game.running

    table_acts.vote(table.id, replaced.device_of(table), 1, agrees=True)

    assert table.game.reason == "cancelled"
    assert told(table, "proposal") == [replaced.KEPT, 2, 3]


def test_whoever_is_left_alone_among_bots_needs_nobodys_consent() -> None:
    table = seated.started(3)
    for seat in (1, 2):
        table_acts.depart(table.id, table.principals[seat], seat)

    propose(table)

    assert table.game.reason == "cancelled"


def test_whose_seat_a_bot_keeps_proposes_nothing_and_has_no_vote() -> None:
    table = seated.started(3)
    table_acts.depart(table.id, table.principals[1], 1)

    with pytest.raises(SeatKept):
        propose(table, 1)
    propose(table)
    with pytest.raises(SeatKept):
        vote(table, 1)


def test_the_same_vote_again_changes_nothing() -> None:
    table = seated.started(3)
    propose(table)
    for _ in range(2):
        vote(table, 1)
    assert latest(table).agreed == (0, 1)
    for _ in range(2):
        vote(table, 2)
    assert table.game.reason == "cancelled"

    with pytest.raises(GameNotRunning):
        vote(table, 2, agrees=False)


def test_a_proposal_that_was_never_made_is_not_found() -> None:
    table = seated.started(3)

    with pytest.raises(NotFound):
        vote(table, 1, number=7)


def test_the_ballots_of_an_open_election_stay_sealed_for_ever() -> None:
    table = seated.started(3, placement=PlacementOption.RANDOM, rounds=1)
    table.nominate()
    table.answer(0, Ballot(Card.YES))
    propose(table)
    vote(table, 1)

    vote(table, 2)

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

    propose(table)

    told = run(
        "SELECT seat FROM notice WHERE game_id = :g AND kind = 'proposal'",
        {"g": table.id},
    )
    assert told == [(1,)]


def test_a_game_that_ends_by_itself_leaves_nothing_open() -> None:
    table = seated.started(3, rounds=1)
    propose(table)

    table.finish()

    assert table.game.reason == "finished"
    assert (latest(table).state, lapses(table)) == (ProposalState.LAPSED, 0)


def test_the_last_two_who_agree_at_once_call_it_off_once(apps: Apps) -> None:
    table = seated.started(3)
    propose(table)

    together(apps, [partial(vote, table, seat) for seat in (1, 2)])

    assert table.game.reason == "cancelled"
    over = run(
        "SELECT 1 FROM event WHERE game_id = :g AND type = 'game_over'", {"g": table.id}
    )
    assert len(over) == 1


def test_a_pause_ends_with_the_game_that_is_called_off() -> None:
    table = seated.started(3)
    table_acts.pause(table.id, table.principals[1], 2)
    propose(table)
    vote(table, 1)

    table_acts.depart(table.id, table.principals[2], 2)

    assert table.game.reason == "cancelled"
    assert run("SELECT 1 FROM due WHERE game_id = :g", {"g": table.id}) == []
