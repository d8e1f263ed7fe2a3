"""What players do beside answering: time, what all agree to, leaving, coming back."""

from uuid import UUID

from engine.board import Seat
from service.game import agreements, handlers, seatings, task_hints, timing
from service.game.unit_of_work import UnitOfWork
from service.store.proposals import Proposal
from service.values.errors import Forbidden
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


def depart(game_id: UUID, principal: Principal, seat: int) -> None:
    """Leave one's seat to a bot; again it does nothing. A card laid stays.

    Raises NotAtTable, Forbidden for another's seat, GameNotRunning or UnreadableLog.
    """

    def act(work: UnitOfWork) -> None:
        seatings.leave(work, _own_seat(work, seat))

    handlers.handle(game_id, principal, act, beside=True)


def come_back(
    game_id: UUID, principal: Principal, seat: int, decision: int | None = None
) -> None:
    """Play a seat oneself again that a bot has kept; again it does nothing.

    `decision` is the one that a mailed link was for. Raises CardsNotOpen in the round
    in which the bot took it, and what `depart` raises.
    """

    def act(work: UnitOfWork) -> None:
        seatings.seat_person(work, _own_seat(work, seat))

    handlers.handle(game_id, principal, act, decision, beside=True)


def _own_seat(work: UnitOfWork, seat: int) -> Seat:
    if work.locked.seat != seat:
        raise Forbidden(reason="not-your-seat")
    return Seat(seat)


def vacate_inside(game_id: UUID, seat: int) -> None:
    """Let a bot play a seat whose person is erased, in the caller's transaction.

    Raises NotAtTable, GameNotRunning or UnreadableLog.
    """
    handlers.act_inside(game_id, lambda work: seatings.leave(work, Seat(seat)))


def welcome_inside(game_id: UUID, seat: int) -> None:
    """Let whom a kept seat has gone to play it, in the caller's transaction.

    Does nothing as long as its cards aren't open: they come in at the next deal. Raises
    NotAtTable or UnreadableLog.
    """
    handlers.act_inside(game_id, lambda work: seatings.come_in(work, Seat(seat)))
