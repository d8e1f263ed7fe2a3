"""What the clock does with a game: reminders, spare time, its answers, time given back.

All under the game's lock. What is an event goes through `handlers`.
"""

from datetime import UTC, datetime
from uuid import UUID

from engine.commands import AnswerByClock
from engine.errors import GamePaused
from engine.state import Kind
from service.game import (
    asked_people,
    consequences,
    deadlines,
    excusing,
    handlers,
    pace,
    task_hints,
)
from service.game.handlers import NotAtTable
from service.game.unit_of_work import UnitOfWork
from service.store import answers, availability, due, event_log, games, spare_time
from service.store.games import Locked
from service.store.transactions import transaction
from service.values.conflicts import NoDeadline, NotPractice
from service.values.enums import DueKind
from service.values.principals import Principal, System


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
    return bool(handlers.handle(game_id, owner or System(), act, decision).entries)


def _is_up(locked: Locked, decision: int, *, early: bool = False) -> bool:
    """Whether the time of a decision that is still open has passed, or may pass.

    The time of an election which waits for late mails shows who has laid a card, as
    with spare time: so what it waits for tells nothing more. Where time has passed, the
    reminders that were due by then are struck out, whatever comes next.
    """
    asked = locked.game.decision
    if asked is None or asked.number != decision or locked.deadline is None:
        return False
    if early:
        return True
    found = deadlines.reckon(locked)
    if not found.passed:
        return False
    # Whichever of them comes first: nobody is asked to hurry for what is up.
    due.skip_reminders(UUID(locked.game.id), decision, found.until)
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
        if not spare_time.pay(game_id, game.asked(), game.table.spare):
            return False
        people = asked_people.availabilities(game, locked.practice)
        later = pace.prolonged(game.table, deadline, locked.now, people)
        due.put_off(game_id, decision, later.moment)
        availability.use(game_id, later.waited)
        _remind(locked, _of_piece(later.moment))
    task_hints.send(task_hints.FOLLOW_UP, str(game_id))
    return True


def _of_piece(until: datetime) -> str:
    """What tells the reminders of one piece from all others: until when it lasts.

    Everybody sees that. How much who has used would be no key: of several who pay one
    may have used more than another ever does.
    """
    return f"spare-{until.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


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
    handlers.check_put(locked, decision)


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
    `when_due` nothing before its time, which outages move, or behind the deadline. The
    `owner` of a practice game has it before its time. Raises NotAtTable when there is
    no such game; for an owner without a seat, too, and NotPractice, NoDeadline,
    GamePaused, or BeyondTheRecord for what was never put.
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
        found = deadlines.reckon(locked) if when_due else None
        until = None if found is None else found.until
        if not due.take(game_id, decision, kind, until):
            return
        # Nor here: the clock answers, or spare time begins with a reminder of its own.
        if found is not None and found.passed:
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
