"""The end of a table before the start: called off by its host, or expired."""

from uuid import UUID

from engine.commands import CancelGame
from engine.errors import AlreadyStarted
from service.game import task_hints
from service.game.unit_of_work import UnitOfWork
from service.store import event_log, tables
from service.store import invitations as invitationstore
from service.store.event_log import NoticeRow
from service.store.transactions import transaction
from service.tables import empty_seats, invitations, seating
from service.values.enums import (
    BEFORE_START,
    GameStatus,
    InvitationState,
    NoticeKind,
    SeatState,
)


def give_up(game_id: UUID, why: NoticeKind = NoticeKind.CALLED_OFF) -> None:
    """Call a table off before the start, or end one that has expired.

    Raises AlreadyStarted after the start.
    """
    with transaction():
        locked = seating.hold(game_id)
        if locked.status not in BEFORE_START:
            raise AlreadyStarted
        work = UnitOfWork(locked)
        work.run(CancelGame(locked.seed))
        work.write()
        for chair in tables.chairs(game_id):
            if locked.status is GameStatus.DRAFT and chair.number and not chair.bot:
                # Nobody has asked them: it was never their table.
                left = empty_seats.free(chair.number, SeatState.DECLINED)
                tables.put_seat(game_id, left)
            invitationstore.settle(game_id, chair.number, InvitationState.WITHDRAWN)
        tables.forget_typed(game_id)
        if locked.status == GameStatus.INVITING:
            event_log.notify(game_id, _notices_of_the_end(game_id, why))
    task_hints.send(task_hints.FOLLOW_UP, str(game_id))


def _notices_of_the_end(game_id: UUID, why: NoticeKind) -> tuple[NoticeRow, ...]:
    """For whoever is in, and if the host has called it off whoever else was mailed."""
    unaware = invitationstore.waiting(game_id)
    called_off = why is NoticeKind.CALLED_OFF
    found = []
    for chair in tables.chairs(game_id)[called_off:]:
        asked = chair.state == SeatState.INVITED and chair.person_id not in unaware
        hears = chair.state == SeatState.JOINED or (called_off and asked)
        if chair.person_id is not None and hears:
            found.append(
                invitations.notice(game_id, why, chair.person_id, chair.number)
            )
    return tuple(found)
