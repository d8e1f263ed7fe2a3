"""Answers of the clock that count as nobody's miss."""

from collections.abc import Sequence
from uuid import UUID

from service.store import sql
from service.store.outbox import MailState

# Programs are mailed nothing that they are asked.
_BOUNCING = f"""SELECT p.id FROM person p CROSS JOIN LATERAL (
        SELECT m.state FROM mail m WHERE m.person_id = p.id
            AND m.state IN ('{MailState.SENT}', '{MailState.FAILED}')
        ORDER BY m.created_at DESC, m.id DESC LIMIT 1) latest
    WHERE p.id = ANY(%(people)s) AND NOT p.program
        AND latest.state = '{MailState.FAILED}'"""

_EXCUSE = """INSERT INTO excused (game_id, decision, seat, ballot)
    SELECT %(game)s, %(decision)s, seat, %(ballot)s
    FROM unnest(CAST(%(seats)s AS int[])) seat"""

# Whatever the person did themself ended the row of misses: what was excused before that
# is in none any more. A ballot ends only the row that counts ballots, too.
_LATEST = """SELECT count(*) FROM excused e
    WHERE e.game_id = %(game)s AND e.seat = %(seat)s AND (%(ballots)s OR NOT e.ballot)
        AND e.decision > coalesce((SELECT max(a.decision) FROM answer a
            WHERE a.game_id = e.game_id AND a.seat = e.seat AND a.source <> 'clock'
                AND (%(ballots)s OR convert_from(a.answer, 'UTF8')::json->>'kind'
                    <> 'election')), 0)"""

_FORGET = "DELETE FROM excused WHERE game_id = %(game)s AND seat = %(seat)s"


def bouncing(people: Sequence[UUID]) -> frozenset[UUID]:
    """Those of some people whose latest mail no mail server took."""
    return frozenset(sql.values(_BOUNCING, people=list(people)))


def add(game_id: UUID, decision: int, seats: Sequence[int], *, ballot: bool) -> None:
    """Hold against none of some seats what the clock answers for them."""
    values = {"game": game_id, "decision": decision, "ballot": ballot}
    sql.execute(_EXCUSE, **values, seats=list(seats))


def latest(game_id: UUID, seat: int, *, ballots: bool) -> int:
    """How many of a seat's latest misses in a row are excused; with `ballots` or not.

    Inside the transaction that writes the latest of them.
    """
    count: int = sql.value(_LATEST, game=game_id, seat=seat, ballots=ballots)
    return count


def forget(game_id: UUID, seat: int) -> None:
    """Begin anew where a seat changes hands."""
    sql.execute(_FORGET, game=game_id, seat=seat)
