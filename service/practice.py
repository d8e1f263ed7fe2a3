"""Practice: a game against bots at once, without address, name or mail."""

from uuid import UUID

import msgspec

from engine.commands import PlacementOption
from service import auth, hosting, names, plan, seating
from service.hosting import BotSeat, TableWish
from service.store import links, people, tables
from service.store.people import Profile
from service.store.tables import Chair, NewGame
from service.store.transactions import transaction

_BOTS = 3


class Practice(msgspec.Struct, frozen=True):
    """A practice game and the two tokens of its one person: browser's and program's."""

    game_id: UUID
    device: str
    token: str


def practise(name: str, language: str = "en", zone: str = "UTC") -> Practice:
    """A game against three bots that begins at once: short, quick, without mails."""
    wish = TableWish(
        seats=(BotSeat(),) * _BOTS,
        rounds=1,
        placement=PlacementOption.RANDOM,
    )
    options = hosting.options_of(wish, plan.PRACTICE_TIME)
    profile = Profile(names.clean(name, "name"), language, zone)
    with transaction():
        person_id = people.practiser(profile)
        new = NewGame(
            host_id=person_id,
            status="inviting",
            edition=wish.edition,
            options=msgspec.json.encode(options),
            visibility="link",
            practice=True,
        )
        game_id = tables.add_game(new)
        tables.put_seat(game_id, Chair(0, person_id, None, profile.name, "joined"))
        hosting.seat_bots(game_id, wish)
        hosting.create(game_id, b"")
        seating.start_if_full(game_id)
        device = links.remember(game_id, person_id, 0)
        token = auth.game_token(person_id, game_id)
    return Practice(game_id, device, token)
