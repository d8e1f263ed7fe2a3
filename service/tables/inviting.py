"""Invitations: who may be mailed unasked, how often, and by whom."""

from uuid import UUID

import msgspec
from flask import current_app

from service.config import Config
from service.errors import TooManyInvitations, WantsNoInvitations
from service.kinds import NoticeKind, SeatState
from service.store import log, people, tables, unwanted
from service.store.log import NoticeRow

OPEN_INVITATIONS_A_HOST = 10
INVITATIONS_A_HOST_A_DAY = 30
MAILS_A_DAY = 3
_HOUR = 3600
"""The most confirmations, and as many invitations, to one address a day."""


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


def invite_or_free(
    game_id: UUID, chair: tables.Chair, host_id: UUID, person_id: UUID
) -> None:
    """Invite somebody, or free their seat if they can't be: the others still are."""
    try:
        invite(game_id, chair.number, host_id, person_id)
    except WantsNoInvitations:
        tables.put_seat(
            game_id, msgspec.structs.replace(chair, state=SeatState.DECLINED)
        )
    except TooManyInvitations as error:
        if error.facts["whose"] != "address":
            raise
        tables.put_seat(
            game_id, msgspec.structs.replace(chair, state=SeatState.DECLINED)
        )


def invite(game_id: UUID, seat: int, host_id: UUID, person_id: UUID) -> None:
    """One invitation, within the host's, the address's and the instance's cap.

    Inside the caller's transaction, which has held the caps before anything else.
    """
    if tables.open_invitations(host_id) >= OPEN_INVITATIONS_A_HOST:
        raise _reached("open-invitations", "host", OPEN_INVITATIONS_A_HOST)
    if tables.invitations_of_host(host_id) >= INVITATIONS_A_HOST_A_DAY:
        raise _reached("invitations", "host", INVITATIONS_A_HOST_A_DAY)
    if tables.mails_today(person_id, NoticeKind.INVITATION) >= MAILS_A_DAY:
        raise _reached("invitations", "address", MAILS_A_DAY, seat=seat)
    # A draft may have waited since before its guest asked for no more.
    person = people.by_id(person_id)
    if person and person.address_key and unwanted.has(person.address_key):
        raise WantsNoInvitations(seat=seat)
    number = tables.invite(game_id, seat, host_id, person_id)
    log.notify(
        game_id, (notice(game_id, NoticeKind.INVITATION, person_id, seat, number),)
    )
    check_instance_cap()


def check_instance_cap() -> None:
    """Raise TooManyInvitations when this instance has mailed enough strangers today."""
    settings: Config = current_app.config["KINGUP"]
    most = settings.invitations_a_day
    if tables.unasked_mails_today() > most:
        raise _reached("invitations", "instance", most)


def confirmations_reached() -> TooManyInvitations:
    """What is raised when an address was mailed enough drafts today."""
    return _reached("confirmations", "address", MAILS_A_DAY)


def _reached(limit: str, whose: str, most: int, **facts: int) -> TooManyInvitations:
    # Days roll on: some of it may be there again within the hour.
    return TooManyInvitations(
        limit=limit, whose=whose, most=most, retry_after=_HOUR, **facts
    )
