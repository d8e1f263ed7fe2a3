"""Who has their cards mailed to themself: an order is a person's, no seat's."""

from typing import Final
from uuid import UUID

from service.store import sql

# Whoever has the seat after them has ordered nothing.
_THEIRS: Final = "s.cards_for = s.person_id AND s.state = 'joined'"

_ORDER = """UPDATE seat SET cards_for = CASE WHEN %(wanted)s THEN person_id END
    WHERE game_id = %(game)s AND number = %(seat)s"""
_HAS = f"""SELECT EXISTS (SELECT FROM seat s
    WHERE s.game_id = %(game)s AND s.number = %(seat)s AND {_THEIRS})"""
_SEATS = f"""SELECT s.number FROM seat s
    WHERE s.game_id = %(game)s AND {_THEIRS} ORDER BY s.number"""


# Nothing is published: it is there for nobody else.
def order(game_id: UUID, seat: int, *, wanted: bool) -> None:
    """Let a seat's person be mailed their cards, or no more, in a game that is held."""
    sql.execute(_ORDER, game=game_id, seat=seat, wanted=wanted)


def is_there(game_id: UUID, seat: int) -> bool:
    """Whether the person of a seat has ordered their cards, whoever plays it."""
    return bool(sql.value(_HAS, game=game_id, seat=seat))


def seats(game_id: UUID) -> frozenset[int]:
    """The seats whose people have ordered their cards, whoever plays them."""
    return frozenset(sql.values(_SEATS, game=game_id))
