"""Seats as everybody may see them, told by the database as JSON."""

from typing import Self

import msgspec

from service.values.enums import SeatKind, SeatState

ROWS = """(SELECT json_agg(json_build_array(p.number, p.name, p.bot, p.state,
    p.state = 'joined' AND coalesce(w.program, false)) ORDER BY p.number)
    FROM seat p LEFT JOIN person w ON w.id = p.person_id WHERE p.game_id = g.id)"""
"""The seats of a game `g`, as SeatRow takes them."""


class SeatRow(msgspec.Struct, frozen=True):
    """A seat as everybody may see it: who sits there, and whether they have joined.

    `program` tells that a program plays for the person there, by their own account;
    of somebody who hasn't joined it tells nothing.
    """

    number: int
    name: str
    bot: str | None
    state: SeatState
    program: bool = False

    @classmethod
    def of(
        cls, number: int, name: str, bot: str | None, state: str, program: bool
    ) -> Self:
        """A seat as ROWS tells it."""
        return cls(number, name, bot, SeatState(state), program)

    @property
    def kind(self) -> SeatKind:
        """What sits there; an open seat is for whoever comes first."""
        if self.bot:
            return SeatKind.BOT
        return SeatKind.OPEN if self.state == SeatState.OPEN else SeatKind.PERSON


_decode = msgspec.json.Decoder(list[tuple[int, str, str | None, str, bool]]).decode


def read(told: str) -> tuple[SeatRow, ...]:
    """The seats of a game, in order, from the text of ROWS."""
    return tuple(SeatRow.of(*seat) for seat in _decode(told))
