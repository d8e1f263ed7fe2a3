"""The one write path: lock the game, decide, write everything at once, commit, hint."""

from collections.abc import Callable
from typing import TypeAlias
from uuid import UUID

import msgspec

from engine.board import Seat
from engine.commands import Answer, GiveAnswer, ResolveElection, Source
from engine.errors import AlreadyAnswered, DecisionClosed, SeatKept, TakenBackAlready
from service.game import agreements, seatings, task_hints, timing
from service.game.unit_of_work import UnitOfWork
from service.store import answers, games
from service.store.games import GivenAnswer, Locked
from service.store.transactions import transaction
from service.values.conflicts import BeyondTheRecord
from service.values.lines import Line
from service.values.principals import Bot, Principal, System

Act: TypeAlias = Callable[[UnitOfWork], None]
"""What a request does to the locked game: it runs commands in the unit of work."""


class NotAtTable(Exception):
    """The principal has no seat in this game, or there is no such game."""


def handle(
    game_id: UUID,
    principal: Principal,
    act: Act,
    decision: int | None = None,
    *,
    beside: bool = False,
) -> UnitOfWork:
    """Let `act` run its commands on the locked game, and write what follows.

    `decision` is the one a mailed link must be for. With `beside` it may come from
    somebody whose seat a bot keeps. Returns what was written. Raises NotAtTable, a
    Refusal or UnreadableLog; then nothing has changed. An election whose cards are all
    in is resolved first, whoever comes.
    """
    # What is overdue is committed by itself, before what was asked for: a refusal of
    # that rolls back, and would undo the resolution with it.
    while True:
        with transaction():
            work = _write_inside(game_id, principal, act, decision, beside=beside)
        _send_hints(work)
        if not work.locked.game.election_complete:
            return work


def _write_inside(
    game_id: UUID,
    principal: Principal,
    act: Act,
    decision: int | None,
    *,
    beside: bool = False,
) -> UnitOfWork:
    """In the caller's transaction: what is overdue, or else what `act` wants."""
    locked = games.lock(game_id, principal, decision)
    if locked is None or not _may_act(locked, principal, beside=beside):
        raise NotAtTable(game_id)
    work = UnitOfWork(locked)
    # It may be the worker, the sweep or the next answer that comes: whoever is second
    # finds nothing to do.
    if locked.game.decision is not None and locked.game.election_complete:
        work.run(ResolveElection(locked.game.decision.number, work.sealed()))
    else:
        act(work)
    if work.entries:
        seatings.judge(work)
        seatings.welcome(work)
        agreements.judge(work)
        timing.judge(work)
        work.write()
    return work


def _may_act(locked: Locked, principal: Principal, *, beside: bool) -> bool:
    """Whether the principal plays the seat, or did before a bot came to keep it.

    By the state behind the lock: a seat may have changed hands during the wait for it.
    """
    if isinstance(principal, Bot):
        return locked.has_bot
    return beside or not locked.has_bot


def answer(
    game_id: UUID,
    principal: Principal,
    decision: int,
    given: Answer,
    line: Line | None = None,
) -> bytes:
    """Answer a decision for the principal's seat; the receipt, as JSON.

    A `line` is said with it. The same answer again gets the same receipt, for ever, and
    changes nothing, whatever line it brings; only what was taken back is refused.
    Raises NotAtTable, a Refusal, or BeyondTheRecord for a decision that was never put:
    whoever knows of it was asked it by a database that is gone.
    """
    source = Source.BOT if isinstance(principal, Bot) else Source.PERSON

    def act(work: UnitOfWork) -> None:
        _give(work, decision, given, source)
        if work.answers:
            work.say(line)

    try:
        # Whoever has left gets the receipts all the same of what they answered.
        work = handle(game_id, principal, act, decision, beside=True)
    # Two that bring the same answer at once: whoever waited for the lock sees the game
    # as it is, but the answers as they were before the wait (only the locked row is
    # read anew). So the refusal may be of one's own answer, which another statement
    # finds.
    except (DecisionClosed, AlreadyAnswered, SeatKept):
        before = earlier(game_id, principal, decision)
        if before is None:
            raise
        return _same_receipt(before, decision, given, source)
    if work.locked.answer is not None:
        return _same_receipt(work.locked.answer, decision, given, source)
    return work.answers[-1].receipt.encode()


def _give(work: UnitOfWork, decision: int, given: Answer, source: Source) -> None:
    """Take an answer in, unless the seat has answered the decision already."""
    locked = work.locked
    if work.game.running:
        check_put(locked, decision)
    if locked.answer is not None or locked.seat is None:
        return
    seat = Seat(locked.seat)
    if locked.has_bot and source is not Source.BOT:
        raise SeatKept(seat)
    work.run(GiveAnswer(decision, seat, given, source))


def check_put(locked: Locked, decision: int) -> None:
    """Raise BeyondTheRecord for a decision that was never put."""
    if decision > locked.game.last_decision:
        head = games.head_of(locked.record, locked.head)
        raise BeyondTheRecord(revision=locked.record, head=head)


def earlier(game_id: UUID, principal: Principal, decision: int) -> GivenAnswer | None:
    """What the seat has answered, read anew: it may have come in while we waited."""
    with transaction():
        locked = games.lock(game_id, principal, decision)
    return None if locked is None else locked.answer


def _same_receipt(
    before: GivenAnswer, decision: int, given: Answer, source: Source
) -> bytes:
    if before.source != source:
        raise DecisionClosed(decision)
    if before.reopened is not None:
        raise TakenBackAlready(decision, before.reopened)
    if before.answer != msgspec.json.encode(given):
        raise AlreadyAnswered(decision)
    return answers.current_receipt(before.receipt)


def resolve(game_id: UUID, decision: int) -> None:
    """Resolve an election in which every card is in; twice does the same as once.

    Leaves it to the caller, the worker, to post what there is to tell. Raises
    NotAtTable when there is no such game.
    """
    with transaction():
        resolve_inside(game_id, decision)


def resolve_inside(game_id: UUID, decision: int) -> None:
    """The same in the caller's transaction, which must end soon: it holds the game."""

    def act(work: UnitOfWork) -> None:
        """Nothing to do: no election is complete, or it has been resolved."""

    _write_inside(game_id, System(), act, decision)


def act_inside(game_id: UUID, act: Act) -> None:
    """Let the service itself do something, in the caller's transaction.

    Raises NotAtTable, a Refusal or UnreadableLog.
    """
    # What is overdue is resolved first, as in `handle`.
    resolved = True
    while resolved:
        work = _write_inside(game_id, System(), act, None)
        resolved = work.locked.game.election_complete


def _send_hints(work: UnitOfWork) -> None:
    game = work.game
    if game.decision is not None and game.election_complete:
        task_hints.send(task_hints.FOLLOW_UP, game.id, game.decision.number)
    elif work.tells_now:
        task_hints.send(task_hints.FOLLOW_UP, game.id)
