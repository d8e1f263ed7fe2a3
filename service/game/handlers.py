"""The one write path: lock the game, decide, write everything at once, commit, hint."""

from collections.abc import Callable
from typing import TypeAlias
from uuid import UUID

import msgspec

from engine.board import Seat
from engine.commands import (
    Answer,
    AnswerByClock,
    GiveAnswer,
    ResolveElection,
    Source,
)
from engine.errors import (
    AlreadyAnswered,
    DecisionClosed,
    GamePaused,
    SeatKept,
    TakenBackAlready,
)
from engine.state import Kind
from service.game import (
    agreements,
    consequences,
    deadlines,
    excusing,
    pace,
    seatings,
    task_hints,
    timing,
)
from service.game.unit_of_work import UnitOfWork
from service.store import answers, due, event_log, games, spare_time
from service.store.games import GivenAnswer, Locked
from service.store.transactions import transaction
from service.values.enums import DueKind
from service.values.errors import (
    BeyondTheRecord,
    Forbidden,
    NoDeadline,
    NotPractice,
)
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


def depart(game_id: UUID, principal: Principal, seat: int) -> None:
    """Leave one's seat to a bot; again it does nothing. A card laid stays.

    Raises NotAtTable, Forbidden for another's seat, GameNotRunning or UnreadableLog.
    """

    def act(work: UnitOfWork) -> None:
        seatings.seat_bot(work, _own_seat(work, seat))

    handle(game_id, principal, act, beside=True)


def come_back(
    game_id: UUID, principal: Principal, seat: int, decision: int | None = None
) -> None:
    """Play a seat oneself again that a bot has kept; again it does nothing.

    `decision` is the one that a mailed link was for. Raises CardsNotOpen in the round
    in which the bot took it, and what `depart` raises.
    """

    def act(work: UnitOfWork) -> None:
        seatings.seat_person(work, _own_seat(work, seat))

    handle(game_id, principal, act, decision, beside=True)


def _own_seat(work: UnitOfWork, seat: int) -> Seat:
    if work.locked.seat != seat:
        raise Forbidden(reason="not-your-seat")
    return Seat(seat)


def vacate_inside(game_id: UUID, seat: int) -> None:
    """Let a bot play a seat whose person is erased, in the caller's transaction.

    Raises NotAtTable, GameNotRunning or UnreadableLog.
    """
    _act_inside(game_id, lambda work: seatings.seat_bot(work, Seat(seat)))


def welcome_inside(game_id: UUID, seat: int) -> None:
    """Let whom a kept seat has gone to play it, in the caller's transaction.

    Does nothing as long as its cards aren't open: they come in at the next deal. Raises
    NotAtTable or UnreadableLog.
    """
    _act_inside(game_id, lambda work: seatings.come_in(work, Seat(seat)))


def _act_inside(game_id: UUID, act: Act) -> None:
    # What is overdue is resolved first, as in `handle`.
    resolved = True
    while resolved:
        work = _write_inside(game_id, System(), act, None)
        resolved = work.locked.game.election_complete


def run_out(game_id: UUID, decision: int, owner: Principal | None = None) -> bool:
    """Give the clock's answer to a decision whose time is up.

    Returns whether it did: not before the deadline, which outages move, not while
    somebody who owes an answer has spare time, which is used then, and not for a
    decision that is over. The `owner` of a practice game needn't wait for the deadline.
    Raises NotAtTable when there is no such game, for an owner what `remind` raises.
    """

    def act(work: UnitOfWork) -> None:
        if owner is not None:
            _check_lets_pass(work.locked, decision)
        if not _is_up(work.locked, decision, early=owner is not None):
            return
        work.run(AnswerByClock(decision, work.sealed()))
        if owner is None:
            excusing.excuse(work.locked)

    if owner is None and _use_spare_time(game_id, decision):
        return False
    return bool(handle(game_id, owner or System(), act, decision).entries)


def _is_up(locked: Locked, decision: int, *, early: bool = False) -> bool:
    """Whether the time of a decision that is still open has passed, or may pass.

    That of an election which waits for late mails shows who has laid a card, as with
    spare time: so what it waits for tells nothing more.
    """
    asked = locked.game.decision
    if asked is None or asked.number != decision or locked.deadline is None:
        return False
    if early:
        return True
    found = deadlines.reckon(locked)
    if not found.passed:
        return False
    if deadlines.wait_for_mails(locked, found):
        _show_laid(locked)
        return False
    return True


