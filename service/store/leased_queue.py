"""Rows that any number of workers take for a lease: due rows, mails, codes' mails.

One that isn't done within its lease, which is longer at each attempt, comes back. Its
`attempts` tell one claim from the next: whoever comes late writes nothing any more.
"""

from typing import Final


def claim(table: str, key: str, which: str, *, order: str = "", also: str = "") -> str:
    """The SQL that takes those of `which` that are due and free, for `lease` seconds.

    `key` are the columns that tell one row from another, `order` says how many are
    taken and which first, and `also` what is set besides.
    """
    # As a subquery it might be asked once for each row, and give others each time.
    return f"""WITH taken AS MATERIALIZED (SELECT {key} FROM {table}
        WHERE {which} AND claim_at <= kingup_now() {order} FOR UPDATE SKIP LOCKED)
    UPDATE {table} SET {also} attempts = attempts + 1,
        claim_at = kingup_now() + make_interval(secs => %(lease)s * (attempts + 1))
    WHERE {which} AND ({key}) IN (SELECT {key} FROM taken)"""


LEASE_ANEW: Final = "claim_at = kingup_now() + make_interval(secs => %(lease)s)"
"""The SQL that takes a row for another lease, from now."""

IS_HELD: Final = "attempts = %(attempts)s AND settled_at IS NULL"
"""Whether a row is still held by the claim of these `attempts`."""
