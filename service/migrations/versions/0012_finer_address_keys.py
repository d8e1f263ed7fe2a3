"""Addresses are compared without the case of letters, and no more coarsely.

Whoever was taken for another stays one person, whose address is the one typed first:
that mailbox alone was mailed. The other mailbox is nobody's from now on.
"""

import hmac
from collections.abc import Callable

import sqlalchemy as sa
from alembic import op
from flask import current_app

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

_AT_ONCE = 1000

# The two keys differ only where a letter beyond ASCII stands before the @.
_NEXT = """SELECT id, address, address_key FROM {table}
    WHERE id > :after AND octet_length(address) > length(address)
    ORDER BY id LIMIT :most"""
_WRITE = """UPDATE {table} SET address_key = new.key
    FROM unnest(CAST(:ids AS uuid[]), CAST(:keys AS text[])) AS new (id, key)
    WHERE {table}.id = new.id"""
_FREE = " AND NOT EXISTS (SELECT FROM person p WHERE p.address_key = new.key)"
_NEVER = sa.text("SELECT 1 FROM opt_out WHERE digest = :digest")
_SAY_NEVER = sa.text(
    "INSERT INTO opt_out (digest) VALUES (:digest) ON CONFLICT DO NOTHING"
)


def upgrade() -> None:
    _write_keys("person", _fine, _AT_ONCE)
    _write_keys("mailed_code", _fine, _AT_ONCE)


def downgrade() -> None:
    """Go back to coarse keys: of two people with the same one, the second keeps theirs.

    Who has said never again since is still known to say so, if they have an account.
    """
    _say_never_as_before()
    _write_keys("person", str.casefold, 1, _FREE)
    _write_keys("mailed_code", str.casefold, _AT_ONCE)


def _write_keys(
    table: str, made: Callable[[str], str], most: int, where: str = ""
) -> None:
    """Make the keys of a table anew, from the addresses as typed; twice is as once."""
    op.execute(f"LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE")
    bind = op.get_bind()
    after = "00000000-0000-0000-0000-000000000000"
    while True:
        values = {"after": after, "most": most}
        rows = bind.execute(sa.text(_NEXT.format(table=table)), values).all()
        if not rows:
            return
        keys = [_key(row.address, row.address_key, made) for row in rows]
        changed = {row.id: key for row, key in zip(rows, keys, strict=True)}
        new = {"ids": list(changed), "keys": list(changed.values())}
        bind.execute(sa.text(_WRITE.format(table=table) + where), new)
        after = rows[-1].id


def _key(address: str, key: str, made: Callable[[str], str]) -> str:
    """The key of an address, whose domain is in its key already, in ASCII."""
    return f"{made(address.rpartition('@')[0])}@{key.rpartition('@')[2]}"


def _fine(local: str) -> str:
    return "".join(_small(letter) for letter in local)


def _small(letter: str) -> str:
    small = letter.lower()
    paired = len(small) == 1 and small.upper() == letter
    return small if paired else letter


def _say_never_as_before() -> None:
    bind = op.get_bind()
    known = sa.text("SELECT address_key FROM person WHERE address_key IS NOT NULL")
    for (key,) in bind.execute(known).all():
        digest = _digest(f"never again {key}")
        if bind.execute(_NEVER, {"digest": digest}).first() is not None:
            before = _digest(f"opt-out {key.casefold()}")
            bind.execute(_SAY_NEVER, {"digest": before})


def _digest(said: str) -> bytes:
    secret = str(current_app.config["SECRET_KEY"]).encode()
    return hmac.digest(secret, said.encode(), "sha256")
