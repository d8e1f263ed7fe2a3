"""Somebody named for a seat that a bot keeps, until they are asked or it is over.

A person who plays names them; for a day every other may object. Only then anybody is
mailed, and what they answer is `succession`'s.
"""

from uuid import UUID

import msgspec

from engine.board import Seat
from engine.errors import GameNotRunning, SeatNotKept
from service.game import task_hints
from service.store import (
    event_log,
    opt_outs,
    people,
    replacements,
    seats,
    successions,
    tables,
)
from service.store import invitations as invitationstore
from service.store.event_log import NoticeRow
from service.store.games import Locked
from service.store.people import Profile
from service.store.replacements import Replacement
from service.store.tables import SeatRecord
from service.store.transactions import transaction
from service.tables import invitations, seating
from service.values import addresses, names
from service.values.addresses import Address
from service.values.conflicts import (
    AddressTwice,
    LastRound,
    ObjectionLate,
    PersonReturns,
    ReplacementOpen,
    TooManyReplacements,
)
from service.values.enums import NoticeKind, ReplacementState, SeatState
from service.values.errors import Forbidden, NotFound


class Namer(msgspec.Struct, frozen=True):
    """Who names somebody, and from where, as an IP address."""

    person_id: UUID
    origin: str | None = None


def name(
    game_id: UUID, seat: int, namer: Namer, address: str, called: str = ""
) -> None:
    """Name somebody for a kept seat; the same once more changes nothing.

    Nothing tells what is known of the address: whoever wants no invitations, or has or
    had a seat of this game, isn't asked, and it lapses. Raises Forbidden for somebody
    who plays no seat, NotFound for a seat that isn't there, SeatNotKept, PersonReturns,
    LastRound, GameNotRunning, ReplacementOpen, TooManyReplacements, AddressTwice for an
    address of the namer's own, or typed by them for another seat, NameTaken, Invalid or
    TooManyInvitations.
    """
    mailbox = addresses.parse(address, "address")
    called = names.clean(called, "name") if called else ""
    with transaction():
        invitations.hold_caps(namer.person_id, namer.origin, (mailbox.key,))
        locked = seating.hold(game_id)
        by_seat = playing(locked, namer.person_id)
        _check_kept(locked, seat)
        asked = invitations.asked(namer.person_id, mailbox.key)
        if _is_named(game_id, seat, namer, asked):
            return
        _check_address(game_id, seat, namer, mailbox, asked)
        if called:
            seating.check_name(game_id, seat, called)
        chair = SeatRecord(
            seat,
            _whom(game_id, seat, mailbox, called),
            None,
            called,
            SeatState.INVITED,
            asked=asked,
        )
        _add(game_id, chair, namer, by_seat)
        event_log.notify(game_id, _heard(locked, seat, by_seat))
    task_hints.send(task_hints.FOLLOW_UP, str(game_id))


def playing(locked: Locked, person_id: UUID) -> int:
    """The seat that somebody plays in a held game. Raises Forbidden for none."""
    for number, person in enumerate(locked.people):
        begun = bool(locked.game.seats)
        if person == person_id and begun and not locked.game.has_bot(Seat(number)):
            return number
    raise Forbidden(reason="no-seat")


def _check_kept(locked: Locked, seat: int) -> None:
    if not 0 <= seat < len(locked.people):
        raise NotFound(what="seat")
    if not locked.game.running:
        raise GameNotRunning(locked.game.phase)
    if not locked.game.kept[seat]:
        raise SeatNotKept(seat)
    if seat in seats.awaited(locked.game):
        raise PersonReturns(seat=seat)
    if not locked.game.leads_to_a_deal(Seat(seat)):
        raise LastRound(seat=seat)


def _is_named(game_id: UUID, seat: int, namer: Namer, asked: bytes) -> bool:
    """Whether the same address is named already, by the same person.

    Raises ReplacementOpen for any other, and TooManyReplacements.
    """
    earlier = replacements.of_seat(game_id, seat)
    for each in earlier:
        if each.is_open and (each.host_id, each.asked) == (namer.person_id, asked):
            return True
        if each.is_open:
            raise ReplacementOpen(seat=seat)
    # Each may name so many: nobody uses up what others have.
    if sum(e.host_id == namer.person_id for e in earlier) >= replacements.MOST:
        raise TooManyReplacements(seat=seat, most=replacements.MOST)
    return False


