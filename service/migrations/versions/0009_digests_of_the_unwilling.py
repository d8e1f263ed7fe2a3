"""Whoever wants no invitations is kept as a digest, and who is named in an answer."""

import hmac

import sqlalchemy as sa
from alembic import op
from flask import current_app
from sqlalchemy.dialects import postgresql

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

_ADD_DIGEST = sa.text(
    "INSERT INTO opt_out (digest, created_at) VALUES (:digest, :created_at)"
)
_ADD_ADDRESS = sa.text(
    "INSERT INTO opt_out (address_key, created_at) VALUES (:key, :created_at)"
)
# Whoever has had to do with a game may be named in an answer about it.
_NAME_PEOPLE = """WITH known AS (
        SELECT game_id, person_id FROM seat UNION SELECT id, host_id FROM game
        UNION SELECT game_id, person_id FROM invitation
        UNION SELECT game_id, person_id FROM notice
    )
    UPDATE kept_answer a SET people = ARRAY(
        SELECT id FROM person WHERE uuid_send(id) = a.principal
        UNION SELECT person_id FROM known WHERE person_id IS NOT NULL
            AND game_id = CAST(
                substring(a.location FROM '/games/([0-9a-f-]{36})') AS uuid))"""


def upgrade() -> None:
    people = sa.Column(
        "people",
        postgresql.ARRAY(sa.Uuid()),
        server_default=sa.text("'{}'"),
        nullable=False,
    )
    op.add_column("kept_answer", people)
    op.execute(_NAME_PEOPLE)
    op.execute("LOCK TABLE opt_out")
    rows = op.get_bind().execute(sa.text("SELECT address_key, created_at FROM opt_out"))
    kept = [{"digest": _digest(key), "created_at": at} for key, at in rows]
    op.execute("DELETE FROM opt_out")
    _exchange("address_key", sa.Column("digest", sa.LargeBinary(), nullable=False))
    if kept:
        op.get_bind().execute(_ADD_DIGEST, kept)


def downgrade() -> None:
    """Go back to addresses: those that nobody has any more are lost."""
    rows = op.get_bind().execute(sa.text("SELECT digest, created_at FROM opt_out"))
    since = {bytes(digest): at for digest, at in rows}
    known = op.get_bind().execute(
        sa.text("SELECT address_key FROM person WHERE address_key IS NOT NULL")
    )
    kept = [
        {"key": key, "created_at": since[_digest(key)]}
        for (key,) in known
        if _digest(key) in since
    ]
    op.execute("DELETE FROM opt_out")
    _exchange("digest", sa.Column("address_key", sa.Text(), nullable=False))
    if kept:
        op.get_bind().execute(_ADD_ADDRESS, kept)
    op.drop_column("kept_answer", "people")


def _exchange(old: str, new: sa.Column[object]) -> None:
    """Put another column in the place of the key of an empty opt_out."""
    op.drop_column("opt_out", old)
    op.add_column("opt_out", new)
    op.create_primary_key(op.f("pk_opt_out"), "opt_out", [new.name])


def _digest(key: str) -> bytes:
    secret = str(current_app.config["SECRET_KEY"]).encode()
    return hmac.digest(secret, f"opt-out {key}".encode(), "sha256")
