"""Outages: written by the heartbeat that ends one, given back to each game once."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

import msgspec

from service.store import publisher, sql
from service.values.enums import OF_THE_CLOCK, DueKind

WEB: Final = "web"
"""The sign of life of all web processes together: whoever can serve renews it."""

LEAST: Final = timedelta(seconds=60)
"""After how long without a sign of a web process people couldn't answer."""

KEPT_DAYS: Final = 730
"""So long after its end an outage is erased: no decision waits for as long, with all
its spare time, absences, pauses and extensions.
"""

_AGE = """SELECT extract(epoch FROM clock_timestamp() - at) FROM sign_of_life
    WHERE name = %(web)s"""

# Whoever comes second has waited for the row, and finds it as young as the first has
# made it: so one of them alone writes the outage. The sign is real time, and what
# games count in may be shifted.
_BEAT = """WITH before AS (
        SELECT at FROM sign_of_life WHERE name = %(web)s FOR UPDATE
    ), beat AS (
        INSERT INTO sign_of_life (name, state)
        SELECT %(web)s, 'ok' FROM (SELECT count(*) FROM before) first
        ON CONFLICT (name) DO UPDATE SET at = clock_timestamp()
    )
    INSERT INTO outage (began_at, ended_at)
    SELECT at + shift, clock_timestamp() + shift FROM before, clock
    WHERE at < clock_timestamp() - CAST(%(least)s AS interval)
    RETURNING ended_at - began_at"""

_SEEN = """SELECT greatest(g.opened_at, k.counts_from) AS counts_from,
        (SELECT w.at + c.shift FROM sign_of_life w, clock c WHERE w.name = %(web)s)
            AS alive_at,
        coalesce(k.by_outages, '0') AS by_outages,
        coalesce(k.by_mails, '0') AS by_mails, coalesce(k.outage, 0) AS credited,
        (SELECT json_agg(json_build_array(o.number, o.began_at, o.ended_at)
            ORDER BY o.number) FROM outage o
         WHERE o.number > coalesce(k.outage, 0)
            AND o.ended_at > coalesce(greatest(g.opened_at, k.counts_from),
                '-infinity'))
            ::text AS outages
    FROM game g LEFT JOIN credit k ON k.game_id = g.id AND k.decision = %(decision)s
    WHERE g.id = %(game)s"""

_TIMED = tuple(kind.value for kind in OF_THE_CLOCK)

# Whatever was claimed in vain is free again: nothing waits for a lease that has grown.
_CREDIT = f"""WITH kept AS (
        INSERT INTO credit (game_id, decision, outage, by_outages, by_mails)
        VALUES (%(game)s, %(decision)s, %(outage)s, %(by_outages)s, %(by_mails)s)
        ON CONFLICT (game_id) DO UPDATE SET decision = excluded.decision,
            outage = excluded.outage, by_outages = excluded.by_outages,
            by_mails = excluded.by_mails,
            counts_from = CASE WHEN credit.decision = excluded.decision
                THEN credit.counts_from END
    ), moved AS (
        UPDATE game SET deadline = %(deadline)s WHERE id = %(game)s
    )
    UPDATE due SET attempts = 0, (due_at, claim_at) = (
        SELECT at, at FROM (SELECT CASE WHEN kind = '{DueKind.DEADLINE}'
            THEN %(deadline)s WHEN due_at >= %(due_from)s
            THEN due_at + CAST(%(by)s AS interval) ELSE due_at END AS at) later)
    WHERE game_id = %(game)s AND decision = %(decision)s AND kind IN {_TIMED}"""

_COUNT_FROM = """INSERT INTO credit (game_id, decision, outage, by_outages, by_mails,
        counts_from)
    VALUES (%(game)s, %(decision)s, 0, '0', '0', %(moment)s)
    ON CONFLICT (game_id) DO UPDATE SET counts_from = excluded.counts_from,
        decision = excluded.decision,
        outage = CASE WHEN credit.decision = excluded.decision THEN credit.outage
            ELSE 0 END,
        by_outages = CASE WHEN credit.decision = excluded.decision
            THEN credit.by_outages ELSE '0' END,
        by_mails = CASE WHEN credit.decision = excluded.decision
            THEN credit.by_mails ELSE '0' END"""

