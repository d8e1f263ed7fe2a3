"""Coming to a table without an invitation, and leaving it again, before the start."""

from uuid import UUID

from service.game import task_hints
from service.store import people, seats, tables
from service.store.games import GameReadModel
from service.store.people import PersonRow
from service.store.tables import SeatRecord
from service.store.transactions import transaction
from service.tables import seat_changes, seating
from service.values import names, public_urls
from service.values.conflicts import AddressTwice, HostStays, SeatTaken
from service.values.enums import GameStatus, SeatState
from service.values.errors import Forbidden, NotFound, Unauthorized


def url(table: GameReadModel) -> str | None:
    """The page to pass on, where an open seat is to be had; None without one."""
    is_open = any(seat.state == SeatState.OPEN for seat in table.seats)
    if table.status != GameStatus.INVITING or not is_open:
        return None
    return public_urls.url(f"/g/{table.id}/join")


def take(
    game_id: UUID, person: PersonRow, seat: int | None, name: str, word: str
) -> int:
    """Seat somebody on an open seat, or on the one they are asked to; its number.

    Without a `seat` it is the one kept for them, or the first open one. The last one in
    starts the game. Raises Invalid, NameTaken, AddressTwice for somebody who sits there
    already, SeatTaken, TableNotOpen, AlreadyStarted, or NotFound for a seat that isn't
    there.
    """
    called = names.clean(name or person.profile.name, "name")
    with transaction():
        seating.hold_inviting(game_id)
        if not people.hold(person.id):
            # Erased since they were read: nobody of that name may sit down.
            raise Unauthorized(reason="bad-token")
        chairs = tables.chairs(game_id)
        number = _wanted(chairs, person.id, seat)
        seating.sit(game_id, number, person.id, called, word)
    task_hints.send(task_hints.FOLLOW_UP, str(game_id))
    return number


def _wanted(chairs: tuple[SeatRecord, ...], person_id: UUID, seat: int | None) -> int:
    """The seat that somebody gets."""
    kept = [chair for chair in chairs if _is_theirs(chair, person_id)]
    free = kept or [chair for chair in chairs if chair.state == SeatState.OPEN]
    if any(chair.state == SeatState.JOINED for chair in kept):
        raise AddressTwice(field="seat", reason="own-table")
    if seat is not None and not 0 <= seat < len(chairs):
        raise NotFound(what="seat")
    for chair in free:
        if seat in (None, chair.number):
            return chair.number
    if kept:
        raise AddressTwice(field="seat", reason="own-table")
    raise SeatTaken


def _is_theirs(chair: SeatRecord, person_id: UUID) -> bool:
    mine = seats.person_of(chair) == person_id
    return mine and chair.state in (SeatState.INVITED, SeatState.JOINED)


def leave(game_id: UUID, person_id: UUID, seat: int) -> None:
    """Free a seat before the start: one's own, or as the host any other.

    An invited seat that they have left before: does nothing. One that they came to is
    nobody's once it is left, so that again is Forbidden, as for somebody else's. Raises
    HostStays, Forbidden, TableNotOpen, AlreadyStarted or NotFound.
    """
    with transaction():
        seating.hold_inviting(game_id)
        chairs = tables.chairs(game_id)
        if not 0 <= seat < len(chairs):
            raise NotFound(what="seat")
        chair = chairs[seat]
        if chair.person_id == person_id:
            _leave_own(game_id, chair, person_id)
        elif chairs[0].person_id == person_id:
            seat_changes.free(game_id, chair)
        else:
            raise Forbidden(reason="not-your-seat")
    task_hints.send(task_hints.FOLLOW_UP, str(game_id))


def _leave_own(game_id: UUID, chair: SeatRecord, person_id: UUID) -> None:
    if chair.number == 0:
        raise HostStays
    if chair.state != SeatState.DECLINED:
        seating.turn_down(game_id, chair, person_id)
