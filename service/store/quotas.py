"""What has been used of a budget in a day: by all who share it, and by one bucket.

A bucket is a keyed digest of a network or of an address. Rows are kept by the hour.
What all have used together stands in sixteen rows an hour, of which each bucket has
one: who counts at the same moment seldom waits for another.
"""

from typing import Final

import msgspec

from service.store import sql

_SHARDS: Final = 16
"""In how many rows what all have used in an hour is counted."""


def _wait(first: str) -> str:
    """The SQL for the seconds until what came first in a day counts no more.

    In whole hours: nobody is to tell two refusals apart by when they were asked for.
    """
    left = f"{first} + interval '1 day' - kingup_now()"
    return f"coalesce(3600 * ceil(extract(epoch FROM {left}) / 3600), 0)::int"


_HOLD = """SELECT pg_advisory_xact_lock(number)
    FROM unnest(CAST(%(numbers)s AS bigint[])) number"""
# Postgres keeps locks of two numbers apart from those of one: no digest of a bucket
# meets this, nor the one of composing, whose first number is another.
_HOLD_TOTAL = "SELECT pg_advisory_xact_lock(5464872, hashtext(%(budget)s))"
_RECENT = "hour > kingup_now() - interval '1 day'"
_USED = f"""SELECT (SELECT coalesce(sum(amount), 0)::int FROM budget_total
        WHERE budget = %(budget)s AND {_RECENT}),
    coalesce(sum(amount), 0)::int, {_wait("min(hour)")}
    FROM quota WHERE budget = %(budget)s AND bucket = %(bucket)s AND {_RECENT}"""
_USED_BY = f"""SELECT coalesce(sum(amount), 0)::int FROM quota
    WHERE budget = %(budget)s AND bucket = %(bucket)s AND {_RECENT}"""
_ADD = """INSERT INTO quota (budget, bucket, hour, amount)
    VALUES (%(budget)s, %(bucket)s, date_trunc('hour', kingup_now()), %(amount)s)
    ON CONFLICT (budget, bucket, hour)
    DO UPDATE SET amount = quota.amount + excluded.amount"""
_ADD_SHARED = f"""WITH own AS ({_ADD})
    INSERT INTO budget_total (budget, hour, shard, amount)
    VALUES (%(budget)s, date_trunc('hour', kingup_now()), %(shard)s, %(amount)s)
    ON CONFLICT (budget, hour, shard)
    DO UPDATE SET amount = budget_total.amount + excluded.amount"""
RECENT: Final = f"count(*), {_wait('min(created_at)')}"
"""What makes a `Recent` of rows of the last day, by their `created_at`."""

_FORGET = f"DELETE FROM quota WHERE NOT {_RECENT}"
_FORGET_TOTALS = f"DELETE FROM budget_total WHERE NOT {_RECENT}"


class Used(msgspec.Struct, frozen=True):
    """How much was used in the last day by `all`, and how much of it `here`.

    The first of it here counts no more in so many `seconds`.
    """

    all: int
    here: int
    seconds: int


class Recent(msgspec.Struct, frozen=True):
    """How many there were in the last day; the first counts no more in `seconds`."""

    amount: int
    seconds: int


def hold(*buckets: bytes) -> None:
    """Count alone in these buckets until the transaction ends.

    In one order whoever names them, so that no two ever wait for each other.

    Whoever holds several things holds them in this order, too: the key of a repeated
    request, buckets, games by their ids, mails with their notices and codes, people,
    tokens, and last what all have used of a budget. That of mails alone comes between a
    mail and its notices: whoever counts in it has of other mails at most what it has
    just put into them, which nobody else sees yet. A row that this transaction adds
    itself may come at any time. People come by their ids, or
    by their addresses' keys where they may be new: those of the latter are held against
    erasure alone, and who is erased waits for nobody.
    """
    numbers = (int.from_bytes(bucket[:8], signed=True) for bucket in buckets)
    # What is counted is read by later statements: a moment read here would be from
    # before the wait.
    sql.execute(_HOLD, numbers=sorted(set(numbers)))


def hold_total(budget: str) -> None:
    """Count alone in a budget until the transaction ends, which must be soon."""
    sql.execute(_HOLD_TOTAL, budget=budget)


def used(budget: str, bucket: bytes) -> Used:
    """What was used of a budget."""
    (found,) = sql.structs(Used, _USED, budget=budget, bucket=bucket)
    return found


def used_by(budget: str, bucket: bytes) -> int:
    """What one bucket has used of a budget that each has for itself."""
    amount: int = sql.value(_USED_BY, budget=budget, bucket=bucket)
    return amount


def add(budget: str, bucket: bytes, amount: int) -> None:
    """Count what was made, in a budget that each bucket has for itself."""
    sql.execute(_ADD, budget=budget, bucket=bucket, amount=amount)


def add_shared(budget: str, bucket: bytes, amount: int) -> None:
    """Count what was made, in a budget that all share."""
    sql.execute(
        _ADD_SHARED,
        budget=budget,
        bucket=bucket,
        amount=amount,
        shard=bucket[0] % _SHARDS,
    )


def forget_old() -> None:
    """Erase what counts no more."""
    sql.execute(_FORGET)
    sql.execute(_FORGET_TOTALS)
