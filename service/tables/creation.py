"""New tables: drafted by address, or opened by a token."""

from collections.abc import Mapping
from typing import TypeAlias
from uuid import UUID

import msgspec

from engine.board import Seat
from engine.bots import BOTS
from engine.commands import USUAL_MISSES, CreateGame, History, Options, PlacementOption
from engine.editions import edition
from engine.errors import BadTable
from service.game import pace, task_hints
from service.game.unit_of_work import UnitOfWork
from service.store import event_log, people, tables
from service.store.people import PersonRow, Profile
from service.store.tables import NewGame, SeatRecord
from service.store.transactions import transaction
from service.tables import (
    confirmation,
    empty_seats,
    invitations,
    seat_changes,
    seating,
)
from service.tables.confirmation import TableRequest
from service.values import addresses, names
from service.values.addresses import Address
from service.values.conflicts import AddressTwice, NameTaken
from service.values.enums import GameStatus, NoticeKind, SeatState, Visibility
from service.values.errors import HostNotListed, Unauthorized

DEFAULT_BOT = "steady"
DEFAULT_EDITION = "classic"
VISIBILITIES = tuple(each.value for each in Visibility)


class Guest(msgspec.Struct, frozen=True, tag_field="kind", tag="person"):
    """Somebody to be invited."""

    address: str
    name: str


class BotSeat(msgspec.Struct, frozen=True, tag_field="kind", tag="bot"):
    """A seat for a bot of ours."""

    bot: str = DEFAULT_BOT


class OpenSeat(msgspec.Struct, frozen=True, tag_field="kind", tag="open"):
    """A seat for whoever comes first."""


SeatWish: TypeAlias = Guest | BotSeat | OpenSeat


class TableWish(msgspec.Struct, frozen=True):
    """What a host wants to play. `seats` are those beside the host, clockwise."""

    seats: tuple[SeatWish, ...]
    edition: str = DEFAULT_EDITION
    rounds: int | None = None
    placement: PlacementOption | None = None
    ballot_history: History | None = None
    first: int | None = None
    decision_time: int | None = pace.USUAL
    spare: int = pace.USUAL_SPARE
    daily_at: str | None = None
    zone: str | None = None
    misses: int = USUAL_MISSES
    take_back: bool = True
    visibility: Visibility = Visibility.LINK


class HostWish(msgspec.Struct, frozen=True):
    """Who hosts, and their word for the shuffle."""

    address: str
    profile: Profile
    word: str = ""


def options_of(wish: TableWish) -> Options:
    """The engine's options with every default filled in. Raises BadTable."""
    law = edition(wish.edition)
    defaults = law.choices
    options = Options(
        rounds=wish.rounds or defaults.rounds[0],
        placement=wish.placement or defaults.placement[0],
        ballot_history=wish.ballot_history or defaults.ballot_history[0],
        first=None if wish.first is None else Seat(wish.first),
        decision_time=wish.decision_time,
        spare=wish.spare,
        daily_at=wish.daily_at,
        zone=wish.zone,
        misses=wish.misses,
        take_back=wish.take_back,
    )
    law.check_options(options, len(wish.seats) + 1)
    return pace.settled(options)


def draft(
    host: HostWish,
    wish: TableWish,
    wanted: UUID | None = None,
    asking: TableRequest = confirmation.NOWHERE,
) -> UUID:
    """A draft that waits for its host's word: one mail to the host, none to others.

    Nobody who types an address learns anything of it: one that may not host here, wants
    no mails or had its mails of today gets none, and the draft waits in vain. With a
    `wanted` id, sending the same form again makes no second table. Raises Invalid,
    BadTable, AddressTwice, NameTaken, TooManyInvitations for the network or
    the instance, or tables.GameThere.
    """
    mailbox = host_address(host, set())
    profile = msgspec.structs.replace(host.profile, name=host_name(host, set()))
    with transaction():
        mailed = confirmation.hold(mailbox, asking)
        tables.check_new(wanted)
        plans = _plans(mailbox.key, profile.name, wish)
        # Before all that a table costs: whoever is refused costs next to nothing.
        is_mailed = confirmation.take(mailed, asking)
        known = invitations.guests({mailbox: profile, **plans.invited}, mailbox)
        seated = msgspec.structs.replace(known[mailbox.key], profile=profile)
        game_id = _lay_table(seated, host.word, plans, known, wanted)
        row = invitations.notice(game_id, NoticeKind.CONFIRM, seated.id, 0)
        event_log.notify(game_id, (row,), mailed=is_mailed)
    task_hints.send(task_hints.FOLLOW_UP, str(game_id))
    return game_id


def open_table(
    host_id: UUID, word: str, wish: TableWish, origin: str | None = None
) -> UUID:
    """A table of a host who is verified already: its invitations leave at once.

    `origin` is where they ask from, as an IP address. Raises what `draft` raises, and
    Unauthorized for a host who was erased meanwhile.
    """
    with transaction():
        person = people.by_id(host_id)
        if person is None or person.address is None:
            raise Unauthorized(reason="bad-token")
        check_may_host(addresses.parse(person.address, "address"))
        plans = _plans(person.address_key or "", person.profile.name, wish)
        keys = (mailbox.key for mailbox in plans.invited)
        invitations.hold_caps(host_id, origin, keys)
        if not people.hold(host_id):
            raise Unauthorized(reason="bad-token")
        # Before all that a table costs, as above.
        invitations.take_budget(host_id, origin, len(plans.invited))
        known = invitations.guests(plans.invited)
        game_id = _lay_table(person, word, plans, known)
        seating.send_counted(game_id)
    task_hints.send(task_hints.FOLLOW_UP, str(game_id))
    return game_id


