"""Invitations: who may be mailed unasked, how often, and by whom."""

import hmac
from collections.abc import Iterable, Mapping
from uuid import UUID

from flask import current_app
from msgspec.structs import replace

from service import config
from service.config import Create
from service.rate_limits import budgets, network_digests
from service.rate_limits.budgets import Budget
from service.store import event_log, invitations, opt_outs, people, quotas, tables
from service.store.event_log import NoticeRow
from service.store.people import PersonRow, Profile
from service.store.tables import SeatRecord
from service.tables import typed_addresses
from service.values import entropy
from service.values.addresses import Address
from service.values.enums import NoticeKind, SeatState
from service.values.errors import TooManyInvitations

OPEN_INVITATIONS_A_HOST = 10
INVITATIONS_A_HOST_A_DAY = 30
MAILS_A_DAY = 3
"""The most invitations to one address a day: of one host, and of all those with whom
its owner has never begun a game.
"""

FELLOWS_MAILS_A_DAY = 9
"""The most of all hosts with whom its owner has: strangers leave them room."""


def notice(
    game_id: UUID,
    kind: NoticeKind,
    person_id: UUID,
    seat: int,
    about: UUID | None = None,
) -> NoticeRow:
    """A notice about a table, one of its kind for a person and what it is about."""
    key = f"{game_id}/{kind}/{seat}/{about or person_id}"
    return NoticeRow(key, person_id, seat, kind, None, None)


def asked(host_id: UUID, key: str) -> bytes:
    """What is kept of an address that a host types, from its key.

    Nobody makes it without the instance's secret; another host's is another one.
    """
    # What a host types is compared with what that host typed before and with nothing
    # else: nobody finds out who has which address by moving or deleting an account.
    said = f"asked {host_id} {key}".encode()
    secret = config.of(current_app).secret_key
    return hmac.digest(secret.encode(), said, "sha256")


def chair(
    number: int, person_id: UUID, name: str, mailbox: Address, host_id: UUID
) -> SeatRecord:
    """The seat of whoever a host asks by an address, under the name they call them."""
    return SeatRecord(
        number,
        person_id,
        None,
        name,
        SeatState.INVITED,
        asked=asked(host_id, mailbox.key),
        typed=typed_addresses.seal(mailbox.typed),
    )


def invite_or_free(game_id: UUID, chair: SeatRecord, host_id: UUID) -> None:
    """Invite to a chair, or free it if its host may ask nobody there today."""
    try:
        invite(game_id, chair, host_id)
    except TooManyInvitations as error:
        if error.facts["whose"] != "address":
            raise
        tables.put_seat(game_id, replace(chair, state=SeatState.DECLINED))


def guest(mailbox: Address, profile: Profile) -> PersonRow:
    """Whom a host asks who types an address: nobody, if its owner wants none of it.

    Raises Busy.
    """
    if opt_outs.has(mailbox.key):
        return people.nobody()
    return people.known_or_new(mailbox, profile)


def guests(
    wanted: Mapping[Address, Profile], host: Address | None = None
) -> dict[str, PersonRow]:
    """The same for several, by the keys of their addresses; who hosts is always asked.

    Raises Busy.
    """
    others = [mailbox.key for mailbox in wanted if mailbox != host]
    unwilling = [key for key in others if opt_outs.has(key)]
    return people.all_known_or_new(wanted, unwilling)


def invite(
    game_id: UUID, chair: SeatRecord, host_id: UUID, already: SeatRecord | None = None
) -> None:
    """Ask a chair's person to it, within the host's cap.

    Whoever has had many invitations today is mailed later. Whoever has a seat there
    `already` is told so, once, and nobody is asked in their place: to the host it looks
    the same, and takes as many statements. Inside the caller's transaction, which has
    held the caps before anything else, and counted it in the budget of all hosts.
    """
    # Whoever asks for a rematch types no address, so that no cap of typed ones knows
    # it.
    typed = chair.asked or entropy.digest(str(entropy.identifier()))
    check_host_caps(host_id, typed, chair.number)
    wait, person_id = 0.0, chair.person_id
    other: tuple[NoticeRow, ...] = ()
    if already is not None:
        person_id = people.practiser(Profile(""))
        other = _sits(game_id, already)
    elif person_id is not None:
        wait = invitations.until_room(
            person_id, host_id, MAILS_A_DAY, FELLOWS_MAILS_A_DAY
        )
    if person_id is None:
        raise LookupError(chair.number)
    invited = replace(chair, person_id=person_id, asked=typed)
    tables.put_seat(game_id, invited)
    people.introduce(person_id, host_id)
    number = invitations.add(game_id, host_id, invited)
    row = notice(game_id, NoticeKind.INVITATION, person_id, chair.number, number)
    event_log.notify(game_id, (row, *other), wait)


def _sits(game_id: UUID, already: SeatRecord) -> tuple[NoticeRow, ...]:
    """That somebody was asked to a table where they have a seat: once for each table.

    They alone hear of it: the host has only guessed, or knows them by another name.
    """
    key = f"{game_id}/{NoticeKind.SEATED}/{already.person_id}"
    if already.person_id is None:
        return ()
    kind = NoticeKind.SEATED
    return (NoticeRow(key, already.person_id, already.number, kind, None, None),)


def check_host_caps(host_id: UUID, typed: bytes, seat: int) -> None:
    """Raise TooManyInvitations for what this host has done, whoever the guest is."""
    if tables.open_invitations(host_id) >= OPEN_INVITATIONS_A_HOST:
        wait = budgets.RETRY_AFTER
        raise _reached("open-invitations", "host", OPEN_INVITATIONS_A_HOST, wait)
    sent = tables.invitations_of_host(host_id)
    if sent.amount >= INVITATIONS_A_HOST_A_DAY:
        raise _reached("invitations", "host", INVITATIONS_A_HOST_A_DAY, sent.seconds)
    sent = invitations.sent_to(host_id, typed)
    if sent.amount >= MAILS_A_DAY:
        raise _reached("invitations", "address", MAILS_A_DAY, sent.seconds, seat=seat)


def hold_caps(host_id: UUID, origin: str | None, guests: Iterable[str]) -> None:
    """Count alone what a host does, their network, and what guests are mailed.

    Guests are told by the keys of their addresses. First of all in the caller's
    transaction. Only for whoever has proved a mailbox: strangers count in buckets of
    their own, so that no verified host ever waits for them.
    """
    quotas.hold(
        network_digests.of_address("host", str(host_id)),
        network_digests.site("invitations", origin),
        *(network_digests.of_address("invitations", key) for key in guests),
    )


def take_budget(host_id: UUID, origin: str | None, guests: int) -> None:
    """Count invitations of a verified host among those of all.

    `origin` is where they ask from, as an IP address. Raises TooManyInvitations.
    """
    if guests:
        earlier = people.proved_earlier(host_id)
        budget = Budget.HOSTS if earlier else Budget.NEWCOMERS
        budgets.take(budget, origin, guests)


def _reached(
    limit: str, whose: str, most: int, wait: int, **facts: int
) -> TooManyInvitations:
    return TooManyInvitations(
        limit=limit, whose=whose, most=most, retry_after=wait, **facts
    )


def may_host(mailbox: Address) -> bool:
    """Whether an address is a listed one, where only those host."""
    settings = config.of(current_app)
    return settings.create is not Create.LISTED or mailbox.key in settings.hosts
