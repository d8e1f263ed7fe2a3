"""Records that are true: whole ones, running ones, and those called off."""

import pytest
from msgspec.structs import replace

from engine.commands import CancelGame, Chair, CreateGame
from engine.export import Export
from engine.verify import CODES, Check, State, verify
from tests.rig.engine import naive_verifier, random_games
from tests.rig.engine.changes import edited, numbers
from tests.rig.engine.exported import cancelled, exported
from tests.rig.engine.tables import Table, closed
from tests.rig.engine.verified import CHAIRS, cut, sample, stages, wrong

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
    assert hands.detail.startswith("4 cards")


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


@pytest.mark.parametrize("pace", [None, 60, 300, 86400, 60 * 86400])
def test_every_pace_that_a_service_can_give_is_true(pace: int | None) -> None:
    assert wrong(sample(pace=pace)) is None


def test_a_bot_of_another_version_is_told_and_not_wrong() -> None:
    chairs = (*CHAIRS[:2], Chair("bot", "cunning-2"), Chair("bot", "steady"))

    report = verify(sample(chairs=chairs))

    assert report.wrong is None
    table = next(line for line in report.lines if line.check is Check.TABLE)
    assert table.state is State.OK
    assert table.detail == "classic, rules 1, 4 seats, unknown bot 'cunning-2'"


def test_an_empty_record_is_wrong_and_named() -> None:
    empty = replace(sample(), record=(), versions=())

    assert wrong(empty) == ("breaks-off", 1, None, None)


def lines(export: Export) -> dict[Check, str]:
    return {
        line.check: f"{line.state.value} {line.detail}" for line in verify(export).lines
    }


def test_before_the_table_closes_words_and_table_are_sealed() -> None:
    running = cut(sample(), 1)
    draft = Table()
    draft.do(CreateGame(draft.seed, b""))
    draft.do(CancelGame(draft.seed))

    found, called_off = states(running), lines(exported(draft))

    assert found[Check.WORDS] is found[Check.TABLE] is State.SEALED
    assert called_off[Check.TABLE] == "ok never closed"
    assert called_off[Check.FIRST] == "ok no seats began as drawn or chosen"


def test_a_record_without_an_end_says_that_it_can_be_old_or_cut() -> None:
    found = lines(cut(sample(), 25))

    assert found[Check.END] == "sealed no end: the game runs, or the file is old or cut"


def test_decisions_are_counted_up_to_an_event_that_contradicts_itself() -> None:
    forged = edited(sample(), 17, lambda e: e.update(to="throne"))

    assert lines(forged)[Check.DECISIONS] == "ok up to event 17: 13 counted"


def test_every_code_belongs_to_a_check_that_is_told() -> None:
    assert set(CODES.values()) | {Check.CHAIN} == set(Check)
