"""Invitations: who may be mailed unasked, how often, and by whom."""

import hmac
from uuid import UUID

from flask import current_app
from msgspec.structs import replace

from service import entropy
from service.addresses import Address
from service.config import Config, Create
from service.errors import TooManyInvitations
from service.kinds import NoticeKind, SeatState
from service.store import invitations, log, people, tables, unwanted
from service.store.log import NoticeRow
from service.store.people import PersonRow, Profile
from service.store.tables import Chair

OPEN_INVITATIONS_A_HOST = 10
INVITATIONS_A_HOST_A_DAY = 30
MAILS_A_DAY = 3
"""The most confirmations, and as many invitations, to one address a day."""

_HOUR = 3600


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
    settings: Config = current_app.config["KINGUP"]
    said = f"asked {host_id} {key}".encode()
    return hmac.digest(settings.secret_key.encode(), said, "sha256")


def invite_or_free(game_id: UUID, chair: Chair, host_id: UUID) -> None:
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
    if unwanted.has(mailbox.key):
        return people.nobody()
    return people.known_or_new(mailbox, profile)


def invite(
    game_id: UUID, chair: Chair, host_id: UUID, already: Chair | None = None
) -> None:
    """Ask a chair's person to it, within the host's and the instance's cap.

    Whoever has had many invitations today is mailed later. Whoever has a seat there
    `already` is told so, once, and nobody is asked in their place: to the host it looks
    the same, and takes as many statements. Inside the caller's transaction, which has
    held the caps before anything else.
    """
    typed = chair.asked or entropy.digest(str(entropy.identifier()))
    _check_host_caps(host_id, typed, chair.number)
    wait, person_id = 0.0, chair.person_id
    told: tuple[NoticeRow, ...] = ()
    if already is not None:
        person_id = people.practiser(Profile(""))
        told = _sits(game_id, already)
    elif person_id is not None:
        wait = invitations.until_room(person_id, NoticeKind.INVITATION, MAILS_A_DAY)
    if person_id is None:
        raise LookupError(chair.number)
    invited = replace(chair, person_id=person_id, asked=typed)
    tables.put_seat(game_id, invited)
    number = invitations.add(game_id, host_id, invited)
    row = notice(game_id, NoticeKind.INVITATION, person_id, chair.number, number)
    log.notify(game_id, (row, *told), wait)
    check_instance_cap()


def _sits(game_id: UUID, already: Chair) -> tuple[NoticeRow, ...]:
    """That somebody was asked to a table where they have a seat: once for each table.

    They alone hear of it: the host has only guessed, or knows them by another name.
    """
    key = f"{game_id}/{NoticeKind.SEATED}/{already.person_id}"
    if already.person_id is None:
        return ()
    kind = NoticeKind.SEATED
    return (NoticeRow(key, already.person_id, already.number, kind, None, None),)


def _check_host_caps(host_id: UUID, typed: bytes, seat: int) -> None:
    """Raise TooManyInvitations for what this host has done, whoever the guest is."""
    if tables.open_invitations(host_id) >= OPEN_INVITATIONS_A_HOST:
        raise _reached("open-invitations", "host", OPEN_INVITATIONS_A_HOST)
    if tables.invitations_of_host(host_id) >= INVITATIONS_A_HOST_A_DAY:
        raise _reached("invitations", "host", INVITATIONS_A_HOST_A_DAY)
    if invitations.sent_to(host_id, typed) >= MAILS_A_DAY:
        raise _reached("invitations", "address", MAILS_A_DAY, seat=seat)


def check_instance_cap() -> None:
    """Raise TooManyInvitations when this instance has mailed enough strangers today."""
    settings: Config = current_app.config["KINGUP"]
    most = settings.invitations_a_day
    if tables.unasked_mails_today() > most:
        raise _reached("invitations", "instance", most)


def _reached(limit: str, whose: str, most: int, **facts: int) -> TooManyInvitations:
    # Days roll on: some of it may be there again within the hour.
    return TooManyInvitations(
        limit=limit, whose=whose, most=most, retry_after=_HOUR, **facts
    )


def may_confirm(mailbox: Address, person: PersonRow) -> bool:
    """Whether a draft is mailed to whoever was typed as its host.

    All is looked up, whatever comes of it.
    """
    mailed = tables.mails_today(person.id, NoticeKind.CONFIRM)
    unwilling = unwanted.has(mailbox.key)
    return may_host(mailbox) and not unwilling and mailed < MAILS_A_DAY


def may_host(mailbox: Address) -> bool:
    """Whether an address is a listed one, where only those host."""
    settings: Config = current_app.config["KINGUP"]
    return settings.create is not Create.LISTED or mailbox.key in settings.hosts
