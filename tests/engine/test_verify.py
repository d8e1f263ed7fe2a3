"""Records that are true: whole ones, running ones, and those called off."""

import pytest
from msgspec.structs import replace

from engine.commands import CancelGame, Chair, CreateGame
from engine.export import Export
from engine.verify import CODES, Check, Receipt, State, verify
from tests.engine import naive_proof, naive_verifier, random_games
from tests.engine.changes import numbers
from tests.engine.tables import Table, closed, options, settled
from tests.engine.test_export import cancelled, exported, finished
from tests.engine.verified import CHAIRS, WORDS, cut, sample, stages, wrong

PLACES = [("classic", "choose"), ("classic", "random"), ("jester", "choose")]


@pytest.mark.parametrize("number", range(33))
def test_games_of_both_editions_are_true_to_both_verifiers(number: int) -> None:
    whole = exported(random_games.game(number))

    report = verify(whole)

    naive_verifier.check(whole.game, list(whole.record))
    assert report.wrong is None
    assert {line.state for line in report.lines} == {State.OK}
    assert [line.check for line in report.lines] == list(Check)[: len(report.lines)]


@pytest.mark.parametrize("history", ["table", "open"])
@pytest.mark.parametrize(("edition", "placement"), PLACES)
def test_a_running_game_is_true_as_far_as_it_is_open(
    edition: str, placement: str, history: str
) -> None:
    *running, whole = stages(sample(edition, placement, history))

    assert len(running) > 20
    assert not verify(whole).sealed
    for export in running:
        report = verify(export)
        assert report.wrong is None
        assert report.sealed


def states(export: Export) -> dict[Check, State]:
    return {line.check: line.state for line in verify(export).lines}


def test_what_is_bound_is_sealed_until_its_round_is_over() -> None:
    whole = sample()
    (first, _) = numbers(whole, "round_scored")
    (resolved, *_) = numbers(whole, "election_resolved")

    in_round_one = states(cut(whole, resolved))
    in_round_two = states(cut(whole, first + 1))

    sealed = {c for c, state in in_round_one.items() if state is State.SEALED}
    assert {Check.SEED, Check.DECK, Check.DEALS, Check.BALLOTS, Check.HANDS} <= sealed
    assert {Check.FIRST, Check.CLOCK, Check.END} <= sealed
    assert in_round_one[Check.RULES] is in_round_one[Check.LOTS] is State.OK
    assert in_round_two[Check.BALLOTS] is in_round_two[Check.HANDS] is State.OK
    assert in_round_two[Check.DECK] is State.SEALED


def test_with_open_history_ballots_are_checked_while_the_round_runs() -> None:
    whole = sample(history="open")
    (resolved, *_) = numbers(whole, "election_resolved")

    found = states(cut(whole, resolved))

    assert found[Check.BALLOTS] is found[Check.HANDS] is State.OK


@pytest.mark.parametrize("history", ["table", "open"])
def test_a_game_called_off_is_checked_to_its_last_card(history: str) -> None:
    found = verify(exported(cancelled(history)))

    hands = next(line for line in found.lines if line.check is Check.HANDS)
    assert found.wrong is None
    assert not found.sealed
    assert hands.told.startswith("4 cards")


def test_a_draft_called_off_has_no_key_and_is_true() -> None:
    table = Table()
    table.do(CreateGame(table.seed, b"w" * 32))
    table.do(CancelGame(table.seed))

    assert wrong(exported(table)) is None
    assert not verify(exported(table)).sealed


def test_a_closed_table_called_off_before_the_start_is_true() -> None:
    table = closed()
    table.do(CancelGame(table.seed))

    assert wrong(exported(table)) is None


def test_shared_victories_are_true() -> None:
    numbered = (random_games.game(number) for number in range(60))
    shared = [table for table in numbered if len(table.game.winners) > 1]

    assert shared
    assert all(wrong(exported(table)) is None for table in shared)


