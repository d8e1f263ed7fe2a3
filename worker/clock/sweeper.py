"""The sweep: whatever is due is done, each row by itself, in a transaction of its own.

Rows are claimed for a lease, so that any number of sweepers may run and a dead one's
rows come back. Doing a row twice does the same as once.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Final, assert_never

from engine.commands import Answer
from service.game import (
    answering_ahead,
    handlers,
    patience,
    table_acts,
    task_hints,
    time_up,
)
from service.store import due, games
from service.store.due import Claimed
from service.store.transactions import transaction
from service.values.enums import DueKind
from service.values.principals import System
from worker import error_isolation
from worker.clock import bots

BATCH: Final = 25
"""So few that a sweeper is through with them well before the lease ends."""

LEASE_SECONDS: Final = 5.0
PATIENCE_SECONDS: Final = 20.0


def sweep(ahead: float = 0.0, *, bots: bool = True) -> None:
    """Do what is due until nothing is, or until it is somebody else's turn.

    What falls due within `ahead` seconds is waited for, so that bots are punctual. They
    have their turns when nothing else is due, and without `bots` none: however many
    games are played against them, nobody else waits for more than a batch of theirs.
    """
    start = time.monotonic()
    while time.monotonic() < start + PATIENCE_SECONDS:
        left = max(0.0, start + ahead - time.monotonic())
        wait, rows = _claim(left, bots)
        _do_all(rows)
        if not rows:
            if not wait:
                return
            time.sleep(wait)


def _claim(within: float, bots: bool) -> tuple[float | None, Sequence[Claimed]]:
    """What is due, and how long to wait for more; None if nothing is `within` that."""
    waits = []
    for of_bots in (False, True)[: 1 + bots]:
        with transaction():
            wait = due.until_next(within, bots=of_bots)
            if wait == 0:
                rows = due.claim(BATCH, LEASE_SECONDS, bots=of_bots)
                if rows:
                    return 0.0, rows
            waits.append(wait)
    return min((wait for wait in waits if wait is not None), default=None), ()


def _do_all(rows: Sequence[Claimed]) -> None:
    """Do what was claimed just now: bots think last, and answer all at one moment."""
    claimed = time.monotonic()
    thoughts: list[tuple[Claimed, Answer | None]] = []
    for row in sorted(rows, key=lambda row: row.kind is DueKind.BOT):
        with _contained(row):
            if row.kind is DueKind.BOT:
                thoughts.append((row, bots.think(row)))
            else:
                _do(row, partial(_is_done, row))
    if thoughts:
        time.sleep(bots.STEP_SECONDS - (time.monotonic() - claimed) % bots.STEP_SECONDS)
    for row, answer in thoughts:
        with _contained(row):
            _do(row, partial(_is_given, row, answer))


def _contained(row: Claimed) -> AbstractContextManager[None]:
    return error_isolation.contained(
        "due_row_failed",
        game=str(row.game_id),
        decision=str(row.decision),
        kind=row.kind,
        seat=str(row.seat),
    )


def _do(row: Claimed, act: Callable[[], bool]) -> None:
    """Act; strike the row out when that has left it no work."""
    try:
        done = act()
    except handlers.NotAtTable:
        # The game was erased meanwhile, or the bot has left its seat.
        done = True
    if done:
        # In a transaction of its own, since the deed may take several: whoever dies in
        # between leaves a row that does nothing a second time.
        with transaction():
            due.done(row)


def _is_given(row: Claimed, answer: Answer | None) -> bool:
    if answer is not None:
        bots.give(row, answer)
    return True


def _is_done(row: Claimed) -> bool:
    """Do what is due; whether the row has no work left and is still there."""
    match row.kind:
        case DueKind.DEADLINE:
            ran_out = time_up.run_out(row.game_id, row.decision)
            # If it ran out, the writing statement has struck out all that the decision
            # made due.
            return not ran_out and not _is_open(row)
        case DueKind.REMINDER | DueKind.LAST_REMINDER:
            time_up.remind(row.game_id, row.decision, kind=row.kind, when_due=True)
            # It is struck out with what it does; what came too early stays, and so it
            # does while the game is paused.
            return not _is_open(row)
        case DueKind.STANDING:
            answering_ahead.give(row.game_id, row.decision, row.seat)
        case DueKind.RESOLVE:
            handlers.resolve(row.game_id, row.decision)
            task_hints.send(task_hints.FOLLOW_UP, str(row.game_id))
        case DueKind.PAUSE_END:
            table_acts.end_pauses(row.game_id)
            # Struck out with the pause: by now its end may be another one.
            return False
        case DueKind.CALL_OFF:
            ended = patience.call_off(row.game_id, row.decision)
            return not ended and not _is_open(row)
        case DueKind.LAPSE:
            table_acts.let_lapse(row.game_id)
            return False
        case DueKind.BOT | DueKind.UNKNOWN:
            # It stays claimed until its lease ends, and then is for a process that
            # knows it.
            raise LookupError(row.kind)
        case _:
            assert_never(row.kind)
    return True


def _is_open(row: Claimed) -> bool:
    """Whether the decision still waits: what came too early for it stays due."""
    with transaction():
        seen = games.read(row.game_id, System())
    decision = None if seen is None else seen.game.decision
    return decision is not None and decision.number == row.decision
