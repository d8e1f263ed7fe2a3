"""Leaving for good: nothing is left that says who somebody was.

Games they played go on, and stay true: no event has a name. Their seat is called by its
number and the clock answers for it.
"""

from uuid import UUID

from service import entropy, names, wake
from service.kinds import NoticeKind
from service.store import erasure, log, tables
from service.store.erasure import HeldGame, HeldSeat
from service.store.transactions import transaction
from service.tables import inviting, seating


def erase(person_id: UUID) -> None:
    """Erase somebody; their own open tables are called off, other seats are freed.

    Raises UnreadableLog for a table that only a newer process can call off.
    """
    with transaction():
        held = erasure.hold(person_id)
        games = {game.id: game for game in held}
        for game in held:
            if game.hosted and game.status in ("draft", "inviting"):
                seating.give_up(game.id)
        key = erasure.hold_person(person_id)
        for seat in erasure.seats(person_id):
            _leave(seat, games.get(seat.game_id))
        erasure.erase(person_id, key, tuple(games))
    for game_id in games:
        wake.send(wake.POST, str(game_id))


def _leave(seat: HeldSeat, game: HeldGame | None) -> None:
    """Name a seat after its number, and before the start free it for somebody else."""
    name = names.of_seat(seat.number)
    if game is None or game.hosted or game.status not in ("draft", "inviting"):
        erasure.name_seat(seat, name)
        return
    erasure.free_seat(seat, name)
    tables.settle_invitation(seat.game_id, seat.number, "withdrawn")
    if game.status == "inviting":
        host_id = tables.choices(seat.game_id).host_id
        about = entropy.identifier()
        row = inviting.notice(seat.game_id, NoticeKind.DECLINED, host_id, 0, about)
        log.notify(seat.game_id, (row,))
