from itertools import product

import pytest

from engine.board import Card, Seat, Verdict
from engine.commands import Ballot, History, ResolveElection
from engine.editions import EDITIONS
from engine.errors import (
    AlreadyAnswered,
    CardNotHeld,
    DecisionClosed,
    ElectionNotComplete,
    NoSuchDecision,
    WrongKind,
)
from engine.events import BallotCast, ElectionResolved
from engine.state import Kind, Phase
from tests.rig.engine.tables import (
    PAUL,
    RACHEL,
    SIMON,
    TERRY,
    Table,
    options,
    settled,
    started,
)


def election(seats: int = 4, history: str = "table") -> Table:
    table = settled(seats, options(history=history))
    table.nominate("A")
    return table


def last_resolved(table: Table) -> ElectionResolved:
    return [e for e in table.log if isinstance(e, ElectionResolved)][-1]


@pytest.mark.parametrize(("seats", "noes"), [(3, 4), (4, 3), (5, 2), (6, 2)])
def test_every_hand_holds_one_yes_and_4_3_2_or_2_no(seats: int, noes: int) -> None:
    table = started(seats)

    assert table.game.hands == ((Card.YES, *[Card.NO] * noes),) * seats
    assert table.view().hand == (Card.YES, *[Card.NO] * noes)


@pytest.mark.parametrize("cards", list(product(("yes", "no"), repeat=4)))
def test_all_yes_crowns_and_one_no_or_more_refuses(cards: tuple[str, ...]) -> None:
    table = election()

    table.vote(*cards)

    crowned = cards == ("yes",) * 4
    verdict = last_resolved(table).verdict
    assert verdict is (Verdict.CROWNED if crowned else Verdict.REFUSED)
    assert last_resolved(table).to == ("throne" if crowned else "out")


def test_one_no_among_yes_votes_puts_the_nominee_out_of_the_round() -> None:
    table = election()

    table.vote("yes", "yes", "no", "yes")

    assert table.game.board.at["A"] == "out"
    assert table.game.board.on("throne") == ()


def test_every_seat_is_asked_the_mover_too() -> None:
    table = election()

    assert table.game.asked() == (RACHEL, SIMON, TERRY, PAUL)
    assert table.game.crown in table.game.asked()


def test_yes_cards_return_and_no_cards_played_are_gone_for_the_round() -> None:
    table = election()

    table.vote("yes", "no", "no", "yes")

    assert table.game.hands == (
        (Card.YES, Card.NO, Card.NO, Card.NO),
        (Card.YES, Card.NO, Card.NO),
        (Card.YES, Card.NO, Card.NO),
        (Card.YES, Card.NO, Card.NO, Card.NO),
    )


def test_hands_are_whole_again_in_the_next_round() -> None:
    table = election()
    table.vote("no", "no", "no", "no")
    table.crown("B")

    assert table.game.round == 2
    assert table.game.hands == ((Card.YES, Card.NO, Card.NO, Card.NO),) * 4


def test_after_a_refusal_the_player_left_of_the_crown_moves() -> None:
    table = election()
    assert table.game.crown == SIMON

    table.vote("no", "yes", "yes", "yes")

    assert table.turn == TERRY
    assert last_resolved(table).next == TERRY
    assert table.game.crown == SIMON


def test_an_election_is_never_decided_before_every_card_is_in() -> None:
    table = election()
    for seat in (RACHEL, SIMON, PAUL):
        table.lay(seat, "no")

        with pytest.raises(ElectionNotComplete) as refused:
            table.resolve()

        assert refused.value.code == "election-not-complete"
        assert refused.value.facts == {"decision": 15}
        assert not table.game.election_complete


def test_the_last_card_alone_does_not_turn_the_others_over() -> None:
    table = election()
    for seat in (PAUL, SIMON, RACHEL):
        table.lay(seat, "yes")

    (event,) = table.lay(TERRY, "no")

    assert isinstance(event, BallotCast)
    assert table.game.election_complete
    assert table.game.asked() == ()


def test_an_election_is_resolved_once() -> None:
    table = election()
    number = table.number
    table.vote("yes", "no", "yes", "yes")
    resolved = last_resolved(table)

    with pytest.raises(DecisionClosed) as refused:
        table.do(ResolveElection(number, table.sealed))
    with pytest.raises(DecisionClosed):
        table.answer_number(number)

    assert refused.value.code == "decision-closed"
    assert refused.value.facts == {"decision": number}
    assert last_resolved(table) is resolved


