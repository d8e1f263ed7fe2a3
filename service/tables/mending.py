"""A draft mended before anything is mailed: the friends' names and addresses."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from uuid import UUID

from msgspec.structs import replace

from service.store import people, retention, tables
from service.store.people import Profile
from service.store.tables import SeatRecord
from service.store.transactions import transaction
from service.tables import (
    creation,
    form_errors,
    invitations,
    seating,
    typed_addresses,
)
from service.tables.creation import Guest
from service.values import addresses, names
from service.values.addresses import Address
from service.values.enums import GameStatus, SeatState
from service.values.errors import PublicError


def typed(chairs: Sequence[SeatRecord]) -> Mapping[int, Guest]:
    """The friends as their host typed them, by seat; whoever came otherwise is none."""
    found = {}
    for chair in chairs:
        address = None if chair.typed is None else typed_addresses.read(chair.typed)
        if address is not None:
            found[chair.number] = Guest(address, chair.name)
    return found


def faults(game_id: UUID, wanted: Mapping[int, Guest]) -> tuple[PublicError, ...]:
    """All that keeps a draft from being mended like that, fields named as in `mend`."""
    chairs = tables.chairs(game_id)
    keys, looks = _others(chairs, wanted)
    checks: list[Callable[[], object]] = []
    for number, guest in _mendable(chairs, wanted).items():
        checks += [partial(creation.guest_name, guest, number - 1, looks)]
        checks += [partial(creation.guest_address, guest, number - 1, keys)]
    return form_errors.of_checks(checks)


def mend(game_id: UUID, wanted: Mapping[int, Guest]) -> bool:
    """Name other friends for seats of a draft, or the same otherwise; mails nobody.

    False, and nothing is changed, once it is no draft any more. A seat for which its
    host typed no address stays as it is. The seat n is named as `seats.{n - 1}`, as in
    a wish. Raises Invalid, AddressTwice, NameTaken or NotFound.
    """
    with transaction():
        if seating.hold(game_id).status is not GameStatus.DRAFT:
            return False
        before = tables.chairs(game_id)
        keys, looks = _others(before, wanted)
        found = {
            number: (
                creation.guest_name(guest, number - 1, looks),
                creation.guest_address(guest, number - 1, keys),
            )
            for number, guest in _mendable(before, wanted).items()
        }
        _seat_anew(game_id, [before[number] for number in found], found)
        former = {before[number].person_id for number in found}
    # In a transaction of its own, which holds no game: somebody else may just be naming
    # one of them.
    with transaction():
        retention.unnamed([person for person in former if person is not None])
    return True


def _mendable(
    chairs: Sequence[SeatRecord], wanted: Mapping[int, Guest]
) -> Mapping[int, Guest]:
    """What is to be changed: a form sent as it came changes no row."""
    known = typed(chairs)
    return {
        number: guest
        for number, guest in wanted.items()
        if number in known and guest != known[number]
    }


def _others(
    chairs: Sequence[SeatRecord], wanted: Mapping[int, Guest]
) -> tuple[set[str], set[str]]:
    """The addresses' keys of all whose seats stay as they are, and how names look."""
    known, mended = typed(chairs), _mendable(chairs, wanted)
    stay = [chair for chair in chairs if chair.number not in mended]
    host = people.by_id(chairs[0].person_id) if chairs[0].person_id else None
    keys = {host.address_key} if host and host.address_key else set()
    for number in known.keys() - mended.keys():
        keys.add(addresses.parse(known[number].address, "address").key)
    looks = {
        names.skeleton(chair.name) for chair in stay if chair.state != SeatState.OPEN
    }
    return keys, looks


def _seat_anew(
    game_id: UUID,
    chairs: Sequence[SeatRecord],
    found: Mapping[int, tuple[str, Address]],
) -> None:
    host_id = tables.choices(game_id).host_id
    known = invitations.guests({box: Profile(name) for name, box in found.values()})
    # Two may change places: nobody has two seats, not even for a moment.
    for chair in chairs:
        tables.put_seat(game_id, replace(chair, state=SeatState.DECLINED))
    for chair in chairs:
        name, mailbox = found[chair.number]
        guest = known[mailbox.key]
        seated = invitations.chair(chair.number, guest.id, name, mailbox, host_id)
        tables.put_seat(game_id, seated)
