"""Pauses and extensions: what whoever plays a seat may do about a game's time.

A pause stops the clock and no answer; the clock goes on when the last one ends. However
they go about it, one player can hold up a game by two pauses of seven days, and all of
them together by three extensions of a day; whoever has left, by nothing.
"""

from collections.abc import Collection
from datetime import datetime
from functools import partial
from typing import Final
from uuid import UUID

from engine.board import Seat
from engine.commands import ExtendDecision, PauseGame, ResumeGame
from engine.events import BotSeated
from service.game import asked_people, deadlines, pace
from service.game.unit_of_work import UnitOfWork
from service.store import availability, due, outages, pauses
from service.store.pauses import SeatPause
from service.values.conflicts import NoDeadline, NoPauseLeft

MOST: Final = 2
"""How many pauses a seat may begin in a game."""

MOST_DAYS: Final = 7
"""How long one of them may be."""


def player(work: UnitOfWork) -> Seat:
    """The seat of whoever acts, who plays it in a running game with deadlines.

    Raises GameNotRunning, SeatKept or NoDeadline. LookupError for the service itself.
    """
    seat = work.player()
    if work.game.table.decision_time is None:
        raise NoDeadline
    return seat


def begin(work: UnitOfWork, days: int) -> None:
    """Pause the game for so many days, or have the own pause that runs last that long.

    Always from its beginning. Raises what `player` raises, and NoPauseLeft.
    """
    seat, now, game_id = player(work), work.locked.now, UUID(work.game.id)
    before = pauses.of_seat(game_id, seat)
    since, begun = before.since, before.pauses
    if since is None or before.until is None or before.until <= now:
        if begun >= MOST:
            raise NoPauseLeft(most=MOST)
        since, begun = now, begun + 1
    until = max(now, pace.pause_end(work.game.table, since, days))
    pauses.keep(game_id, SeatPause(seat, begun, since, until))
    if not work.game.paused:
        # Before the clock stands still, and nobody can tell any more what was lost.
        deadlines.reckon(work.locked)
        work.run(PauseGame())
        work.then(partial(due.hold, game_id, work.game.last_decision))


def end(work: UnitOfWork) -> None:
    """End the pause of whoever acts; does nothing where none runs.

    Raises what `player` raises.
    """
    _end(work, {player(work)})


def run_out(work: UnitOfWork) -> None:
    """End the pauses whose time is over, and let the clock go on with the last."""
    if work.game.running:
        _end(work, ())


def judge(work: UnitOfWork) -> None:
    """End the pauses of whoever has left their seat by this write."""
    left = {event.seat for event in work.events if isinstance(event, BotSeated)}
    if left and work.game.running and work.game.paused:
        _end(work, left)


def _end(work: UnitOfWork, seats: Collection[int]) -> None:
    """End the pauses of these seats, and all whose time is over."""
    now, game_id = work.locked.now, UUID(work.game.id)
    running = pauses.running(game_id)
    ends = {each.seat: _ended(each, seats, now) for each in running}
    over = {seat: at for seat, at in ends.items() if at is not None}
    if over:
        pauses.end(game_id, list(over))
    if work.game.paused and len(over) == len(running):
        work.run(ResumeGame())
        _go_on(work, max(over.values(), default=now))


def _ended(pause: SeatPause, seats: Collection[int], now: datetime) -> datetime | None:
    """When a pause ended, if it is over."""
    if pause.until is not None and pause.until <= now:
        return pace.pause_ended(pause.until, now)
    return now if pause.seat in seats else None


def _go_on(work: UnitOfWork, at: datetime) -> None:
    """Have the open decision wait for as long as the clock stood still since it opened.

    One that opens by this very write has its time from now.
    """
    before, open_decision = work.locked.game.decision, work.game.decision
    since = work.locked.stopped_at
    if before is None or open_decision != before or since is None:
        return
    work.then(partial(_move, work, before.number, since, max(since, at)))


def _move(work: UnitOfWork, decision: int, since: datetime, at: datetime) -> None:
    game_id = UUID(work.game.id)
    waiting = due.moments(game_id, decision)
    moved = pace.gone_on(work.game.table, waiting, since, at)
    due.move(game_id, decision, moved, held=False)
    # What was lost while the clock stood still was nobody's time.
    outages.count_from(game_id, decision, at)


def extend(work: UnitOfWork, decision: int) -> None:
    """Have the open decision wait for a day longer, and as suits all who are asked.

    In a pause just for a day: nobody knows yet when that ends. The reminder before its
    end moves with that, and the first stays. Raises what `player` raises,
    NoSuchDecision, DecisionClosed, AlreadyExtended or NoExtensionLeft.
    """
    player(work)
    game, game_id = work.game, UUID(work.game.id)
    waiting = due.moments(game_id, decision)
    people = (
        () if game.paused else asked_people.availabilities(game, work.locked.practice)
    )
    longer = pace.extended(game.table, waiting, people)
    # The record stays, and anybody may read it: it has nothing of anybody's hours.
    work.run(ExtendDecision(decision, round(longer.added.total_seconds())))
    work.then(partial(due.move, game_id, decision, longer.moments, held=game.paused))
    work.then(partial(availability.use, game_id, longer.waited))
