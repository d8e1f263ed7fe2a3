"""Proposals to a table, and who has agreed to them so far."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, TypeAlias
from uuid import UUID

import msgspec

from service.store import publisher, sql
from service.store.due import OF_NO_DECISION
from service.values.enums import DueKind, ProposalKind, ProposalState

_COLUMNS = "number, kind, seat, proposed_at, lapses_at, agreed, state"
_OPEN = f"state = '{ProposalState.OPEN}'"

ROW: Final = f"""(SELECT json_build_array({_COLUMNS}) FROM proposal
    WHERE game_id = g.id ORDER BY number DESC LIMIT 1)"""
"""The latest proposal of a game `g`, as `read` takes it."""

_LATEST = f"""SELECT {_COLUMNS} FROM proposal
    WHERE game_id = %(game)s ORDER BY number DESC LIMIT 1"""
_NUMBERED = f"""SELECT {_COLUMNS} FROM proposal
    WHERE game_id = %(game)s AND number = %(number)s"""
_MADE_BY = """SELECT count(*) FROM proposal
    WHERE game_id = %(game)s AND seat = %(seat)s AND NOT former"""

_PUT = f"""WITH lapses AS (
        INSERT INTO due (game_id, decision, kind, seat, due_at, claim_at)
        VALUES (%(game)s, {OF_NO_DECISION}, '{DueKind.LAPSE}', -1, %(lapses_at)s,
            %(lapses_at)s)
    )
    INSERT INTO proposal (game_id, {_COLUMNS})
    VALUES (%(game)s, %(number)s, %(kind)s, %(seat)s, %(proposed_at)s, %(lapses_at)s,
        %(agreed)s, %(state)s)"""

_AGREE = f"""UPDATE proposal SET agreed = agreed || CAST(%(seat)s AS int)
    WHERE game_id = %(game)s AND number = %(number)s AND {_OPEN}"""

_WITHDRAW = f"""UPDATE proposal SET agreed = array(SELECT each FROM unnest(agreed)
        WITH ORDINALITY AS a (each, place) WHERE each <> ALL(%(seats)s) ORDER BY place)
    WHERE game_id = %(game)s AND {_OPEN} AND agreed && CAST(%(seats)s AS int[])"""

_CLOSE = f"""WITH lapses AS (DELETE FROM due WHERE game_id = %(game)s
        AND decision = {OF_NO_DECISION} AND kind = '{DueKind.LAPSE}')
    UPDATE proposal SET state = %(state)s
    WHERE game_id = %(game)s AND number = %(number)s AND {_OPEN}"""

_END = f"""WITH lapses AS (DELETE FROM due WHERE game_id = %(game)s
        AND decision = {OF_NO_DECISION} AND kind = '{DueKind.LAPSE}')
    UPDATE proposal SET state = '{ProposalState.LAPSED}'
    WHERE game_id = %(game)s AND {_OPEN}"""


class Proposal(msgspec.Struct, frozen=True):
    """What a seat proposes to its table; `agreed` are the seats that do so far."""

    number: int
    kind: ProposalKind
    seat: int
    proposed_at: datetime
    lapses_at: datetime
    agreed: tuple[int, ...]
    state: ProposalState

    @property
    def is_closed(self) -> bool:
        """Whether nobody is asked any more."""
        return self.state is not ProposalState.OPEN


_Told: TypeAlias = tuple[
    int, ProposalKind, int, datetime, datetime, tuple[int, ...], ProposalState
]

_decode = msgspec.json.Decoder(_Told).decode


def read(text: str | None) -> Proposal | None:
    """The latest proposal of a game, from the text of ROW."""
    return None if text is None else Proposal(*_decode(text))


def _of(
    number: int,
    kind: str,
    seat: int,
    proposed_at: datetime,
    lapses_at: datetime,
    agreed: list[int],
    state: str,
) -> Proposal:
    return Proposal(
        number,
        ProposalKind(kind),
        seat,
        proposed_at,
        lapses_at,
        tuple(agreed),
        ProposalState(state),
    )


def latest(game_id: UUID) -> Proposal | None:
    """The latest proposal of a game; None where there was none."""
    return sql.struct(_of, _LATEST, game=game_id)


def numbered(game_id: UUID, number: int) -> Proposal | None:
    """A proposal of a game by its number; None where there is none such."""
    return sql.struct(_of, _NUMBERED, game=game_id, number=number)


def made_by(game_id: UUID, seat: int) -> int:
    """How many proposals whoever has a seat now has made in a game."""
    return int(sql.value(_MADE_BY, game=game_id, seat=seat))


def put(game_id: UUID, made: Proposal) -> None:
    """Write down a proposal, and that its lapse falls due."""
    values = {**msgspec.structs.asdict(made), "agreed": list(made.agreed)}
    sql.execute(_PUT, game=game_id, **values)
    publisher.publish(game_id)


def agree(game_id: UUID, number: int, seat: int) -> None:
    """Write down that a seat agrees to an open proposal."""
    sql.execute(_AGREE, game=game_id, number=number, seat=seat)
    publisher.publish(game_id)


def withdraw(game_id: UUID, seats: Sequence[int]) -> None:
    """Take back that some seats agree to what is open: whoever plays them has left."""
    if sql.execute(_WITHDRAW, game=game_id, seats=list(seats)):
        publisher.publish(game_id)


def close(game_id: UUID, number: int, state: ProposalState) -> None:
    """Write down how an open proposal ended, which falls due no more."""
    sql.execute(_CLOSE, game=game_id, number=number, state=state)
    publisher.publish(game_id)


def end(game_id: UUID) -> None:
    """Let lapse what is open where the game ends."""
    sql.execute(_END, game=game_id)
