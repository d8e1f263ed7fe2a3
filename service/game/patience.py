"""Games without a clock: a wait is ended by somebody at the table, or at last by us."""

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from engine.board import Seat
from engine.commands import AnswerByClock, CancelGame
from engine.errors import GameNotRunning
from engine.state import Kind, Phase
from service.game import handlers, pace, seatings
from service.game.unit_of_work import UnitOfWork
from service.store.games import Locked
from service.values.conflicts import HasClock, NotSilent
from service.values.principals import Principal, System


def end_wait(game_id: UUID, principal: Principal, decision: int) -> None:
    """Wait no longer for whoever is silent; for a decision that is over do nothing.

    A bot keeps the seat that a placement or a move was put to. In an election the clock
    lays Yes for all who have laid no card, and nobody is told for whom it did.

    Raises HasClock, NotSilent before its time, GameNotRunning before the start,
    BeyondTheRecord for what was never put, NotAtTable or UnreadableLog.
    """

    def act(work: UnitOfWork) -> None:
        locked = work.locked
        if locked.game.phase is Phase.TABLE:
            raise GameNotRunning(Phase.TABLE)
        if locked.practice or locked.game.table.decision_time is not None:
            raise HasClock
        handlers.check_put(locked, decision)
        if not _is_open(locked, decision):
            return
        if not _has_come(locked, pace.silent_from):
            raise NotSilent
        _end(work, decision)

    handlers.handle(game_id, principal, act)


def _end(work: UnitOfWork, decision: int) -> None:
    asked = work.locked.game.decision
    if asked is None:
        return
    match asked.kind:
        case Kind.ELECTION:
            work.run(AnswerByClock(decision, work.sealed()))
        case Kind.PLACEMENT | Kind.MOVE:
            for seat in work.locked.game.asked():
                seatings.lose(work, Seat(seat))


def call_off(game_id: UUID, decision: int) -> bool:
    """Call a game off whose open decision nobody answers; whether it did.

    Not before its time, and not for a decision that is over. Raises NotAtTable or
    UnreadableLog.
    """

    def act(work: UnitOfWork) -> None:
        locked = work.locked
        if _is_open(locked, decision) and _has_come(locked, pace.called_off_at):
            work.run(CancelGame(locked.seed))

    return bool(handlers.handle(game_id, System(), act).entries)


def _is_open(locked: Locked, decision: int) -> bool:
    asked = locked.game.decision
    return asked is not None and asked.number == decision


def _has_come(locked: Locked, moment: Callable[[datetime], datetime]) -> bool:
    """Whether a moment has come, by when the open decision was put."""
    return locked.opened_at is not None and locked.now >= moment(locked.opened_at)
