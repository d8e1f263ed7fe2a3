"""What became of a seat's latest mail in an election: told behind its cards alone."""

from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec

from service.store import sql
from service.values.enums import VoteByMail

KEPT_DAYS: Final = 61
"""Longer than any election waits."""

_NOTE = """INSERT INTO mailed_vote (game_id, seat, decision, outcome)
    VALUES (%(game)s, %(seat)s, %(decision)s, %(outcome)s)
    ON CONFLICT (game_id, seat) DO UPDATE SET decision = %(decision)s,
        outcome = %(outcome)s, at = kingup_now()"""
_LATEST = """SELECT outcome, at FROM mailed_vote
    WHERE game_id = %(game)s AND seat = %(seat)s AND decision = %(decision)s"""
_OLD = f"""WITH old AS MATERIALIZED (SELECT game_id, seat FROM mailed_vote
        WHERE at < kingup_now() - interval '{KEPT_DAYS} days'
        ORDER BY at LIMIT %(limit)s FOR UPDATE SKIP LOCKED)
    DELETE FROM mailed_vote WHERE (game_id, seat) IN (SELECT game_id, seat FROM old)"""


class MailedVote(msgspec.Struct, frozen=True):
    """What became of a mail, and when."""

    outcome: VoteByMail
    at: datetime


def note(game_id: UUID, seat: int, decision: int, outcome: VoteByMail) -> None:
    """Keep what became of the seat's latest mail in an election."""
    values = {"game": game_id, "seat": seat, "decision": decision}
    sql.execute(_NOTE, **values, outcome=outcome)


def latest(game_id: UUID, seat: int, decision: int) -> MailedVote | None:
    """What became of it in this election; None where no mail was read."""
    row = sql.row(_LATEST, game=game_id, seat=seat, decision=decision)
    return None if row is None else MailedVote(VoteByMail(row.outcome), row.at)


def forget_old(limit: int) -> int:
    """Erase those of elections of long ago; how many, at most `limit`."""
    return sql.execute(_OLD, limit=limit)
