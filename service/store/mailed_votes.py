"""What became of a seat's latest mail in an election: told behind its cards alone."""

from uuid import UUID

from service.store import sql
from service.values.enums import VoteByMail

_NOTE = """INSERT INTO mailed_vote (game_id, seat, decision, outcome)
    VALUES (%(game)s, %(seat)s, %(decision)s, %(outcome)s)
    ON CONFLICT (game_id, seat) DO UPDATE SET decision = %(decision)s,
        outcome = %(outcome)s, at = kingup_now()"""
_LATEST = """SELECT outcome FROM mailed_vote
    WHERE game_id = %(game)s AND seat = %(seat)s AND decision = %(decision)s"""
_OF_SEAT = "DELETE FROM mailed_vote WHERE game_id = %(game)s AND seat = %(seat)s"
# How long an election waits has no bound that all pieces of spare time keep to.
_OVER = """WITH over AS MATERIALIZED (SELECT v.game_id, v.seat
        FROM mailed_vote v JOIN game g ON g.id = v.game_id WHERE v.at < g.opened_at
        ORDER BY v.at LIMIT %(limit)s FOR UPDATE OF v SKIP LOCKED)
    DELETE FROM mailed_vote WHERE (game_id, seat) IN (SELECT game_id, seat FROM over)"""


def note(game_id: UUID, seat: int, decision: int, outcome: VoteByMail) -> None:
    """Keep what became of the seat's latest mail in an election."""
    values = {"game": game_id, "seat": seat, "decision": decision}
    sql.execute(_NOTE, **values, outcome=outcome)


def latest(game_id: UUID, seat: int, decision: int) -> VoteByMail | None:
    """What became of it in this election; None where no mail was read."""
    outcome = sql.value(_LATEST, game=game_id, seat=seat, decision=decision)
    return None if outcome is None else VoteByMail(outcome)


def forget_seat(game_id: UUID, seat: int) -> None:
    """Erase it of whoever has the seat no more, or is being erased."""
    sql.execute(_OF_SEAT, game=game_id, seat=seat)


def forget_old(limit: int) -> int:
    """Erase those of elections that are over; how many, at most `limit`."""
    return sql.execute(_OVER, limit=limit)
