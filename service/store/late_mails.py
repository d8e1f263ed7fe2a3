"""How late the mails were that brought a question, pauses and outages aside."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from service.store import sql
from service.store.outbox import MailState
from service.store.seats import PERSON_PLAYS
from service.values.enums import NoticeKind

LATE: Final = timedelta(hours=1)
"""So long a mail may be on its way to the next server."""

# What was refused for good isn't late, nor what nobody wanted to send any more. An
# outage counts by itself, and not here once more; one that goes on will, when it ends.
# In a pause no time passes. What was both is taken off once. A mail that shall not
# leave yet isn't late.
_LONGEST = f"""WITH still AS MATERIALIZED (
        SELECT coalesce(range_agg(span), '{{}}') AS spans FROM (
            SELECT tstzrange(began_at, ended_at) AS span FROM outage
            WHERE ended_at > coalesce((SELECT opened_at FROM game
                WHERE id = %(game)s), '-infinity')
            UNION ALL SELECT span FROM (
                SELECT type, tstzrange(recorded_at, lead(recorded_at)
                    OVER (ORDER BY position)) AS span
                FROM event WHERE game_id = %(game)s AND type IN ('paused', 'resumed')
                ) turns WHERE type = 'paused') stops
    )
    SELECT max(late) FROM (
        SELECT m.settled_at IS NULL AS waits, taken_at - n.due_at - coalesce((
            SELECT sum(upper(part) - lower(part)) FROM unnest(still.spans
                * tstzmultirange(tstzrange(n.due_at, taken_at))) part), '0') AS late
        FROM still CROSS JOIN notice n
            JOIN mail m ON m.person_id = n.person_id AND m.id = n.mail_id
            JOIN seat s ON s.game_id = n.game_id AND s.number = n.seat
                AND s.person_id = n.person_id AND {PERSON_PLAYS}
            CROSS JOIN LATERAL (SELECT greatest(n.due_at,
                least(m.settled_at, %(until)s)) AS taken_at) taking
        WHERE n.game_id = %(game)s AND n.decision = %(decision)s
            AND n.seat = ANY(%(seats)s) AND n.superseded_at IS NULL
            AND n.kind IN ('{NoticeKind.YOUR_TURN}', '{NoticeKind.ELECTION}')
            AND (m.state = '{MailState.SENT}' OR m.settled_at IS NULL AND %(waiting)s)
    ) mails WHERE waits OR late > %(late)s"""


def longest(
    game_id: UUID,
    decision: int,
    seats: Sequence[int],
    until: datetime,
    *,
    waiting: bool,
) -> timedelta:
    """How late the latest of the mails was that asked some seats; zero if none was.

    With `waiting` also of those that no server has taken yet. Nothing counts behind
    `until`, when people could answer last.
    """
    values = {"game": game_id, "decision": decision, "until": until}
    values["seats"] = list(seats)
    late: timedelta | None = sql.value(_LONGEST, **values, waiting=waiting, late=LATE)
    return late or timedelta()
