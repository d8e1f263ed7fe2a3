"""The host's say before the start over seats that nobody has, or only a bot."""

from collections.abc import Iterable
from uuid import UUID

import msgspec

from engine.bots import BOTS
from engine.errors import BadTable
from service.game import task_hints
from service.store import invitations as invitationstore
from service.store import tables
from service.store.people import Profile
from service.store.tables import SeatRecord
from service.store.transactions import transaction
from service.tables import empty_seats, invitations, seating
from service.values import addresses, names
from service.values.addresses import Address
from service.values.conflicts import (
    AddressTwice,
    NotInvited,
    SeatTaken,
    TooManyCorrections,
)
from service.values.enums import InvitationState, SeatState, Visibility
from service.values.errors import NotFound

WAITING = (SeatState.INVITED, SeatState.DECLINED, SeatState.OPEN)
"""How a seat stands that nobody has taken."""

CORRECTIONS = 3
"""How often a seat's address may be corrected, whatever it was before."""


def guest(
    game_id: UUID, seat: int | None, address: str, name: str, origin: str | None = None
) -> int:
    """Ask somebody to a seat that nobody has, or only a bot; else the first free one.

    `origin` is where the host asks from, as an IP address. Returns the seat. Raises
    Invalid, AddressTwice for an address that the host has, or has typed for another
    seat, NameTaken, TooManyInvitations, SeatTaken, TableNotOpen, AlreadyStarted or
    NotFound.
    """
    mailbox = addresses.parse(address, "address")
    with transaction():
        host_id = hold_caps(game_id, mailbox, origin)
        number = _vacate(game_id, seat)
        called = names.clean(name or names.of_seat(number), "name")
        seating.check_name(game_id, number, called)
        _ask(game_id, number, called, mailbox, _Asking(host_id, origin))
    task_hints.send(task_hints.FOLLOW_UP, str(game_id))
    return number


def correct(game_id: UUID, seat: int, address: str, origin: str | None = None) -> None:
    """Ask whoever is invited to a seat at another address; the first leads nowhere.

    Three times a seat. Raises what `guest` raises, and NotInvited or
    TooManyCorrections.
    """
    mailbox = addresses.parse(address, "address")
    with transaction():
        host_id = hold_caps(game_id, mailbox, origin)
        seating.hold_inviting(game_id)
        chair = _invited(game_id, seat)
        _vacate(game_id, seat)
        _ask(game_id, seat, chair.name, mailbox, _Asking(host_id, origin))
    task_hints.send(task_hints.FOLLOW_UP, str(game_id))


def _invited(game_id: UUID, seat: int) -> SeatRecord:
    """A seat that somebody is invited to, whose address may be corrected once more."""
    chairs = tables.chairs(game_id)
    if not 0 <= seat < len(chairs):
        raise NotFound(what="seat")
    if chairs[seat].state != SeatState.INVITED:
        raise NotInvited(seat=seat)
    if invitationstore.withdrawn(game_id, seat) >= CORRECTIONS:
        raise TooManyCorrections(seat=seat, most=CORRECTIONS)
    return chairs[seat]


class _Asking(msgspec.Struct, frozen=True):
    """Who asks somebody to a seat, and from where, as an IP address."""

    host_id: UUID
    origin: str | None


def _ask(
    game_id: UUID, number: int, called: str, mailbox: Address, by: _Asking
) -> None:
    """Invite an address to a seat that is free. Inside the caller's transaction."""
    person = invitations.guest(mailbox, Profile(called))
    others = [c for c in tables.chairs(game_id) if c.number != number]
    chair = invitations.chair(number, person.id, called, mailbox, by.host_id)
    if person.id == by.host_id or any(each.asked == chair.asked for each in others):
        raise AddressTwice(field="address")
    invitations.take_budget(by.host_id, by.origin, 1)
    invitations.invite(game_id, chair, by.host_id, _seat_of(person.id, others))


def hold_caps(game_id: UUID, mailbox: Address, origin: str | None) -> UUID:
    """Count alone what asking somebody to a table counts for; whose table it is.

    Raises NotFound.
    """
    host_id = tables.choices(game_id).host_id
    invitations.hold_caps(host_id, origin, (mailbox.key,))
    return host_id


def _seat_of(person_id: UUID, others: Iterable[SeatRecord]) -> SeatRecord | None:
    """The seat that somebody has or is asked to; one they declined is none."""
    taken = (chair for chair in others if chair.state != SeatState.DECLINED)
    return next((chair for chair in taken if chair.person_id == person_id), None)


def bot(game_id: UUID, seat: int, called: str) -> None:
    """Give a seat that nobody has, or only a bot, to a bot.

    Raises BadTable for an unknown bot, and as `guest` does for the seat.
    """
    if called not in BOTS:
        raise BadTable("bot", called)
    with transaction():
        _vacate(game_id, seat)
        others = tables.chairs(game_id)
        tables.put_seat(game_id, empty_seats.of_bot(seat, called, others))
        seating.start_if_full(game_id)
    task_hints.send(task_hints.FOLLOW_UP, str(game_id))


def leave_open(game_id: UUID, seat: int) -> None:
    """Leave a seat that nobody has, or only a bot, to whoever comes first.

    Raises BadTable where nobody could, and as `guest` does for the seat.
    """
    with transaction():
        _vacate(game_id, seat)
        check_findable(tables.choices(game_id).visibility)
        tables.put_seat(game_id, empty_seats.free(seat))


def free(game_id: UUID, chair: SeatRecord) -> None:
    """Take a seat from whoever has it or is asked to it.

    It is open then, or where nobody would find it, for somebody to be asked to. Inside
    the caller's transaction, which holds a table that fills up.
    """
    invitationstore.withdraw(game_id, chair.number)
    hidden = tables.choices(game_id).visibility == Visibility.PLAYERS
    state = SeatState.DECLINED if hidden else SeatState.OPEN
    tables.put_seat(game_id, empty_seats.free(chair.number, state))


def check_findable(visibility: Visibility) -> None:
    """Raise BadTable where nobody but the players sees a table with open seats."""
    if visibility == Visibility.PLAYERS:
        raise BadTable("visibility", visibility)


def _vacate(game_id: UUID, seat: int | None) -> int:
    """Free a seat at most promised, or a bot's; without a number the first free."""
    seating.hold_inviting(game_id)
    seats = tables.chairs(game_id)
    if seat is None:
        vacant = (chair.number for chair in seats if chair.state in WAITING[1:])
        seat = next(vacant, None)
        if seat is None:
            raise SeatTaken
    if not 0 <= seat < len(seats):
        raise NotFound(what="seat")
    if seat == 0 or (seats[seat].state not in WAITING and not seats[seat].bot):
        raise SeatTaken(seat=seat)
    invitationstore.settle(game_id, seat, InvitationState.WITHDRAWN)
    return seat
