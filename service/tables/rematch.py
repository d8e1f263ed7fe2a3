"""Another game with the same people, once one is over."""

from collections.abc import Sequence
from uuid import UUID

import msgspec

from engine.commands import Options
from service.game import task_hints
from service.store import people, tables
from service.store.people import PersonRow
from service.store.tables import NewGame, SeatRecord, TableOptions
from service.store.transactions import transaction
from service.tables import creation, empty_seats, invitations, seating
from service.values import addresses
from service.values.conflicts import NoRematch
from service.values.enums import GameStatus, SeatState
from service.values.errors import Forbidden, Unauthorized


def again(
    game_id: UUID, asker_id: UUID, origin: str | None = None
) -> tuple[UUID, bool]:
    """The table of a game's rematch, and whether it has just been laid.

    Same edition, options and people; whoever asks first hosts, the others sit clockwise
    as before and are invited. Who begins is drawn. A rematch that was called off leaves
    room for another. `origin` is where the asker is, as an IP address. Raises NoRematch
    for a game that isn't over or never began, Forbidden, HostNotListed,
    TooManyInvitations, or Unauthorized for an asker who was erased meanwhile.
    """
    with transaction():
        guests = tables.guests(game_id, asker_id)
        invitations.hold_caps(asker_id, origin, guests)
        locked = seating.hold(game_id)
        began = locked.table_head is not None
        if locked.status != GameStatus.OVER or not began or locked.practice:
            raise NoRematch
        seats = _clockwise_from(tables.chairs(game_id), asker_id)
        found = tables.rematch_of(game_id)
        if found is not None:
            return found, False
        # Nobody who is erased meanwhile sits there again.
        held = people.hold_all([each.person_id for each in seats if each.person_id])
        host = people.by_id(asker_id)
        if asker_id not in held or host is None or host.address is None:
            raise Unauthorized(reason="bad-token")
        creation.check_may_host(addresses.parse(host.address, "address"))
        seated = [_seat_again(at, chair, held) for at, chair in enumerate(seats)]
        laid = _lay(game_id, tables.choices(game_id), host, seated)
        seating.send_invitations(laid, origin)
    task_hints.send(task_hints.FOLLOW_UP, str(laid))
    return laid, True


def _clockwise_from(
    seats: Sequence[SeatRecord], asker_id: UUID
) -> tuple[SeatRecord, ...]:
    """The seats, the asker's first. Raises Forbidden for somebody who has none."""
    for at, chair in enumerate(seats):
        if chair.person_id == asker_id:
            return (*seats[at:], *seats[:at])
    raise Forbidden(reason="no-seat")


def _lay(
    game_id: UUID, chosen: TableOptions, host: PersonRow, seats: Sequence[SeatRecord]
) -> UUID:
    options = msgspec.convert(chosen.options, Options)
    new = NewGame(
        host_id=host.id,
        status=GameStatus.DRAFT,
        edition=chosen.edition,
        # Seats are counted from another host now: the number of who began means
        # somebody else.
        options=msgspec.json.encode(msgspec.structs.replace(options, first=None)),
        visibility=chosen.visibility,
        practice=False,
    )
    laid = tables.add_game(new)
    # The old game isn't published: one that is over has no watchers.
    tables.mark_rematch(game_id, laid)
    for chair in seats:
        tables.put_seat(laid, chair)
    word = seating.hash_word(laid, 0, "")
    creation.create(laid, word)
    return laid


def _seat_again(number: int, chair: SeatRecord, held: frozenset[UUID]) -> SeatRecord:
    """A seat as before: its person, if they are `held`, or its bot."""
    if chair.person_id is None:
        return SeatRecord(number, None, chair.bot, chair.name, SeatState.JOINED)
    if chair.person_id not in held:
        # Whoever left for good leaves a seat for somebody else.
        return empty_seats.free(number, SeatState.DECLINED)
    return SeatRecord(number, chair.person_id, None, chair.name, SeatState.INVITED)