def test_names_are_no_part_of_the_record() -> None:
    whole = sample()
    renamed = replace(whole, names=("Mallory",) * len(whole.names))

    assert verify(renamed).lines == verify(whole).lines


def test_ones_own_word_is_found_in_the_record() -> None:
    whole = sample()

    true = verify(whole, words={**WORDS, 2: ""})
    forged = verify(whole, words={1: "Luck"})
    running = verify(cut(whole, 1), words={0: " Wu\u0308rfel ", 1: "luck"})

    assert true.wrong is None
    assert forged.wrong is not None
    assert (forged.wrong.code, forged.wrong.seat) == ("own-word-differs", 1)
    assert [line.state for line in running.lines[-2:]] == [State.OK, State.SEALED]


@pytest.mark.parametrize("pace", [None, 60, 300, 86400, 60 * 86400])
def test_every_pace_that_a_service_can_give_is_true(pace: int | None) -> None:
    assert wrong(sample(pace=pace)) is None


def test_a_bot_of_another_version_is_told_and_not_wrong() -> None:
    chairs = (*CHAIRS[:2], Chair("bot", "cunning-2"), Chair("bot", "steady"))

    report = verify(sample(chairs=chairs))

    assert report.wrong is None
    table = next(line for line in report.lines if line.check is Check.TABLE)
    assert table.state is State.OK
    assert table.told == "classic, rules 1, 4 seats, unknown bot 'cunning-2'"


@pytest.mark.parametrize("text", ["x" * 65, "luck"])
def test_a_word_too_long_or_of_no_seat_is_not_the_records(text: str) -> None:
    report = verify(sample(), words={4: text})

    assert report.wrong is not None
    assert report.wrong.code == "own-word-differs"


def test_ones_own_ballot_is_found_in_the_record() -> None:
    table = finished()
    bound = [e.ballots for e in table.log if hasattr(e, "ballots")]
    first = table.game.elections[0].decision
    whole = exported(table)

    true = verify(whole, receipts=[Receipt(first, 1, bound[0][1])])
    other = verify(whole, receipts=[Receipt(first, 1, bound[0][2])])
    none = verify(whole, receipts=[Receipt(first - 1, 1, bound[0][1])])

    assert true.wrong is None
    assert other.wrong is not None
    assert none.wrong is not None
    assert other.wrong.code == none.wrong.code == "own-ballot-differs"
    assert (other.wrong.decision, other.wrong.seat) == (first, 1)


def test_a_ballot_of_an_election_still_open_is_sealed() -> None:
    table = settled(chosen=options(rounds=1))
    table.nominate("A")
    receipt = Receipt(table.number, 1, "00" * 32)

    report = verify(exported(table), receipts=[receipt])

    assert report.wrong is None
    assert report.lines[-1].state is State.SEALED


def test_a_ballot_that_a_cancellation_left_open_is_known_by_the_key() -> None:
    table = cancelled("table")
    number, key = table.game.last_decision, table.sealed.key
    bound = naive_proof.ballot(table.game.id, key, number, 0, "no")

    true = verify(exported(table), receipts=[Receipt(number, 0, bound)])
    forged = verify(exported(table), receipts=[Receipt(number, 1, bound)])

    assert true.wrong is None
    assert forged.wrong is not None
    assert forged.wrong.code == "own-ballot-differs"


def test_an_empty_record_is_wrong_and_named() -> None:
    empty = replace(sample(), record=(), versions=())

    assert wrong(empty) == ("breaks-off", 1, None, None)


def test_a_record_that_cant_be_read_has_nothing_to_compare_words_with() -> None:
    broken = replace(sample(), record=(b"{}",), versions=(1,))

    report = verify(broken, words={0: "Würfel"})

    assert report.wrong is not None
    assert report.wrong.code == "unknown-event"
    assert Check.WORD not in [line.check for line in report.lines]


def test_every_code_belongs_to_a_check_that_is_told() -> None:
    assert set(CODES.values()) | {Check.CHAIN} == set(Check)