def _use_spare_time(game_id: UUID, decision: int) -> bool:
    """Prolong a decision whose time is up, if anybody who owes an answer still can.

    Each of them who can pays for it. For an election that counts as a reminder: who has
    laid a card is shown with it, so what is left to whom tells nothing more.
    """
    with transaction():
        locked = _lock(game_id, System(), decision)
        game, deadline = locked.game, locked.deadline
        if not _is_up(locked, decision) or deadline is None or game.election_complete:
            return False
        paid = spare_time.pay(game_id, game.asked(), game.table.spare)
        if not paid:
            return False
        later = pace.prolonged(game.table, deadline, locked.now)
        due.put_off(game_id, decision, later)
        _remind(locked, f"spare-{max(paid)}")
    task_hints.send(task_hints.FOLLOW_UP, str(game_id))
    return True


def _check_lets_pass(locked: Locked, decision: int) -> None:
    """Raise what keeps somebody from letting a decision's time pass, if anything does.

    Nothing does for one that is over: letting it pass twice does the same as once.
    """
    if not locked.practice:
        raise NotPractice
    if locked.game.table.decision_time is None:
        raise NoDeadline
    if locked.game.paused:
        raise GamePaused
    check_put(locked, decision)


def remind(
    game_id: UUID,
    decision: int,
    owner: Principal | None = None,
    kind: DueKind = DueKind.REMINDER,
    *,
    when_due: bool = False,
) -> None:
    """Remind whoever still owes an answer, and show who has laid a card from now on.

    Once for each reminder that is due: a repeat would show ballots laid since. Does
    nothing for a decision that is over, or while the game is paused, and with
    `when_due` nothing before its time, which outages move. The `owner` of a practice
    game has it before its time. Raises NotAtTable when there is no such game; for an
    owner without a seat, too, and NotPractice, NoDeadline, GamePaused, or
    BeyondTheRecord for what was never put.
    """
    with transaction():
        # It is written beside `handle`, for it is no event. The game is held all the
        # same: the due row goes together with what is shown.
        locked = _lock(game_id, owner or System(), decision)
        if owner is not None:
            _check_lets_pass(locked, decision)
        asked = locked.game.decision
        if asked is None or asked.number != decision or locked.game.paused:
            return
        # In the same transaction, or a worker that died in between would remind again,
        # and show ballots that were laid since.
        until = deadlines.reckon(locked).until if when_due else None
        if not due.take(game_id, decision, kind, until):
            return
        _remind(locked, kind)
    if not locked.practice:
        task_hints.send(task_hints.FOLLOW_UP, str(game_id))


def _lock(game_id: UUID, principal: Principal, decision: int | None) -> Locked:
    locked = games.lock(game_id, principal, decision)
    if locked is None:
        raise NotAtTable(game_id)
    return locked


def give_back(game_id: UUID) -> None:
    """Move a game's deadline by what its open decision has still to get back.

    Raises NotAtTable when there is no such game, and UnreadableLog.
    """
    with transaction():
        deadlines.reckon(_lock(game_id, System(), None))


def make_up_for_mail(game_id: UUID) -> None:
    """Move a game's deadline by what the question was late that a mail has brought.

    Raises NotAtTable when there is no such game, and UnreadableLog.
    """
    with transaction():
        deadlines.make_up_for_mail(_lock(game_id, System(), None))


def _remind(locked: Locked, which: str) -> None:
    """Remind whoever owes an answer to the open decision of a game that is held."""
    game, owing = locked.game, locked.game.asked()
    _show_laid(locked)
    if locked.practice:
        return
    people = locked.people
    notices = consequences.reminders_of(game, owing, locked.record, people, which)
    event_log.notify(UUID(game.id), notices)


def _show_laid(locked: Locked) -> None:
    """Show who has laid a card in the open election of a game that is held."""
    game, owing = locked.game, locked.game.asked()
    if game.decision is not None and game.decision.kind is Kind.ELECTION:
        laid = [seat for seat in range(len(game.seats)) if seat not in owing]
        answers.show_laid(UUID(game.id), laid)


def _send_hints(work: UnitOfWork) -> None:
    game = work.game
    if game.decision is not None and game.election_complete:
        task_hints.send(task_hints.FOLLOW_UP, game.id, game.decision.number)
    elif work.has_notices:
        task_hints.send(task_hints.FOLLOW_UP, game.id)
