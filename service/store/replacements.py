"""Who is named for a seat that a bot keeps, in SQL."""

from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec

from service.store import sql
from service.values.enums import InvitationState, NoticeKind, ReplacementState

HOURS_TO_OBJECT: Final = 24
"""So long others at the table may object, before anybody is mailed."""

DAYS_TO_ACCEPT: Final = 7
"""So long whoever is asked may say that they are in."""

MOST: Final = 3
"""How many one person may name for one seat."""

OPEN: Final = (ReplacementState.NAMED, ReplacementState.ASKED)

# Written out, as in the index of what is open.
_IS_OPEN: Final = "r.state IN ('named', 'asked')"

_COLUMNS: Final = """r.invitation_id, r.seat, r.number, r.by_seat, r.name, r.state,
    r.created_at, r.due_at, i.host_id, i.person_id, i.asked,
    i.answered_at"""
_FROM: Final = """FROM replacement r
    JOIN invitation i ON i.game_id = r.game_id AND i.id = r.invitation_id"""
_OF_SEAT = f"""SELECT {_COLUMNS} {_FROM}
    WHERE r.game_id = %(game)s AND r.seat = %(seat)s ORDER BY r.number"""
_OF_GAME = f"""SELECT DISTINCT ON (r.seat) {_COLUMNS} {_FROM}
    WHERE r.game_id = %(game)s ORDER BY r.seat, r.number DESC"""
_ADD = f"""INSERT INTO replacement
        (game_id, invitation_id, number, seat, by_seat, name, state, due_at)
    SELECT %(game)s, %(invitation)s, coalesce(max(r.number), 0) + 1, %(seat)s, %(by)s,
        %(name)s, '{ReplacementState.NAMED}',
        kingup_now() + interval '{HOURS_TO_OBJECT} hours'
    FROM replacement r WHERE r.game_id = %(game)s AND r.seat = %(seat)s"""
_ASK = f"""UPDATE replacement r SET state = '{ReplacementState.ASKED}',
        due_at = kingup_now() + interval '{DAYS_TO_ACCEPT} days'
    WHERE r.game_id = %(game)s AND r.seat = %(seat)s
        AND r.state = '{ReplacementState.NAMED}'"""
_END = f"""WITH ended AS (UPDATE replacement r SET state = %(state)s, name = NULL
        WHERE r.game_id = %(game)s AND {_IS_OPEN}
            AND (CAST(%(seat)s AS int) IS NULL OR r.seat = CAST(%(seat)s AS int))
        RETURNING r.invitation_id)
    UPDATE invitation i SET state = %(answer)s, answered_at = kingup_now()
    FROM ended WHERE i.game_id = %(game)s AND i.id = ended.invitation_id"""
_DUE = f"""SELECT r.game_id, r.seat FROM replacement r
    WHERE {_IS_OPEN} AND r.due_at <= kingup_now()
    ORDER BY r.due_at LIMIT %(limit)s OFFSET %(offset)s"""
# In a statement after the game's lock: the moment is that from behind any wait.
_IS_DUE = f"""SELECT EXISTS (SELECT FROM replacement r WHERE r.game_id = %(game)s
        AND r.seat = %(seat)s AND {_IS_OPEN} AND r.due_at <= kingup_now())"""


class Replacement(msgspec.Struct, frozen=True):
    """Somebody named for a seat; `due_at` is when its state ends by itself.

    `ended_at` is when it ended, None while it may come about. `host_id` is who has
    named them, on seat `by_seat`; `asked` a digest of the address that was typed,
    which only the same person's same address has.
    """

    invitation_id: UUID
    seat: int
    number: int
    by_seat: int
    name: str | None
    state: ReplacementState
    created_at: datetime
    due_at: datetime
    host_id: UUID
    person_id: UUID
    asked: bytes
    ended_at: datetime | None = None

    @property
    def is_open(self) -> bool:
        """Whether it may still come about."""
        return self.state in OPEN


class DueReplacement(msgspec.Struct, frozen=True):
    """A seat whose replacement takes its next step."""

    game_id: UUID
    seat: int


def _replacement(*columns: object) -> Replacement:
    found = Replacement(*columns)  # type: ignore[arg-type]
    return msgspec.structs.replace(found, state=ReplacementState(found.state))


def of_seat(game_id: UUID, seat: int) -> tuple[Replacement, ...]:
    """Everybody who was ever named for a seat, the latest last."""
    return sql.structs(_replacement, _OF_SEAT, game=game_id, seat=seat)


def open_at(game_id: UUID, seat: int) -> Replacement | None:
    """Who is named for a seat and may still come, if anybody is."""
    return next((each for each in of_seat(game_id, seat) if each.is_open), None)


def latest(game_id: UUID) -> tuple[Replacement, ...]:
    """Of each seat that somebody was named for, the latest."""
    return sql.structs(_replacement, _OF_GAME, game=game_id)


def heard(named: Replacement, game_id: UUID, seat: int) -> str:
    """The key of the notice by which a seat's person hears that somebody is named."""
    return f"{game_id}/{NoticeKind.REPLACEMENT}/{named.invitation_id}/{seat}"


def add(
    game_id: UUID, seat: int, invitation_id: UUID, by_seat: int, name: str | None
) -> None:
    """Keep that somebody is named, by the invitation that says who, and by whom."""
    sql.execute(
        _ADD,
        game=game_id,
        seat=seat,
        invitation=invitation_id,
        by=by_seat,
        name=name,
    )


def ask(game_id: UUID, seat: int) -> None:
    """Keep that whoever was named is asked now, for some days."""
    sql.execute(_ASK, game=game_id, seat=seat)


_ANSWERS: Final = {
    ReplacementState.ACCEPTED: InvitationState.ACCEPTED,
    ReplacementState.DECLINED: InvitationState.DECLINED,
}


def end(game_id: UUID, seat: int | None, state: ReplacementState) -> None:
    """End what is open at a seat, or without one in the whole game, if anything is.

    Its invitation ends with it, and what the namer called somebody is erased.
    """
    answer = _ANSWERS.get(state, InvitationState.WITHDRAWN)
    sql.execute(_END, game=game_id, seat=seat, state=state, answer=answer)


def due(limit: int, offset: int) -> tuple[DueReplacement, ...]:
    """At most `limit` seats whose next step is due, behind `offset` others."""
    return sql.structs(DueReplacement, _DUE, limit=limit, offset=offset)


def is_due(game_id: UUID, seat: int) -> bool:
    """Whether the next step of what is open at a seat of a held game is due."""
    return bool(sql.value(_IS_DUE, game=game_id, seat=seat))