def test_cards_may_be_laid_in_any_order_and_are_shown_in_seat_order() -> None:
    table = election(history="open")
    for seat, card in ((PAUL, "yes"), (SIMON, "no"), (RACHEL, "yes"), (TERRY, "no")):
        table.lay(seat, card)

    table.resolve()

    assert last_resolved(table).cards == (Card.YES, Card.NO, Card.NO, Card.YES)


@pytest.mark.parametrize("second", ["yes", "no"])
def test_a_card_laid_is_final(second: str) -> None:
    table = election()
    table.lay(RACHEL, "no")

    with pytest.raises(AlreadyAnswered) as refused:
        table.lay(RACHEL, second)

    assert refused.value.code == "already-answered"
    assert refused.value.facts == {"decision": 15}
    assert table.game.ballots == (Card.NO, None, None, None)


def test_a_card_that_is_not_held_is_not_laid() -> None:
    table = election(5)
    for letter in "BC":
        table.vote("no", "yes", "yes", "yes", "yes")
        table.nominate(letter)

    with pytest.raises(CardNotHeld) as refused:
        table.lay(RACHEL, "no")

    assert refused.value.code == "card-not-held"
    assert refused.value.facts == {"card": "no"}


def test_classic_has_no_stomachache_card() -> None:
    table = election()

    with pytest.raises(CardNotHeld):
        table.lay(RACHEL, "stomachache")

    assert Card.STOMACHACHE not in EDITIONS["classic"].cards


def test_an_election_is_not_answered_with_a_move() -> None:
    table = election()

    with pytest.raises(WrongKind) as refused:
        table.move("B", seat=RACHEL)

    assert refused.value.facts == {"asked": "election"}


def test_a_player_whose_only_card_is_yes_is_asked_and_waited_for() -> None:
    table = election(5)
    for letter in "BC":
        table.vote("no", "yes", "yes", "yes", "yes")
        table.nominate(letter)
    assert table.game.hands[RACHEL] == (Card.YES,)
    for seat in (SIMON, TERRY, PAUL, Seat(4)):
        table.lay(seat, "yes")

    assert table.game.asked() == (RACHEL,)
    assert table.legal(RACHEL) == (Ballot(Card.YES),)
    with pytest.raises(ElectionNotComplete):
        table.resolve()
    table.lay(RACHEL, "yes")
    table.resolve()
    assert last_resolved(table).verdict is Verdict.CROWNED


def test_the_question_looks_the_same_whatever_a_hand_holds() -> None:
    table = election(5)
    for letter in "BC":
        table.vote("no", "yes", "yes", "yes", "yes")
        table.nominate(letter)

    decision = table.view(RACHEL).decision

    assert decision is not None
    assert decision.offers == (Ballot(Card.YES), Ballot(Card.NO))
    assert decision == table.view(SIMON).decision == table.view().decision


def test_a_coronation_ends_the_round_at_once() -> None:
    table = election()

    events = table.vote("yes", "yes", "yes", "yes")

    kinds = [type(event).__name__ for event in events]
    assert kinds == ["ElectionResolved", "RoundScored", "RoundStarted"]
    assert last_resolved(table).next is None
    assert table.game.phase is Phase.PLACEMENT


def test_a_decision_not_yet_put_is_refused() -> None:
    table = election()

    for number in (16, 0, -1):
        with pytest.raises(NoSuchDecision) as refused:
            table.answer_number(number)

        assert refused.value.code == "no-such-decision"
        assert refused.value.facts == {"decision": number}


def test_an_elections_cards_stay_out_of_the_record_at_a_classic_table() -> None:
    table = election(history="table")

    table.vote("yes", "no", "yes", "yes")

    resolved = last_resolved(table)
    assert (resolved.cards, resolved.salts) == (None, None)
    assert b'"cards":null' in table.record[-1]


def test_an_open_table_writes_the_cards_into_the_record() -> None:
    table = election(history="open")

    table.vote("yes", "no", "yes", "yes")

    resolved = last_resolved(table)
    assert table.game.table.ballot_history is History.OPEN
    assert resolved.cards == (Card.YES, Card.NO, Card.YES, Card.YES)
    assert resolved.salts is not None
    assert len(set(resolved.salts)) == 4


def test_every_ballot_of_a_round_is_opened_when_the_round_is_over() -> None:
    table = election(history="table")
    table.vote("yes", "no", "yes", "yes")
    table.nominate("B")

    _, scored, _ = table.vote("yes", "yes", "yes", "yes")

    assert (
        b'"elections":[{"cards":["yes","no","yes","yes"],"decision":15,'
        in (table.record[-2])
    )
    assert len(getattr(scored, "elections", ())) == 2
    assert table.game.decision is not None
    assert table.game.decision.kind is Kind.PLACEMENT
