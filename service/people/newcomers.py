"""Somebody who comes to an open seat by its page: a code by mail, then the seat."""

from typing import Final
from uuid import UUID

import msgspec

from service.people import accounts
from service.people.accounts import Arrival
from service.store import codes, tables
from service.store import tokens as tokenstore
from service.store.grants import Grant
from service.store.transactions import transaction
from service.tables import joining, seating
from service.values import entropy, names
from service.values.conflicts import SeatTaken
from service.values.enums import SeatState
from service.values.errors import Unauthorized

_GRANT: Final = Grant(scopes=("games:play",), expires_in=codes.MINUTES * 60)
"""What the code's mail says: to take a seat, as long as the code is good."""


class Newcomer(msgspec.Struct, frozen=True):
    """Who wants a seat: what proves their mailbox, how they are called, their word."""

    asked: UUID
    code: str
    name: str
    language: str
    zone: str
    word: str
    origin: str | None


class Seated(msgspec.Struct, frozen=True):
    """Who has a seat now, and which."""

    person_id: UUID
    seat: int


def ask(address: str, origin: str | None) -> UUID:
    """Have a code mailed to whoever wants a seat; what it is to be sent back with.

    `origin` is where they ask from, as an IP address. Raises Invalid.
    """
    return accounts.ask_to_sign_in(address, origin, grant=_GRANT)


def check_open(game_id: UUID) -> int:
    """The first open seat of a table. Raises SeatTaken where there is none."""
    for chair in tables.chairs(game_id):
        if chair.state == SeatState.OPEN:
            return chair.number
    raise SeatTaken


def sit(game_id: UUID, who: Newcomer) -> Seated:
    """Give the first open seat to whoever reads the mailbox that a code went to.

    The last one in starts the game. Raises CodeRefused, and what `joining.take` raises;
    as far as it can be told before, with the code still good.
    """
    seat = check_open(game_id)
    called = names.clean(who.name, "name")
    seating.check_name(game_id, seat, called)
    seating.hash_word(game_id, seat, who.word)
    arrival = Arrival("seat", who.language, who.zone, called)
    issued = accounts.sign_in(who.asked, who.code, arrival, who.origin)
    owner = tokenstore.bearer(entropy.digest(issued.token))
    if owner is None:
        raise Unauthorized(reason="bad-token")
    person = accounts.known(owner.person_id)
    taken = joining.take(game_id, person, None, called, who.word)
    # It has done what it was for. Where it couldn't, the same code gives another one.
    with transaction():
        tokenstore.end(owner.person_id, issued.row.id)
    return Seated(owner.person_id, taken)
