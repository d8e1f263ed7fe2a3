"""Networks and hosts that have mails sent until their share of a budget is used up."""

from collections.abc import Callable
from uuid import UUID

from flask import Flask
from msgspec.structs import replace

from service.tables import creation
from service.tables.confirmation import TableRequest
from service.tables.creation import BotSeat, Guest, TableWish
from service.values.errors import TooManyInvitations
from tests.rig.service.hosts import RACHEL, SIMON
from tests.rig.service.programs import Api, operator_token
from tests.rig.service.seated import run

MOST = 40
"""So many mails of each kind a day; one network gets ten."""


def ip(network: int) -> str:
    return f"203.0.{network // 250}.{network % 250}"


def refusal(deed: Callable[[], object]) -> str | None:
    """Whose share is used up, so that a deed is refused; None for one that is done."""
    try:
        deed()
    except TooManyInvitations as error:
        return str(error.facts["whose"])
    return None


def draft(network: int, address: str) -> str | None:
    host = replace(RACHEL, address=address)
    table = TableWish((SIMON, BotSeat()))
    return refusal(lambda: creation.draft(host, table, None, TableRequest(ip(network))))


def use_up_drafts(networks: int) -> list[int]:
    """Have so many networks ask for all they get; how many drafts each was let make."""
    made = []
    for network in range(networks):
        count = 0
        while draft(network, f"host{network}.{count}@example.org") is None:
            count += 1
        made.append(count)
    return made


def host(inside: Flask, address: str) -> UUID:
    operator_token(Api(inside), address)
    key = {"key": address}
    found: UUID = run("SELECT id FROM person WHERE address_key = :key", key)[0][0]
    return found


def invite(host_id: UUID, network: int, guests: int, tag: str) -> str | None:
    seats = tuple(
        Guest(f"guest{n}{tag}@example.org", f"Guest {n}") for n in range(guests)
    )
    table = TableWish(seats if guests > 2 else (*seats, BotSeat(), BotSeat()))
    return refusal(lambda: creation.open_table(host_id, "", table, ip(network)))
