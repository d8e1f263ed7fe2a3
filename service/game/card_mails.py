"""My cards by mail: ordered by their owner, one a round, to their address alone."""

from typing import TypeAlias
from uuid import UUID

from engine.board import Seat
from engine.errors import GameNotRunning, SeatKept
from service.game import consequences, handlers, task_hints
from service.store import card_orders, event_log, games
from service.store.games import Locked
from service.store.transactions import transaction
from service.values.conflicts import NoMailbox
from service.values.principals import Bearer, DeviceHolder, LinkHolder

_Owner: TypeAlias = Bearer | DeviceHolder | LinkHolder


def order(game_id: UUID, principal: _Owner, decision: int | None = None) -> None:
    """Have the principal's seat mailed its cards: now, and as each round begins.

    A round makes one mail, however often that is ordered in it. A link is good for its
    `decision`. Raises NotAtTable,
    GameNotRunning, SeatKept, NoMailbox in practice, or UnreadableLog.
    """
    with transaction():
        locked, seat = _lock(game_id, principal, decision)
        card_orders.order(game_id, seat, wanted=True)
        told = consequences.cards_of(locked.game, (seat,), locked.people)
        event_log.notify(game_id, told)
    task_hints.send(task_hints.FOLLOW_UP, str(game_id))


def stop(game_id: UUID, principal: _Owner, decision: int | None = None) -> None:
    """Have no more such mails, nor one that waits. Raises what `order` raises."""
    with transaction():
        _locked, seat = _lock(game_id, principal, decision)
        card_orders.order(game_id, seat, wanted=False)


def _lock(
    game_id: UUID, principal: _Owner, decision: int | None
) -> tuple[Locked, Seat]:
    """The game, held, and the principal's seat, which they play."""
    locked = games.lock(game_id, principal, decision)
    if locked is None or locked.seat is None:
        raise handlers.NotAtTable(game_id)
    if not locked.game.running:
        raise GameNotRunning(locked.game.phase)
    if locked.has_bot:
        raise SeatKept(locked.seat)
    if locked.practice:
        raise NoMailbox
    return locked, Seat(locked.seat)