def check_may_host(mailbox: Address) -> None:
    """Raise HostNotListed for somebody's own address that may not host here."""
    if not invitations.may_host(mailbox):
        raise HostNotListed


def host_name(host: HostWish, looks: set[str]) -> str:
    """What the host is called, now one of `looks`. Raises Invalid."""
    name = names.clean(host.profile.name, "name")
    looks.add(names.skeleton(name))
    return name


def host_address(host: HostWish, keys: set[str]) -> Address:
    """The host's address, now one of `keys`. Raises Invalid."""
    mailbox = addresses.parse(host.address, "address")
    keys.add(mailbox.key)
    return mailbox


class _Plans(msgspec.Struct, frozen=True):
    """A wish that can be fulfilled: the guests by seat, and what is played."""

    wish: TableWish
    options: Options
    guests: Mapping[int, tuple[Address, str]]

    @property
    def invited(self) -> dict[Address, Profile]:
        """The guests' addresses, and what the host calls them."""
        return {mailbox: Profile(name) for mailbox, name in self.guests.values()}


def _plans(host_key: str, host_name: str, wish: TableWish) -> _Plans:
    """What a wish comes to; writes nothing."""
    options = options_of(wish)
    check_visible(wish)
    return _Plans(wish, options, _guests(host_key, host_name, wish))


def _lay_table(
    host: PersonRow,
    word: str,
    plans: _Plans,
    known: Mapping[str, PersonRow],
    wanted: UUID | None = None,
) -> UUID:
    """Write a draft, its seats and its first event; `known` are the guests by key."""
    wish = plans.wish
    new = NewGame(
        host_id=host.id,
        status=GameStatus.DRAFT,
        edition=wish.edition,
        options=msgspec.json.encode(plans.options),
        visibility=wish.visibility,
        practice=False,
    )
    game_id = tables.add_game(new, wanted)
    kept = seating.hash_word(game_id, 0, word)
    tables.put_seat(
        game_id,
        SeatRecord(0, host.id, None, host.profile.name, SeatState.INVITED, kept),
    )
    for number, (mailbox, name) in plans.guests.items():
        guest = known[mailbox.key]
        chair = invitations.chair(number, guest.id, name, mailbox, host.id)
        tables.put_seat(game_id, chair)
    seat_bots(game_id, wish)
    for number, seat in enumerate(wish.seats, start=1):
        if isinstance(seat, OpenSeat):
            tables.put_seat(game_id, empty_seats.free(number))
    create(game_id, kept)
    return game_id


def check_visible(wish: TableWish) -> None:
    """Raise BadTable for a visibility that isn't there, or doesn't fit open seats."""
    if wish.visibility not in VISIBILITIES:
        raise BadTable("visibility", wish.visibility)
    if any(isinstance(seat, OpenSeat) for seat in wish.seats):
        seat_changes.check_findable(wish.visibility)


def _guests(
    host_key: str, host_name: str, wish: TableWish
) -> dict[int, tuple[Address, str]]:
    """The invited by seat, each with the name the host calls them by."""
    keys, looks = {host_key}, {names.skeleton(host_name)}
    found = {}
    for at, seat in enumerate(wish.seats):
        if isinstance(seat, Guest):
            mailbox = guest_address(seat, at, keys)
            found[at + 1] = (mailbox, guest_name(seat, at, looks))
    return found


def guest_address(guest: Guest, at: int, keys: set[str]) -> Address:
    """A guest's address, now one of `keys`; `at` is the place among the wished.

    Raises Invalid or AddressTwice.
    """
    field = f"seats.{at}.address"
    mailbox = addresses.parse(guest.address, field)
    if mailbox.key in keys:
        raise AddressTwice(field=field)
    keys.add(mailbox.key)
    return mailbox


def guest_name(guest: Guest, at: int, looks: set[str]) -> str:
    """What the host calls a guest, now one of `looks`. Raises Invalid or NameTaken."""
    field = f"seats.{at}.name"
    name = names.clean(guest.name or names.of_seat(at + 1), field)
    if names.skeleton(name) in looks:
        raise NameTaken(field=field)
    looks.add(names.skeleton(name))
    return name


def seat_bots(game_id: UUID, wish: TableWish) -> None:
    """Seat the bots a wish names, behind everybody else. Raises BadTable."""
    for number, seat in enumerate(wish.seats, start=1):
        if isinstance(seat, BotSeat):
            if seat.bot not in BOTS:
                raise BadTable("bot", seat.bot)
            others = tables.chairs(game_id)
            tables.put_seat(game_id, empty_seats.of_bot(number, seat.bot, others))


def create(game_id: UUID, word: bytes) -> None:
    """Write game_created: the seed is bound before anybody is invited."""
    locked = seating.hold(game_id)
    work = UnitOfWork(locked)
    work.run(CreateGame(locked.seed, word))
    work.write()
