"""Practice: a game against bots at once, without address, name or mail."""

from collections.abc import Mapping
from enum import StrEnum
from uuid import UUID

import msgspec

from engine.commands import PlacementOption
from service.auth import bearer
from service.game import time_up
from service.store import devices, people, tables
from service.store.people import Profile
from service.store.tables import NewGame, SeatRecord
from service.store.transactions import transaction
from service.tables import creation, seating
from service.tables.creation import DEFAULT_BOT, DEFAULT_EDITION, BotSeat, TableWish
from service.values import names
from service.values.enums import GameStatus, SeatState, Visibility
from service.values.errors import NotFound
from service.values.principals import Principal
from service.values.signed_tokens import Origin

NAME = "Your Grace"
"""Whom everybody reads of where somebody practises without a name."""

BOTS = (DEFAULT_BOT,) * 3
"""The bots of a practice game for which nobody has named others."""

PACES = range(60, 12 * 60 * 60 + 1)
"""Seconds a decision may stay open: less than a game without answers is kept."""


class Against(msgspec.Struct, frozen=True):
    """What somebody practises: an edition, against these bots, clockwise.

    A decision stays open for `decision_time` seconds; with None for ever.
    """

    edition: str = DEFAULT_EDITION
    bots: tuple[str, ...] = BOTS
    decision_time: int | None = None


THREE = Against()


class Until(StrEnum):
    """To which moment of a decision its owner lets time pass."""

    REMINDER = "reminder"
    DEADLINE = "deadline"


class Practice(msgspec.Struct, frozen=True):
    """A practice game and the two tokens of its one person: browser's and program's."""

    game_id: UUID
    device: str
    token: str


def practise(
    name: str,
    language: str = "en",
    zone: str = "UTC",
    against: Against = THREE,
) -> Practice:
    """A game against bots that begins at once: short, quick, without mails.

    Raises Invalid for the name, BadTable for the rest.
    """
    wish = _wish(against)
    options = creation.options_of(wish)
    profile = Profile(names.clean(name, "name"), language, zone)
    with transaction():
        person_id = people.practiser(profile)
        new = NewGame(
            host_id=person_id,
            status=GameStatus.INVITING,
            edition=wish.edition,
            options=msgspec.json.encode(options),
            visibility=Visibility.LINK,
            practice=True,
        )
        game_id = tables.add_game(new)
        tables.put_seat(
            game_id, SeatRecord(0, person_id, None, profile.name, SeatState.JOINED)
        )
        creation.seat_bots(game_id, wish)
        creation.create(game_id, b"")
        seating.start_if_full(game_id)
        # Nobody's mailbox is proved by it: there is no mail, so the cookie is set at
        # once.
        device = devices.remember(game_id, person_id, 0, origin=Origin.ANYBODY)
        token = bearer.game_token(person_id, game_id)
    return Practice(game_id, device, token)


def _wish(against: Against) -> TableWish:
    return TableWish(
        seats=tuple(BotSeat(bot) for bot in against.bots),
        edition=against.edition,
        rounds=1,
        placement=PlacementOption.RANDOM,
        decision_time=against.decision_time,
        spare=0,
    )


def let_pass(game_id: UUID, owner: Principal, decision: int, to: Until) -> None:
    """Let the time of a decision pass at once: it is reminded of, or answered.

    Twice does the same as once, and so does a decision that is over. Raises what
    `time_up.remind` raises.
    """
    match to:
        case Until.REMINDER:
            time_up.remind(game_id, decision, owner)
        case Until.DEADLINE:
            time_up.run_out(game_id, decision, owner)


def token_anew(begun: Mapping[str, str]) -> str:
    """Another token for a practice game that was begun, from the answer to that.

    Raises NotFound for one that was erased meanwhile.
    """
    game_id = UUID(begun["game"])
    for chair in tables.chairs(game_id):
        if chair.person_id is not None:
            return bearer.game_token(chair.person_id, game_id)
    raise NotFound(what="game")
