"""Seats that a bot keeps, and somebody else who is named for one."""

from datetime import timedelta
from uuid import UUID

from engine.commands import PlacementOption
from service.game import table_acts
from service.people import deletion
from service.store import clock, links, people, replacements
from service.store.links import LinkRow
from service.store.people import Profile
from service.store.replacements import Replacement
from service.store.transactions import transaction
from service.tables import replacements as naming
from service.tables import succession
from service.tables.refusals import InvitationAnswer
from service.tables.replacements import Namer
from service.values import addresses, entropy
from service.values.enums import LinkPurpose
from service.values.principals import DeviceHolder
from tests.rig.service import seated
from tests.rig.service.seated import Seated

KEPT = 1
"""The seat that is left."""


def kept(seats: int = 4, **wish: object) -> Seated:
    """A running game whose seat 1 was left to a bot in the first round."""
    lot = {"placement": PlacementOption.RANDOM, "rounds": 3, **wish}
    table = seated.started(seats, **lot)
    table_acts.depart(table.id, table.holder(KEPT), KEPT)
    return table


def in_election() -> Seated:
    """A game of several rounds whose first election has just been opened."""
    table = seated.started(4, placement=PlacementOption.RANDOM, rounds=2)
    table.nominate()
    return table


def fresh() -> str:
    """An address that nobody has."""
    return f"{entropy.token()}@example.org"


def name(
    table: Seated, address: str, by: int = 0, called: str = "", seat: int = KEPT
) -> None:
    """Somebody who plays names an address for a kept seat."""
    who = Namer(seated.person_on(table.id, by), "2001:db8::1")
    naming.name(table.id, seat, who, address, called)


def end(table: Seated, by: int, seat: int = KEPT) -> None:
    naming.end(table.id, seat, seated.person_on(table.id, by))


def latest(table: Seated, seat: int = KEPT) -> Replacement:
    return replacements.of_seat(table.id, seat)[-1]


def state(table: Seated, seat: int = KEPT) -> str:
    return latest(table, seat).state.value


def days_pass(table: Seated, days: int = 1, seat: int = KEPT) -> None:
    """So many days, and the worker's round after them."""
    clock.shift(timedelta(days=days, minutes=1))
    naming.step(table.id, seat)


def link_of(table: Seated, seat: int = KEPT) -> LinkRow:
    """The link that whoever was named last would be mailed."""
    person = latest(table, seat).person_id
    return LinkRow(LinkPurpose.INVITATION, table.id, person, seat, None)


def mailed(table: Seated, seat: int = KEPT) -> str:
    """The token of that link."""
    with transaction():
        return links.add(link_of(table, seat))


def decision_link(table: Seated) -> str:
    """The page of a link of the open question, mailed to the seat's person."""
    row = LinkRow(
        LinkPurpose.DECISION,
        table.id,
        seated.person_on(table.id, KEPT),
        KEPT,
        table.decision,
    )
    with transaction():
        return f"/d/{links.add(row)}"


def device_of(table: Seated, seat: int = KEPT) -> DeviceHolder:
    """A browser of whoever has a seat now."""
    return Seated(table.id).holder(seat)


def asked(table: Seated, address: str | None = None, seat: int = KEPT) -> LinkRow:
    """Somebody is named, nobody objects, and they are asked; their link."""
    name(table, address or fresh(), seat=seat)
    days_pass(table, seat=seat)
    return link_of(table, seat)


def answer(
    link: LinkRow,
    choice: InvitationAnswer = InvitationAnswer.IN,
    called: str = "Nora",
    token: str | None = None,
) -> None:
    succession.respond(link, choice, Profile(called), token)


def person(address: str) -> UUID:
    """Whose an address is, who may be new."""
    mailbox = addresses.parse(address, "address")
    with transaction():
        return people.known_or_new(mailbox, Profile("Nora")).id


def address_on(table: Seated, seat: int) -> str:
    found = people.by_id(seated.person_on(table.id, seat))
    assert found is not None
    assert found.address is not None
    return found.address


def erase(table: Seated, seat: int) -> None:
    deletion.erase(seated.person_on(table.id, seat))
