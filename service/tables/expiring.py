"""Tables that nobody joins: the host is warned, may keep them open, or they end."""

from uuid import UUID

from service import entropy, wake
from service.kinds import NoticeKind
from service.store import expiry, log, tables
from service.store.transactions import transaction
from service.tables import ending, inviting, seating


def step(game_id: UUID) -> None:
    """Warn the host of a table where nothing happens, or end it a week later.

    Does nothing where something has happened meanwhile. Raises NotFound, or
    UnreadableLog for a table that only a newer process can end.
    """
    with transaction():
        seating.hold(game_id)
        warned = expiry.step(game_id)
        if warned is None:
            return
        if warned:
            ending.give_up(game_id, NoticeKind.EXPIRED)
            return
        expiry.warn(game_id)
        host_id, about = tables.choices(game_id).host_id, entropy.identifier()
        row = inviting.notice(game_id, NoticeKind.EXPIRING, host_id, 0, about)
        log.notify(game_id, (row,))
    wake.send(wake.POST, str(game_id))


def prolong(game_id: UUID) -> None:
    """Keep a table open for the whole time once more.

    Raises TableNotOpen, AlreadyStarted, or NotFound for one that is over.
    """
    with transaction():
        seating.hold_inviting(game_id)
        expiry.restart(game_id)
