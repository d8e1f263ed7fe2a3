"""Standing answers: rows for their seat alone, and what a write does with them."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, TypeAlias
from uuid import UUID

import msgspec

from engine.state import Kind
from service.store import sql
from service.store.seats import PERSON_HAS_JOINED
from service.values.enums import DueKind
from service.values.wishes import WishedElection, WishedMove, WishedPlacements, Wishes

_Wish: TypeAlias = WishedPlacements | WishedMove | WishedElection

_FORMS: Final[Mapping[Kind, Any]] = {
    Kind.PLACEMENT: WishedPlacements,
    Kind.MOVE: WishedMove,
    Kind.ELECTION: WishedElection,
}

# Whoever has the seat now reads what they laid there themself, in this round.
_READ = f"""SELECT a.kind, a.wishes FROM standing_answer a
    JOIN seat s ON s.game_id = a.game_id AND s.number = a.seat
        AND s.person_id = a.person_id AND {PERSON_HAS_JOINED}
    WHERE a.game_id = %(game)s AND a.seat = %(seat)s AND a.round = %(round)s"""

_KEEP = """WITH given AS (
        SELECT kind, convert_to(wishes, 'UTF8') AS wishes
        FROM json_to_recordset(CAST(%(wishes)s AS json)) AS w (kind text, wishes text)
    ), dropped AS (
        DELETE FROM standing_answer WHERE game_id = %(game)s AND seat = %(seat)s
            AND kind NOT IN (SELECT kind FROM given)
    )
    INSERT INTO standing_answer (game_id, seat, kind, person_id, round, wishes)
    SELECT %(game)s, %(seat)s, kind, %(person)s, %(round)s, wishes FROM given
    ON CONFLICT (game_id, seat, kind) DO UPDATE SET person_id = excluded.person_id,
        round = excluded.round, wishes = excluded.wishes"""

_GIVEN_AT = f"""SELECT due_at FROM due WHERE game_id = %(game)s
    AND decision = %(decision)s AND kind = '{DueKind.STANDING}' AND seat = %(seat)s"""

WAITING: Final = """(SELECT seat FROM standing_answer
    WHERE game_id = %(game)s AND seat = ANY(CAST(%(may_stand)s AS int[]))
        AND kind = %(opened_kind)s AND round = %(round)s)"""
"""The seats with a standing answer to the decision that a write opens."""

DROPPED: Final = f"""(DELETE FROM standing_answer WHERE game_id = %(game)s
    AND (%(round_ends)s OR seat = ANY(CAST(%(changed_hands)s AS int[]))
        OR kind = '{Kind.MOVE}' AND seat = ANY(CAST(%(moved)s AS int[]))))"""
"""What ends with a write: all with the round, a next move when one was made."""


class Ahead(msgspec.Struct, frozen=True):
    """What a write means for standing answers.

    It opens decision `opened` of a kind in a round, which those of the seats that
    `may_stand` answer at a moment; who has one is asked by mail later. Those that are
    over go: all of them with the round, of seats with their hands, and next moves.
    """

    opened: int | None = None
    opened_kind: str | None = None
    round: int = 0
    may_stand: tuple[int, ...] = ()
    stands_at: datetime | None = None
    asks_at: datetime | None = None
    round_ends: bool = False
    changed_hands: tuple[int, ...] = ()
    moved: tuple[int, ...] = ()

    def values(self) -> dict[str, object]:
        """What the writing statement is to be told of it."""
        found = msgspec.structs.asdict(self)
        # Tuples would be rows to the database.
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in found.items()
        }


def read(game_id: UUID, seat: int, round_number: int) -> Wishes:
    """What the person on a seat wants in a round: for the eyes of that seat alone."""
    found = sql.rows(_READ, game=game_id, seat=seat, round=round_number)
    kept: dict[str, _Wish] = {
        row.kind: msgspec.json.decode(row.wishes, type=_FORMS[Kind(row.kind)])
        for row in found
    }
    return msgspec.convert(
        {
            "placements": kept.get(Kind.PLACEMENT, ()),
            "move": kept.get(Kind.MOVE),
            "election": kept.get(Kind.ELECTION),
        },
        Wishes,
    )


def given_at(game_id: UUID, decision: int, seat: int) -> datetime | None:
    """When a seat's standing answer to a decision is given: for its eyes alone.

    None where nothing waits to be given.
    """
    moment: datetime | None = sql.value(
        _GIVEN_AT, game=game_id, decision=decision, seat=seat
    )
    return moment


# Nothing is published: it is there for nobody else.
def keep(
    game_id: UUID, seat: int, person_id: UUID, round_number: int, wishes: Wishes
) -> None:
    """Let these be a seat's standing answers, and no others, in a game that is held."""
    given = {
        Kind.PLACEMENT: wishes.placements,
        Kind.MOVE: wishes.move,
        Kind.ELECTION: wishes.election,
    }
    rows = [
        {"kind": kind, "wishes": msgspec.json.encode(wish).decode()}
        for kind, wish in given.items()
        if wish
    ]
    sql.execute(
        _KEEP,
        game=game_id,
        seat=seat,
        person=person_id,
        round=round_number,
        wishes=msgspec.json.encode(rows).decode(),
    )
