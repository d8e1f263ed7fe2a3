"""The running games in which a token's owner sits, read for what they ask of them."""

from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec

from engine.state import Game
from service.store import games, good_tokens, sql
from service.store.games import GameRow
from service.store.seats import PERSON_HAS_JOINED
from service.values.principals import Bearer

_OWN = f"""FROM token t JOIN seat s ON s.person_id = t.person_id
        AND {PERSON_HAS_JOINED}
    JOIN game g ON g.id = s.game_id AND g.status = 'running'
    WHERE {good_tokens.PROVES}"""

BRIEF: Final = """g.id, g.snapshot, g.snapshot_format, g.deadline,
    s.number AS seat"""
"""What a Brief is made of: columns of a game `g` and the reader's seat `s`."""

_BRIEF = f"SELECT {BRIEF} {_OWN}"

_WHOLE = f"""SELECT {games.SHOWN}, true AS proved, s.number AS seat,
    (SELECT max(a.decision) FROM answer a
        WHERE a.game_id = g.id AND a.seat = s.number) AS answered {_OWN}"""


class Brief(msgspec.Struct, frozen=True):
    """A game's row, read for its open decision alone; `seat` is the reader's."""

    id: UUID
    snapshot: bytes
    snapshot_format: int
    deadline: datetime | None
    seat: int

    def game(self) -> Game:
        """The game itself. Raises UnreadableLog for one this process can't read."""
        return games.state(self)


def brief(reader: Bearer) -> tuple[Brief, ...]:
    """The running games in which a token's owner sits, in any order, for a list."""
    return sql.structs(Brief, _BRIEF, **games.proof(reader))


def whole(reader: Bearer) -> tuple[GameRow, ...]:
    """The same games with all that it takes to show them."""
    return sql.structs(GameRow, _WHOLE, **games.proof(reader))
