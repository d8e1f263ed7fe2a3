"""Leaving for good: nothing is left that says who somebody was.

Games they played go on, and stay true: no event has a name. Their seat is called by its
number and the clock answers for it.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Final
from uuid import UUID

from service import entropy, names, wake
from service.errors import Busy
from service.kinds import BEFORE_START, GameStatus, NoticeKind, SeatState
from service.store import erasure, invitations, log, tables
from service.store.erasure import HeldGame, HeldSeat
from service.store.transactions import transaction
from service.tables import ending, inviting

_GOES: Final = 5
"""How often it is tried to hold all games of somebody who sits down meanwhile."""


class _CameMeanwhile(Exception):
    """They sat down at another table while their others were held."""


def erase(person_id: UUID, check: Callable[[], None] | None = None) -> None:
    """Erase somebody; their own open tables are called off, other seats are freed.

    In a transaction of its own. `check` is called when all of it is held; what it
    raises changes nothing. Raises UnreadableLog for a table that only a newer
    process can call off, and Busy for somebody who sits down somewhere all the time.
    """
    for _ in range(_GOES):
        with suppress(_CameMeanwhile):
            _erase(person_id, check)
            return
    raise Busy


def _erase(person_id: UUID, check: Callable[[], None] | None) -> None:
    with transaction():
        games = {game.id: game for game in erasure.hold(person_id)}
        erasure.hold_person(person_id)
        if not erasure.games_of(person_id) <= games.keys():
            # Games come before people: everything is let go, and held anew.
            raise _CameMeanwhile
        if check is not None:
            check()
        for game in games.values():
            if game.hosted and game.status in BEFORE_START:
                ending.give_up(game.id)
        for seat in erasure.seats(person_id):
            _leave(seat, games[seat.game_id], person_id)
        erasure.erase(person_id, tuple(games))
    for game_id in games:
        wake.send(wake.POST, str(game_id))


def _leave(seat: HeldSeat, game: HeldGame, person_id: UUID) -> None:
    """Name a seat after its number, and before the start free it for somebody else.

    But not one they were only asked to: nobody answers there any more, and who hosts
    learns nothing of their address but that its name is gone, which no promise of
    erasing may spare.
    """
    name = names.of_seat(seat.number)
    asked = seat.state == SeatState.INVITED
    if game.hosted or asked or game.status not in BEFORE_START:
        erasure.name_seat(seat, name)
        return
    erasure.free_seat(seat, name)
    invitations.turn_down(seat.game_id, seat.number, person_id)
    if game.status == GameStatus.INVITING:
        host_id = tables.choices(seat.game_id).host_id
        about = entropy.identifier()
        row = inviting.notice(seat.game_id, NoticeKind.DECLINED, host_id, 0, about)
        log.notify(seat.game_id, (row,))