def _check_address(
    game_id: UUID, seat: int, namer: Namer, mailbox: Address, asked: bytes
) -> None:
    """Raise AddressTwice for what the namer knows to have a seat; tell nothing else."""
    own = people.by_id(namer.person_id)
    others = (c for c in tables.chairs(game_id) if c.number != seat)
    is_own = own is not None and own.address_key == mailbox.key
    if is_own or any(chair.asked == asked for chair in others):
        raise AddressTwice(field="address")


def _whom(game_id: UUID, seat: int, mailbox: Address, called: str) -> UUID:
    """Whom an address stands for: nobody, if its owner isn't to be asked.

    Either way by as many statements, so that no time tells which.
    """
    unwilling = opt_outs.has(mailbox.key)
    held = successions.has_held(game_id, seat, mailbox.key)
    if unwilling or held:
        return people.nobody().id
    return people.known_or_new(mailbox, Profile(called)).id


def _add(game_id: UUID, chair: SeatRecord, namer: Namer, by_seat: int) -> None:
    """Keep it with an invitation, which counts like any other from now on."""
    if chair.asked is None:
        raise LookupError(chair.number)
    invitations.check_host_caps(namer.person_id, chair.asked, chair.number)
    invitations.take_budget(namer.person_id, namer.origin, 1)
    invitation = invitationstore.add(game_id, namer.person_id, chair)
    called = chair.name or None
    replacements.add(game_id, chair.number, invitation, by_seat, called)


def _heard(locked: Locked, seat: int, by_seat: int) -> tuple[NoticeRow, ...]:
    """What all others hear who play, and may object, and whose seat it is.

    The latter with the decision that is open: by its link they come back.
    """
    game, game_id, kind = locked.game, UUID(locked.game.id), NoticeKind.REPLACEMENT
    named = replacements.of_seat(game_id, seat)[-1]
    return tuple(
        NoticeRow(
            replacements.heard(named, game_id, at),
            person,
            at,
            kind,
            game.last_decision if at == seat else None,
            locked.record,
        )
        for at, person in enumerate(locked.people)
        if person is not None
        and at != by_seat
        and (at == seat or not game.has_bot(Seat(at)))
    )


def end(game_id: UUID, seat: int, person_id: UUID) -> None:
    """Withdraw who one has named oneself, or object to whom another has.

    Raises Forbidden for somebody who plays no seat, NotFound where nobody is named, and
    ObjectionLate once the day is over, unless whoever has named them plays no more.
    """
    with transaction():
        locked = seating.hold(game_id)
        playing(locked, person_id)
        named = replacements.open_at(game_id, seat)
        if named is None:
            raise NotFound(what="replacement")
        if named.host_id == person_id:
            replacements.end(game_id, seat, ReplacementState.WITHDRAWN)
            return
        if not _plays(locked, named):
            replacements.end(game_id, seat, ReplacementState.OBJECTED)
            return
        asked = named.state is ReplacementState.ASKED
        if asked or replacements.is_due(game_id, seat):
            raise ObjectionLate(seat=seat)
        replacements.end(game_id, seat, ReplacementState.OBJECTED)


def _plays(locked: Locked, named: Replacement) -> bool:
    """Whether whoever has named somebody plays: else they can't take it back."""
    is_theirs = locked.people[named.by_seat] == named.host_id
    return is_theirs and not locked.game.has_bot(Seat(named.by_seat))


def step(game_id: UUID, seat: int) -> None:
    """Mail whoever was named once nobody has objected in time; or let it lapse.

    Does nothing where something has happened meanwhile. Raises NotFound, or
    UnreadableLog.
    """
    with transaction():
        seating.hold(game_id)
        named = replacements.open_at(game_id, seat)
        if named is None or not replacements.is_due(game_id, seat):
            return
        if named.state is ReplacementState.ASKED:
            replacements.end(game_id, seat, ReplacementState.LAPSED)
            return
        replacements.ask(game_id, seat)
        _offer(game_id, named)
    task_hints.send(task_hints.FOLLOW_UP, str(game_id))


def _offer(game_id: UUID, named: Replacement) -> None:
    """Mail whoever was named; later, if they have had many invitations today."""
    person, kind = named.person_id, NoticeKind.OFFERED
    # The table's host tells which of two lines of mails it stands in, as for any other.
    wait = invitationstore.until_room(
        person,
        tables.choices(game_id).host_id,
        invitations.MAILS_A_DAY,
        invitations.FELLOWS_MAILS_A_DAY,
    )
    row = invitations.notice(game_id, kind, person, named.seat, named.invitation_id)
    event_log.notify(game_id, (row,), wait)
