"""A mail is a person's, whatever becomes of its game; a code is mailed by itself."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TIMESTAMP

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None

_MOMENT = TIMESTAMP(timezone=True)
_NOW = sa.text("kingup_now()")
_NO = sa.text("false")
_UNSETTLED = sa.text("settled_at IS NULL")
_ANYBODY = "body IS NOT NULL AND people IS NULL"
_MAILED = (
    "message_id",
    "state",
    "body",
    "accepted_maybe",
    "attempts",
    "claim_at",
    "error",
    "settled_at",
)
"""What a code has of its mail from now on."""


def upgrade() -> None:
    _give_codes_their_mails()
    op.drop_constraint("fk_notice_mail_id", "notice")
    op.drop_index("ix_notice_mail_id", "notice")
    op.drop_constraint("fk_mail_game_id", "mail")
    op.drop_constraint("uq_mail_message_id", "mail")
    op.alter_column("mail", "game_id", nullable=False)
    _key_mails(["person_id", "id"], _ANYBODY)


def _give_codes_their_mails() -> None:
    for column in (
        sa.Column("message_id", sa.Text(), nullable=True),
        sa.Column("state", sa.Text(), nullable=True),
        sa.Column("body", sa.LargeBinary(), nullable=True),
        sa.Column("accepted_maybe", sa.Boolean(), server_default=_NO, nullable=False),
        sa.Column("attempts", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("claim_at", _MOMENT, server_default=_NOW, nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("settled_at", _MOMENT, nullable=True),
    ):
        op.add_column("mailed_code", column)
    op.execute(
        """UPDATE mailed_code SET message_id = m.message_id, state = m.state,
            body = m.body, accepted_maybe = m.accepted_maybe, attempts = m.attempts,
            claim_at = m.claim_at, error = m.error, settled_at = m.settled_at
        FROM mail m WHERE m.id = mail_id"""
    )
    op.alter_column("mailed_code", "message_id", nullable=False)
    op.alter_column("mailed_code", "state", nullable=False)
    op.drop_constraint("fk_mailed_code_mail_id", "mailed_code")
    op.drop_index("ix_mailed_code_mail_id", "mailed_code")
    op.create_index(
        "ix_mailed_code_claim_at",
        "mailed_code",
        ["claim_at"],
        postgresql_where=_UNSETTLED,
    )
    op.execute("DELETE FROM mail WHERE game_id IS NULL")


def _key_mails(key: list[str], anybody: str) -> None:
    op.drop_index("ix_mail_of_anybody", "mail")
    op.drop_constraint("pk_mail", "mail")
    op.create_primary_key(op.f("pk_mail"), "mail", key)
    there = sa.text(anybody)
    op.create_index("ix_mail_of_anybody", "mail", key, postgresql_where=there)


def downgrade() -> None:
    _key_mails(["id"], f"{_ANYBODY} AND game_id IS NOT NULL")
    op.alter_column("mail", "person_id", nullable=True)
    op.alter_column("mail", "game_id", nullable=True)
    op.create_unique_constraint(op.f("uq_mail_message_id"), "mail", ["message_id"])
    op.execute(
        """DELETE FROM mail m
        WHERE NOT EXISTS (SELECT FROM game WHERE id = m.game_id)"""
    )
    op.execute(
        """DELETE FROM notice n WHERE mail_id IS NOT NULL
            AND NOT EXISTS (SELECT FROM mail WHERE id = n.mail_id)"""
    )
    op.create_foreign_key(
        op.f("fk_mail_game_id"), "mail", "game", ["game_id"], ["id"], ondelete="CASCADE"
    )
    op.create_index("ix_notice_mail_id", "notice", ["mail_id"])
    op.create_foreign_key(
        op.f("fk_notice_mail_id"),
        "notice",
        "mail",
        ["mail_id"],
        ["id"],
        ondelete="SET NULL",
    )
    _take_mails_from_codes()


def _take_mails_from_codes() -> None:
    op.execute(
        """INSERT INTO mail (id, person_id, message_id, state, body, accepted_maybe,
            attempts, claim_at, error, created_at, settled_at)
        SELECT mail_id, person_id, message_id, state, body, accepted_maybe,
            attempts, claim_at, error, created_at, settled_at FROM mailed_code"""
    )
    op.drop_index("ix_mailed_code_claim_at", "mailed_code")
    op.create_index("ix_mailed_code_mail_id", "mailed_code", ["mail_id"])
    op.create_foreign_key(
        op.f("fk_mailed_code_mail_id"),
        "mailed_code",
        "mail",
        ["mail_id"],
        ["id"],
        ondelete="CASCADE",
    )
    for name in _MAILED:
        op.drop_column("mailed_code", name)
