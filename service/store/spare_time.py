"""Spare time: how much of it each seat of a game has used."""

from collections.abc import Sequence
from uuid import UUID

from service.store import sql
from service.store.seats import PERSON_PLAYS

_PAY = f"""UPDATE seat s SET spare_used = spare_used + 1
    WHERE game_id = %(game)s AND number = ANY(%(seats)s) AND {PERSON_PLAYS}
        AND spare_used < %(most)s"""


def pay(game_id: UUID, seats: Sequence[int], most: int) -> int:
    """Take one piece from each of some seats that has used fewer than `most`.

    How many have paid; nobody is asked for nothing.
    """
    if most == 0:
        return 0
    return sql.execute(_PAY, game=game_id, seats=list(seats), most=most)
