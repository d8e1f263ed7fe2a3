"""The end of a table before the start: called off by its host, or expired."""

from uuid import UUID

from engine.commands import CancelGame
from engine.errors import AlreadyStarted
from service import wake
from service.draft import Draft
from service.kinds import (
    BEFORE_START,
    GameStatus,
    InvitationState,
    NoticeKind,
    SeatState,
)
from service.store import invitations, log, tables
from service.store.log import NoticeRow
from service.store.transactions import transaction
from service.tables import chairs, inviting, seating


def give_up(game_id: UUID, why: NoticeKind = NoticeKind.CALLED_OFF) -> None:
    """Call a table off before the start, or end one that has expired.

    Raises AlreadyStarted after the start.
    """
    with transaction():
        locked = seating.hold(game_id)
        if locked.status not in BEFORE_START:
            raise AlreadyStarted
        draft = Draft(locked)
        draft.run(CancelGame(locked.seed))
        draft.write()
        tables.mark_rematch(game_id, None)
        for chair in tables.chairs(game_id):
            if locked.status is GameStatus.DRAFT and chair.number and not chair.bot:
                # Nobody has asked them: it was never their table.
                left = chairs.free(chair.number, SeatState.DECLINED)
                tables.put_seat(game_id, left)
            invitations.settle(game_id, chair.number, InvitationState.WITHDRAWN)
        if locked.status == GameStatus.INVITING:
            log.notify(game_id, _told_of_the_end(game_id, why))
    wake.send(wake.POST, str(game_id))


def _told_of_the_end(game_id: UUID, why: NoticeKind) -> tuple[NoticeRow, ...]:
    """For whoever is in, and if the host has called it off whoever else was mailed."""
    unaware = invitations.waiting(game_id)
    called_off = why is NoticeKind.CALLED_OFF
    found = []
    for chair in tables.chairs(game_id)[called_off:]:
        asked = chair.state == SeatState.INVITED and chair.person_id not in unaware
        hears = chair.state == SeatState.JOINED or (called_off and asked)
        if chair.person_id is not None and hears:
            found.append(inviting.notice(game_id, why, chair.person_id, chair.number))
    return tuple(found)
