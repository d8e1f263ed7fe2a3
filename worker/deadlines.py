"""The sweep: whatever is due is done, each row by itself, in a transaction of its own.

Rows are claimed for a lease, so that any number of sweepers may run and a dead one's
rows come back. Doing a row twice does the same as once.
"""

import time
from typing import Final, assert_never

from engine import views
from engine.board import Seat
from engine.bots import BOTS
from engine.errors import Refusal
from service import entropy, handlers, wake
from service.kinds import DueKind
from service.principals import Bot, System
from service.store import games, work
from service.store.transactions import transaction
from service.store.work import Claimed
from worker import faults

BATCH: Final = 25
"""So few that a sweeper is through with them well before the lease ends."""

LEASE_SECONDS: Final = 5.0
PATIENCE_SECONDS: Final = 20.0


def sweep(ahead: float = 0.0) -> None:
    """Do what is due until nothing is, or until it is somebody else's turn.

    What falls due within `ahead` seconds is waited for, so that bots are punctual.
    """
    start = time.monotonic()
    while time.monotonic() < start + PATIENCE_SECONDS:
        left = max(0.0, start + ahead - time.monotonic())
        with transaction():
            wait = work.until_next(left)
            rows = work.claim(BATCH, LEASE_SECONDS) if wait == 0 else ()
        for row in rows:
            with faults.contained("due_row_failed", row=str(row.id), kind=row.kind):
                _do(row)
        if not rows:
            if not wait:
                return
            time.sleep(wait)


def _do(row: Claimed) -> None:
    try:
        done = _is_done(row)
    except handlers.NotAtTable:
        # The game was erased meanwhile, or the bot has left its seat.
        done = True
    if done:
        with transaction():
            work.done(row.id)


def _is_done(row: Claimed) -> bool:
    """Do what is due; whether the row has no work left and is still there."""
    match row.kind:
        case DueKind.DEADLINE:
            ran_out = handlers.run_out(row.game_id, row.decision)
            return not ran_out and not _is_open(row)
        case DueKind.REMINDER:
            handlers.remind(row.game_id, row.decision)
        case DueKind.RESOLVE:
            handlers.resolve(row.game_id, row.decision)
            wake.send(wake.POST, str(row.game_id))
        case DueKind.BOT:
            _let_bot_answer(row)
        case DueKind.UNKNOWN:
            raise LookupError(row.id)
        case _:
            assert_never(row.kind)
    return True


def _is_open(row: Claimed) -> bool:
    """Whether the decision still waits: a deadline that came too early stays due."""
    with transaction():
        seen = games.read(row.game_id, System())
    decision = None if seen is None else seen.game.decision
    return decision is not None and decision.number == row.decision


def _let_bot_answer(row: Claimed) -> None:
    """Answer for a bot, from its own view alone: no times, no names, no talk."""
    seat = Seat(row.seat)
    with transaction():
        seen = games.read(row.game_id, System())
    if seen is None or seen.game.decision is None:
        return
    game = seen.game
    bot = game.seats[seat].bot
    if game.last_decision != row.decision or seat not in game.asked() or bot is None:
        return
    answer = BOTS[bot](views.view(game, seat), entropy.dice())
    try:
        handlers.answer(row.game_id, Bot(seat), row.decision, answer)
    except Refusal:
        # Somebody was quicker: the clock, or another sweeper's whim.
        if _is_open(row):
            raise
