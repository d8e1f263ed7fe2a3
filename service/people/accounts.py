"""Accounts: signing in by a mailed code, and changing an address by two.

Whatever is known of an address, asking for a code does the same work and gets the same
answer. Only whoever reads the mailbox learns more.
"""

from collections.abc import Callable
from uuid import UUID

import msgspec
from flask import current_app
from msgspec import UNSET, UnsetType

from service import config
from service.auth import tokens
from service.game import task_hints
from service.rate_limits import budgets, network_digests
from service.rate_limits.budgets import Budget
from service.store import codes, devices, links, people, proved_networks, quotas
from service.store import tokens as tokenstore
from service.store.codes import AskedCode, CodeKind, CodeRequest, Whence
from service.store.grants import THE_MOST, Grant
from service.store.people import PersonRow, Profile
from service.store.tokens import Issued
from service.store.transactions import transaction
from service.values import addresses, names
from service.values.addresses import Address
from service.values.conflicts import AddressInUse, CodeRefused
from service.values.enums import MailChoice
from service.values.errors import TooManyChanges, Unauthorized
from service.values.free_time import (
    MOST_CHANGES,
    FreeHours,
    FreeTime,
    QuietHours,
)


class Arrival(msgspec.Struct, frozen=True):
    """How somebody who signs in calls their token, and wants to be spoken to.

    `language` and `zone` are None for what is known, or else the default. A zone stays
    in which somebody keeps time free, if they have changed that too often. Who is new,
    or only invited so far, is called `person_name`, if it isn't None.
    """

    token_name: str
    language: str | None
    zone: str | None
    person_name: str | None = None


class AccountChange(msgspec.Struct, frozen=True):
    """What somebody changes of their account; None for what stays.

    Quiet hours stay where they are unset: None is none.
    """

    name: str | None = None
    language: str | None = None
    zone: str | None = None
    program: bool | None = None
    address: str | None = None
    quiet_hours: QuietHours | None | UnsetType = UNSET
    weekends: bool | None = None
    mails: MailChoice | None = None


def ask_to_sign_in(
    address: str,
    origin: str | None,
    token_hash: bytes | None = None,
    grant: Grant = THE_MOST,
) -> UUID:
    """Have a code mailed to an address; what it is to be sent back with.

    `grant` is the most that it is good for, as its mail says. `origin` is where the
    request comes from, as an IP address, and `token_hash` what it brings along: who
    asks too often keeps nobody else from their code, least of all whoever has signed in
    there before. Raises Invalid.
    """
    mailbox = addresses.parse(address, "address")
    with transaction():
        quotas.hold(network_digests.of_address("codes", mailbox.key))
        asked = _mail(CodeKind.SIGN_IN, mailbox, None, origin, token_hash, grant)
        return asked.id


def sign_in(
    asked: UUID,
    code: str,
    arrival: Arrival,
    origin: str | None = None,
    grant: Grant = THE_MOST,
) -> Issued:
    """A token for whoever reads the mailbox: as the mail said, or less by `grant`.

    Unless either says more it has every scope, for a year. Somebody who wasn't known
    becomes a person by it, and `origin` a network where they are. Tokens enough fail
    nobody: the one that was used longest ago is lost. Raises CodeRefused, Invalid for a
    name, and for a right code, which stays good then, MoreThanMailed, or NotFound for a
    game where they have no seat.
    """
    token_name = names.clean(arrival.token_name, "name")
    called = names.clean(arrival.person_name or names.of_seat(0), "person_name")
    with transaction():
        # A wrong try counts: it must be committed before it is told.
        found = codes.tried(asked, CodeKind.SIGN_IN, code)
        if found is not None:
            granted = tokens.narrowed(found.grant, grant)
            person_id = _welcome(found.address, called, arrival)
            if found.token_id and not tokenstore.end(person_id, found.token_id):
                # They signed out meanwhile, or it is somebody else's address by now.
                raise CodeRefused
            issued = tokens.issue(person_id, token_name, granted)
            codes.use(asked, issued.row.id)
            proved_networks.add(
                person_id, network_digests.known_network(origin, found.address.key)
            )
            return issued
    raise CodeRefused


def _welcome(mailbox: Address, called: str, arrival: Arrival) -> UUID:
    person = people.known_or_new(mailbox, Profile(called))
    if person.address != mailbox.typed and not people.spell(person.id, mailbox):
        # Somebody came meanwhile, whose address only compares as equal.
        raise CodeRefused
    # Whoever invited somebody named them; that is nobody's word for their account.
    profile = Profile(
        person.profile.name if person.verified else called,
        arrival.language or person.profile.language,
        arrival.zone or person.profile.zone,
    )
    # Held by that: whoever signs in at the same time counts this token, too.
    people.verify(person.id, profile)
    return person.id


def known(person_id: UUID) -> PersonRow:
    """The person of an id.

    Raises Unauthorized for one who was erased meanwhile, their tokens with them.
    """
    person = people.by_id(person_id)
    if person is None:
        raise Unauthorized(reason="bad-token")
    return person


