"""Tables that nobody joins: the host is warned, may keep them open, or they end."""

from uuid import UUID

from service.game import task_hints
from service.store import event_log, expiry, tables
from service.store.transactions import transaction
from service.tables import cancellation, invitations, seating
from service.values import entropy
from service.values.enums import NoticeKind


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
            cancellation.give_up(game_id, NoticeKind.EXPIRED)
            return
        expiry.warn(game_id)
        host_id, about = tables.choices(game_id).host_id, entropy.identifier()
        row = invitations.notice(game_id, NoticeKind.EXPIRING, host_id, 0, about)
        event_log.notify(game_id, (row,))
    task_hints.send(task_hints.FOLLOW_UP, str(game_id))


def prolong(game_id: UUID) -> None:
    """Keep a table open for the whole time once more.

    Raises TableNotOpen, AlreadyStarted, or NotFound for one that is over.
    """
    with transaction():
        seating.hold_inviting(game_id)
        expiry.restart(game_id)
