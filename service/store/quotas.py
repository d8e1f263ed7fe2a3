"""What has been used of a budget in a day: by all who share it, and by one bucket.

A bucket is a keyed digest of a network or of an address. Rows are kept by the hour.
"""

from typing import Final

import msgspec
from sqlalchemy import text

from service.models import db


def _wait(first: str) -> str:
    """The SQL for the seconds until what came first in a day counts no more.

    In whole hours: nobody is to tell two refusals apart by when they were asked for.
    """
    left = f"{first} + interval '1 day' - kingup_now()"
    return f"coalesce(3600 * ceil(extract(epoch FROM {left}) / 3600), 0)::int"


_HOLD = text("SELECT pg_advisory_xact_lock(:number)")
_RECENT = "hour > kingup_now() - interval '1 day'"
_USED = text(
    f"""SELECT coalesce(sum(amount), 0), coalesce(
        sum(amount) FILTER (WHERE bucket = :bucket), 0),
        {_wait("min(hour) FILTER (WHERE bucket = :bucket)")}
    FROM quota WHERE budget = :budget AND {_RECENT}"""
)
_USED_BY = text(
    f"""SELECT coalesce(sum(amount), 0) FROM quota
    WHERE budget = :budget AND bucket = :bucket AND {_RECENT}"""
)
_ADD = text(
    """INSERT INTO quota (budget, bucket, hour, amount)
    VALUES (:budget, :bucket, date_trunc('hour', kingup_now()), :amount)
    ON CONFLICT (budget, bucket, hour)
    DO UPDATE SET amount = quota.amount + excluded.amount"""
)
RECENT: Final = f"count(*), {_wait('min(created_at)')}"
"""What makes a `Recent` of rows of the last day, by their `created_at`."""

_FORGET = text(f"DELETE FROM quota WHERE NOT {_RECENT}")


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

    In one order whoever names them, so that no two ever wait for each other. Where it
    stands in the order of all locks: `tables.hold_caps`.
    """
    for bucket in sorted(set(buckets)):
        number = int.from_bytes(bucket[:8], signed=True)
        db.session.execute(_HOLD, {"number": number})


def used(budget: str, bucket: bytes) -> Used:
    """What was used of a budget."""
    found = db.session.execute(_USED, {"budget": budget, "bucket": bucket}).one()
    return Used(*found)


def used_by(budget: str, bucket: bytes) -> int:
    """What one bucket has used of a budget that each has for itself."""
    values = {"budget": budget, "bucket": bucket}
    amount: int = db.session.execute(_USED_BY, values).scalar_one()
    return amount


def add(budget: str, bucket: bytes, amount: int) -> None:
    """Count what was made."""
    values = {"budget": budget, "bucket": bucket, "amount": amount}
    db.session.execute(_ADD, values)


def forget_old() -> None:
    """Erase what counts no more."""
    db.session.execute(_FORGET)
