"""Taking a placement or move back, until anybody acts."""

from uuid import UUID

from engine.board import Seat
from engine.commands import TakeBack
from engine.errors import CannotTakeBack, GameNotRunning, SeatKept
from service.game import handlers
from service.game.unit_of_work import UnitOfWork
from service.store.games import GivenAnswer
from service.values.principals import Principal


def take_back(game_id: UUID, principal: Principal, decision: int) -> int:
    """Take back what the principal's seat answered; the decision it is asked instead.

    Again it does nothing, and gives the same number, for ever. Raises NotAtTable,
    BeyondTheRecord, GameNotRunning, SeatKept, or CannotTakeBack with why.
    """

    def act(work: UnitOfWork) -> None:
        locked = work.locked
        if work.game.running:
            handlers.check_put(locked, decision)
        if locked.seat is None:
            raise handlers.NotAtTable(game_id)
        if _reopened(locked.answer) is None:
            work.run(TakeBack(decision, Seat(locked.seat)))

    try:
        work = handlers.handle(game_id, principal, act, decision, beside=True)
    # As with two that bring the same answer at once: the refusal may be of what has
    # just been done.
    except (CannotTakeBack, GameNotRunning, SeatKept):
        again = _reopened(handlers.earlier(game_id, principal, decision))
        if again is None:
            raise
        return again
    return _reopened(work.locked.answer) or work.game.reopened


def _reopened(given: GivenAnswer | None) -> int | None:
    return None if given is None else given.reopened
