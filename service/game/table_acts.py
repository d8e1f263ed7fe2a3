"""What players do about their table beside answering: time, and what all agree to."""

from uuid import UUID

from service.game import agreements, handlers, task_hints, timing
from service.game.unit_of_work import UnitOfWork
from service.store.proposals import Proposal
from service.values.principals import Principal, System


def pause(game_id: UUID, principal: Principal, days: int) -> None:
    """Pause the game by the principal's seat; see `timing.begin`, also for refusals.

    Raises NotAtTable.
    """

    def act(work: UnitOfWork) -> None:
        timing.begin(work, days)

    handlers.handle(game_id, principal, act, beside=True)


def resume(game_id: UUID, principal: Principal) -> None:
    """End the pause of the principal's seat; see `timing.end`, also for refusals.

    Raises NotAtTable.
    """
    handlers.handle(game_id, principal, timing.end, beside=True)


def end_pauses(game_id: UUID) -> None:
    """End the pauses of a game whose time is over. Raises NotAtTable."""
    handlers.handle(game_id, System(), timing.run_out)


def extend(game_id: UUID, principal: Principal, decision: int) -> None:
    """Have a decision wait for longer; see `timing.extend`, also for refusals.

    Raises NotAtTable, and BeyondTheRecord for a decision that was never put.
    """

    def act(work: UnitOfWork) -> None:
        if work.game.running:
            handlers.check_put(work.locked, decision)
        timing.extend(work, decision)

    handlers.handle(game_id, principal, act, beside=True)


def propose(game_id: UUID, principal: Principal) -> Proposal:
    """Propose to call the game off; see `agreements.propose`, also for refusals.

    Returns what was proposed. Raises NotAtTable.
    """
    made: list[Proposal] = []

    def act(work: UnitOfWork) -> None:
        made.append(agreements.propose(work))

    work = handlers.handle(game_id, principal, act, beside=True)
    if not work.locked.practice:
        task_hints.send(task_hints.FOLLOW_UP, str(game_id))
    return made[-1]


def vote(game_id: UUID, principal: Principal, number: int, *, agrees: bool) -> None:
    """Agree to a proposal, or don't; see `agreements.vote`, also for refusals.

    Raises NotAtTable.
    """

    def act(work: UnitOfWork) -> None:
        agreements.vote(work, number, agrees=agrees)

    handlers.handle(game_id, principal, act, beside=True)


def let_lapse(game_id: UUID) -> None:
    """End a proposal to which not all have agreed in time. Raises NotAtTable."""
    handlers.handle(game_id, System(), agreements.let_lapse)