def change(
    person_id: UUID,
    wish: AccountChange,
    origin: str | None,
    check: Callable[[], None] | None = None,
) -> None:
    """Change an account; a new address only gets and costs a code for now.

    `origin` is where the request comes from, as an IP address. `check` is called when
    the account is held and nothing is changed yet; what it raises changes nothing.
    Raises Invalid, TooManyChanges for free time that is taken anew, or Unauthorized for
    somebody who was erased meanwhile.
    """
    wanted = None if wish.address is None else addresses.parse(wish.address, "address")
    name = None if wish.name is None else names.clean(wish.name, "name")
    with transaction():
        if wanted is not None:
            _hold_codes(known(person_id), wanted)
            codes.hold_change(person_id)
        if not people.hold(person_id):
            raise Unauthorized(reason="bad-token")
        if check is not None:
            check()
        person = known(person_id)
        profile = Profile(
            name or person.profile.name,
            wish.language or person.profile.language,
            wish.zone or person.profile.zone,
        )
        program = person.program if wish.program is None else wish.program
        free = _free_time(person.free, wish)
        before = FreeHours(person.free, person.profile.zone)
        counts = FreeHours(free, profile.zone).takes_more_than(before)
        if counts:
            _check_changes(person_id)
        mails = wish.mails or person.mails
        people.change(person_id, profile, program, free, mails, counts=counts)
        if wanted is not None:
            codes.end_change(person_id)
            _ask_both(person, wanted, origin)


def _free_time(known: FreeTime, wish: AccountChange) -> FreeTime:
    """When nothing of somebody's shall end from now on."""
    quiet, weekends = wish.quiet_hours, wish.weekends
    return FreeTime(
        known.quiet_hours if isinstance(quiet, UnsetType) else quiet,
        known.weekends if weekends is None else weekends,
    )


def _check_changes(person_id: UUID) -> None:
    """Raise TooManyChanges for somebody who has changed their free time too often."""
    recent = people.free_changes(person_id)
    if recent.amount >= MOST_CHANGES:
        raise TooManyChanges(
            limit="free-time",
            whose="person",
            most=MOST_CHANGES,
            retry_after=max(1, recent.seconds),
        )


def _hold_codes(person: PersonRow, wanted: Address) -> None:
    keys = (person.address_key or "", wanted.key)
    quotas.hold(*(network_digests.of_address("codes", key) for key in keys))


def _ask_both(person: PersonRow, wanted: Address, origin: str | None) -> None:
    """Mail a code to the old and to the new address; who has that is not looked up."""
    if person.address is None or person.address_key is None:
        raise Unauthorized(reason="bad-token")
    old = Address(person.address, person.address_key)
    asked = _mail(CodeKind.OLD_ADDRESS, old, person.id, origin)
    before = int(asked.counted)
    _mail(CodeKind.NEW_ADDRESS, wanted, person.id, origin, before=before)


def confirm_address(
    person_id: UUID, old_code: str, new_code: str, origin: str | None = None
) -> None:
    """Change an address, with the codes from both mailboxes.

    From now on `origin` is the one network where the new one is known. Raises
    CodeRefused, and only if both are right AddressInUse.
    """
    with transaction():
        old = _tried(person_id, CodeKind.OLD_ADDRESS, old_code)
        new = _tried(person_id, CodeKind.NEW_ADDRESS, new_code)
        if old is not None and new is not None:
            if not people.move(person_id, new):
                raise AddressInUse
            codes.end_change(person_id)
            proved_networks.forget(person_id)
            proved_networks.add(
                person_id, network_digests.known_network(origin, new.key)
            )
            # Whoever reads the old mailbox only may have had them remembered.
            devices.forget_all(person_id)
            links.end_short_lived(person_id)
            return
    raise CodeRefused


def _tried(person_id: UUID, kind: CodeKind, code: str) -> Address | None:
    latest = codes.latest(person_id, kind)
    found = None if latest is None else codes.tried(latest, kind, code)
    return None if found is None else found.address


def _mail(
    kind: CodeKind,
    mailbox: Address,
    person_id: UUID | None,
    origin: str | None,
    token_hash: bytes | None = None,
    grant: Grant = THE_MOST,
    before: int = 0,
) -> AskedCode:
    """Ask for a code's mail, and hint at it, whether or not there will be one.

    Inside the caller's transaction, which holds the address's codes, and has asked for
    so many others `before`.
    """
    budget = Budget.CODES if person_id is None else Budget.MOVES
    whence = Whence(
        network=network_digests.digest("codes", origin, mailbox.key),
        home=network_digests.known_network(origin, mailbox.key),
        device=network_digests.of_address("codes by token", mailbox.key),
        token=token_hash or b"",
    )
    # Where little is left it holds what all share, and the code's row, which refers to
    # its person, is written after that. Nobody waits in a circle: whoever holds a
    # person to erase them counts nothing.
    has_room = budgets.has_room(budget, origin, before)
    asking = CodeRequest(kind, mailbox, person_id, whence, grant)
    asked = codes.ask(asking, config.of(current_app).mail_domain, has_room)
    budgets.count(budget, origin, int(asked.counted))
    task_hints.send(task_hints.DELIVER, str(asked.id))
    return asked
