"""The clock that is stopped and goes on, and decisions that wait for longer."""

import pytest

from engine.board import Seat
from engine.commands import (
    EXTENSIONS,
    CancelGame,
    Command,
    ExtendDecision,
    PauseGame,
    ResumeGame,
    SeatBot,
)
from engine.errors import (
    AlreadyExtended,
    DecisionClosed,
    GameNotPaused,
    GameNotRunning,
    GamePaused,
    NoExtensionLeft,
    NoSuchDecision,
    Refusal,
)
from engine.events import Extended, Paused, Resumed, Timing, store
from engine.evolve import evolve
from engine.fairness import chain
from engine.notation import write
from engine.verify import verify
from tests.rig.engine.exported import exported
from tests.rig.engine.tables import Table, closed, settled

DAY = 86_400


def extended(table: Table) -> None:
    table.do(ExtendDecision(table.number, DAY))


def forge(table: Table, event: Timing) -> None:
    """Put an event into the record that no command led to."""
    row = store(event)
    assert row.public is not None
    table.rows.append(row)
    table.heads.append(chain(table.heads[-1], len(table.heads), row.public))


def test_pause_and_extension_are_record_events_of_exactly_these_bytes() -> None:
    table = settled()

    (paused,) = table.do(PauseGame())
    (resumed,) = table.do(ResumeGame())
    (longer,) = table.do(ExtendDecision(table.number, DAY))

    assert (paused, resumed) == (Paused(), Resumed())
    assert store(paused).public == b'{"type":"paused"}'
    assert store(resumed).public == b'{"type":"resumed"}'
    assert (
        store(longer).public
        == b'{"decision":%d,"seconds":86400,"type":"extended"}' % table.number
    )


def test_the_clock_changes_nothing_of_what_is_asked() -> None:
    table = settled()
    before = table.game

    table.do(PauseGame())
    extended(table)
    after = table.game

    assert (after.decision, after.asked()) == (before.decision, before.asked())
    assert (after.board, after.missed) == (before.board, before.missed)
    assert (after.paused, after.extended) == (True, (table.number,))


def test_answers_are_given_while_the_clock_stands_still() -> None:
    table = settled()
    table.do(PauseGame())

    table.move("A")

    assert table.game.paused


@pytest.mark.parametrize(
    ("done", "command", "refusal"),
    [
        ((PauseGame(),), PauseGame(), GamePaused),
        ((), ResumeGame(), GameNotPaused),
        ((PauseGame(), ResumeGame()), ResumeGame(), GameNotPaused),
        ((CancelGame(bytes(32)),), PauseGame(), GameNotRunning),
        ((CancelGame(bytes(32)),), ResumeGame(), GameNotRunning),
        ((), ExtendDecision(999, DAY), NoSuchDecision),
    ],
)
def test_the_clock_is_stopped_and_started_in_turn_while_the_game_runs(
    done: tuple[Command, ...], command: Command, refusal: type[Refusal]
) -> None:
    table = settled()
    for each in done:
        table.do(each)

    with pytest.raises(refusal):
        table.do(command)


def test_a_decision_waits_for_longer_once() -> None:
    table = settled()
    extended(table)

    with pytest.raises(AlreadyExtended) as refused:
        extended(table)

    assert refused.value.facts == {"decision": table.number}


def test_a_decision_that_is_over_waits_no_longer() -> None:
    table = settled()
    over = table.number
    table.move("A")

    with pytest.raises(DecisionClosed):
        table.do(ExtendDecision(over, DAY))


def test_three_decisions_of_a_game_wait_for_longer() -> None:
    table = settled()
    for _ in range(EXTENSIONS):
        extended(table)
        table.clock()

    with pytest.raises(NoExtensionLeft) as refused:
        extended(table)

    assert refused.value.facts == {"most": 3}


def test_a_game_that_is_called_off_in_its_pause_is_over_like_any_other() -> None:
    table = settled()
    table.do(PauseGame())

    table.do(CancelGame(table.seed))

    assert not table.game.paused
    assert verify(exported(table)).wrong is None


def test_a_record_with_pauses_and_extensions_is_true_to_the_verifier() -> None:
    table = settled()
    table.do(PauseGame())
    table.move("A")
    table.do(SeatBot(Seat(2), "steady"))
    extended(table)
    table.do(ResumeGame())

    whole = exported(table)

    assert verify(whole).wrong is None
    assert "\nextended " in write(whole)
    assert "\npaused\n" in write(whole)
    assert "\nresumed\n" in write(whole)


@pytest.mark.parametrize(
    "event",
    [Resumed(), Extended(1, DAY), Extended(999, DAY), Extended(12, 0)],
)
def test_a_clock_that_could_not_be_changed_so_is_named(event: Timing) -> None:
    table = settled()
    forge(table, event)

    wrong = verify(exported(table)).wrong

    assert wrong is not None
    assert (wrong.code, wrong.event) == ("wrong-timing", len(table.heads) - 1)


def test_the_clock_is_not_changed_before_the_start() -> None:
    table = closed()
    forge(table, Paused())

    wrong = verify(exported(table)).wrong

    assert wrong is not None
    assert wrong.code == "out-of-order"


def test_what_is_read_of_these_events_leads_to_the_same_state() -> None:
    game = settled().game

    assert evolve(evolve(game, Paused()), Resumed()) == game
    assert evolve(game, Extended(7, DAY)).extended == (7,)
