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

_EXCUSE = """INSERT INTO excused (game_id, decision, seat, ballot, bounced)
    SELECT %(game)s, %(decision)s, seat, %(ballot)s, %(bounced)s
    FROM unnest(CAST(%(seats)s AS int[])) seat"""

# Whatever the person did themself ended the row of misses: what was excused before that
# is in none any more. A ballot ends only the row that counts ballots, too. Without
# `most` a table would wait for ever for an address that is no more.
_LATEST = """SELECT count(*) FILTER (WHERE NOT e.bounced)
        + least(count(*) FILTER (WHERE e.bounced), %(most)s)
    FROM excused e
    WHERE e.game_id = %(game)s AND e.seat = %(seat)s AND (%(ballots)s OR NOT e.ballot)
        AND e.decision > coalesce((SELECT max(a.decision) FROM answer a
            WHERE a.game_id = e.game_id AND a.seat = e.seat AND a.source <> 'clock'
                AND (%(ballots)s OR convert_from(a.answer, 'UTF8')::json->>'kind'
                    <> 'election')), 0)"""

_FORGET = "DELETE FROM excused WHERE game_id = %(game)s AND seat = %(seat)s"


def bouncing(people: Sequence[UUID]) -> frozenset[UUID]:
    """Those of some people whose latest mail no mail server took."""
    return frozenset(sql.values(_BOUNCING, people=list(people)))


def add(
    game_id: UUID, decision: int, seats: Sequence[int], *, ballot: bool, bounced: bool
) -> None:
    """Hold against none of some seats what the clock answers for them.

    `bounced` where it is since no server takes their mails, and not for a late worker.
    """
    values = {"game": game_id, "decision": decision, "ballot": ballot}
    sql.execute(_EXCUSE, **values, bounced=bounced, seats=list(seats))


def latest(game_id: UUID, seat: int, most: int, *, ballots: bool) -> int:
    """How many of a seat's latest misses in a row are excused; with `ballots` or not.

    Of those by mails that came back `most` are. Inside the transaction that writes the
    latest of them.
    """
    values = {"game": game_id, "seat": seat, "ballots": ballots}
    count: int = sql.value(_LATEST, **values, most=most)
    return count


def forget(game_id: UUID, seat: int) -> None:
    """Begin anew where a seat changes hands."""
    sql.execute(_FORGET, game=game_id, seat=seat)