_PENDING = """SELECT number, began_at, ended_at FROM outage
    WHERE credited_at IS NULL ORDER BY number"""

_AFFECTED = f"""SELECT DISTINCT d.game_id FROM due d JOIN game g ON g.id = d.game_id
        LEFT JOIN credit k ON k.game_id = g.id AND k.decision = d.decision
    WHERE d.game_id > %(after)s AND d.kind = '{DueKind.DEADLINE}'
        AND coalesce(g.opened_at < %(ended_at)s, true)
        AND coalesce(k.outage, 0) < %(number)s
    ORDER BY d.game_id LIMIT %(limit)s"""

_FORGET = f"""DELETE FROM outage WHERE credited_at IS NOT NULL
        AND ended_at < kingup_now() - interval '{KEPT_DAYS} days'"""

_CREDITED = """UPDATE outage SET credited_at = kingup_now()
    WHERE number = %(number)s AND credited_at IS NULL"""


class Outage(msgspec.Struct, frozen=True, array_like=True):
    """A time in which nobody could answer."""

    number: int
    began_at: datetime
    ended_at: datetime


class Seen(msgspec.Struct, frozen=True):
    """What an open decision may have to get back.

    `counts_from` is from when on outages are counted; `alive_at` when a web process was
    last known to serve, None if none ever was; `by_outages` and `by_mails` what its
    deadline was moved by already; `credited` the latest outage in that, and `outages`
    those since.
    """

    counts_from: datetime | None
    alive_at: datetime | None
    by_outages: timedelta
    by_mails: timedelta
    credited: int
    outages: tuple[Outage, ...]


class Credit(msgspec.Struct, frozen=True):
    """A deadline as it is to be, and what it was moved by in all and just now.

    What falls due from `due_from` on moves by as much.
    """

    game_id: UUID
    decision: int
    deadline: datetime
    by: timedelta
    due_from: datetime
    outage: int
    by_outages: timedelta
    by_mails: timedelta


def age() -> float | None:
    """How many seconds ago a web process last said that it serves; None before any."""
    seconds = sql.value(_AGE, web=WEB)
    return None if seconds is None else float(seconds)


def beat() -> timedelta | None:
    """Say that a web process can serve; how long none could, if that is an outage."""
    ended: timedelta | None = sql.value(_BEAT, web=WEB, least=LEAST)
    return ended


def seen(game_id: UUID, decision: int) -> Seen:
    """What the open decision of a game that is held has to get back.

    One statement after the lock: a sign of life comes together with the outage that it
    has ended, or not at all.
    """
    row = sql.row(_SEEN, game=game_id, decision=decision, web=WEB)
    if row is None:
        raise LookupError(game_id)
    outages = msgspec.json.decode(row.outages or "[]", type=tuple[Outage, ...])
    return Seen(
        counts_from=row.counts_from,
        alive_at=row.alive_at,
        by_outages=row.by_outages,
        by_mails=row.by_mails,
        credited=row.credited,
        outages=outages,
    )


def credit(given: Credit) -> None:
    """Move a deadline and what falls due before it, in a game that is held."""
    values = msgspec.structs.asdict(given)
    sql.execute(_CREDIT, game=values.pop("game_id"), **values)
    publisher.publish(given.game_id)


def count_from(game_id: UUID, decision: int, moment: datetime) -> None:
    """Count nothing for an open decision before its clock went on, at some moment."""
    sql.execute(_COUNT_FROM, game=game_id, decision=decision, moment=moment)


def pending() -> Sequence[Outage]:
    """Outages that some game may have to get back."""
    return sql.structs(Outage, _PENDING)


def affected(outage: Outage, after: UUID, limit: int) -> Sequence[UUID]:
    """At most `limit` games behind `after` that have an outage to get back."""
    values = {"number": outage.number, "ended_at": outage.ended_at}
    return sql.values(_AFFECTED, after=after, limit=limit, **values)


def settle(outage: Outage) -> None:
    """Keep that every game has got an outage back."""
    sql.execute(_CREDITED, number=outage.number)


def forget_old() -> None:
    """Erase outages that every game got back, and that no open decision has seen."""
    sql.execute(_FORGET)
