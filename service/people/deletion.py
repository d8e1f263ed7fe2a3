"""Leaving for good: nothing is left that says who somebody was.

Games they played go on, and stay true: no event has a name. Their seat is called by its
number, and a bot plays it.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final
from uuid import UUID

from engine.errors import UnreadableLog
from service.game import table_acts, task_hints
from service.store import deletion, event_log, people, successions, tables
from service.store import invitations as invitationstore
from service.store.deletion import HeldGame, HeldSeat
from service.store.transactions import transaction
from service.tables import cancellation, invitations
from service.values import entropy, names
from service.values.enums import BEFORE_START, GameStatus, NoticeKind, SeatState
from service.values.errors import Busy

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
        games = {game.id: game for game in deletion.hold(person_id)}
        deletion.hold_person(person_id)
        if not deletion.games_of(person_id) <= games.keys():
            # Games come before people: everything is let go, and held anew.
            raise _CameMeanwhile
        if check is not None:
            check()
        for game in games.values():
            if game.hosted and game.status in BEFORE_START:
                cancellation.give_up(game.id)
        _keep_held(person_id, games)
        for seat in deletion.seats(person_id):
            deletion.forget_mails_in(seat)
            _leave(seat, games[seat.game_id], person_id)
        deletion.erase(person_id, tuple(games))
    for game_id in games:
        task_hints.send(task_hints.FOLLOW_UP, str(game_id))


def _keep_held(person_id: UUID, games: Mapping[UUID, HeldGame]) -> None:
    """Keep, unreadably, which seats of running games they held.

    So that nobody who knows the cards of one comes to another under the same address.
    """
    person = people.by_id(person_id)
    if person is None or person.address_key is None:
        return
    for seat in deletion.seats(person_id):
        if games[seat.game_id].status == GameStatus.RUNNING:
            successions.keep_digest(seat.game_id, seat.number, person.address_key)
    successions.keep_digests(person_id, person.address_key)


def _leave(seat: HeldSeat, game: HeldGame, person_id: UUID) -> None:
    """Name a seat after its number, and before the start free it for somebody else.

    But not one they were only asked to: nobody answers there any more, and who hosts
    learns nothing of their address but that its name is gone, which no promise of
    erasing may spare. In a running game a bot plays it from now on.
    """
    name = names.of_seat(seat.number)
    if game.status == GameStatus.RUNNING:
        # One that only a newer process can read is played by the clock until then:
        # nobody's erasing waits for it.
        with suppress(UnreadableLog):
            table_acts.vacate_inside(seat.game_id, seat.number)
    asked = seat.state == SeatState.INVITED
    if game.hosted or asked or game.status not in BEFORE_START:
        deletion.name_seat(seat, name)
        return
    deletion.free_seat(seat, name)
    invitationstore.turn_down(seat.game_id, seat.number, person_id)
    if game.status == GameStatus.INVITING:
        host_id = tables.choices(seat.game_id).host_id
        about = entropy.identifier()
        row = invitations.notice(seat.game_id, NoticeKind.DECLINED, host_id, 0, about)
        event_log.notify(seat.game_id, (row,))
