"""Mails that come in, a line for each that was handled, and votes given by mail."""

import sqlalchemy as sa
from alembic import op

revision = "0054"
down_revision = "0053"
branch_labels = None
depends_on = None


def _moment(name: str) -> sa.Column[sa.TIMESTAMP]:
    now = sa.text("kingup_now()")
    return sa.Column(
        name, sa.TIMESTAMP(timezone=True), server_default=now, nullable=False
    )


def upgrade() -> None:
    op.create_table(
        "incoming_mail",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("envelope", sa.Text(), nullable=False),
        sa.Column("signed", sa.Boolean(), nullable=False),
        sa.Column("trusted", sa.Boolean(), nullable=False),
        sa.Column("attempts", sa.SmallInteger(), server_default="0", nullable=False),
        _moment("claim_at"),
        _moment("created_at"),
    )
    op.create_index(
        "ix_incoming_mail_signed_claim_at", "incoming_mail", ["signed", "claim_at"]
    )
    op.create_index("ix_incoming_mail_created_at", "incoming_mail", ["created_at"])
    _create_journal()
    op.create_table(
        "mailed_vote",
        sa.Column("game_id", sa.Uuid(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("decision", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        _moment("at"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", "seat"),
    )
    op.create_index("ix_mailed_vote_at", "mailed_vote", ["at"])


def _create_journal() -> None:
    op.create_table(
        "mail_journal",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            primary_key=True,
        ),
        sa.Column("game_id", sa.Uuid()),
        sa.Column("seat", sa.SmallInteger()),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("digest", sa.LargeBinary()),
        _moment("at"),
    )
    op.create_index(
        "ix_mail_journal_once",
        "mail_journal",
        ["game_id", "seat", "digest"],
        unique=True,
        postgresql_where=sa.text("kind IN ('over', 'read')"),
    )
    op.create_index(
        "ix_mail_journal_seat_at", "mail_journal", ["game_id", "seat", "at"]
    )
    op.create_index("ix_mail_journal_at", "mail_journal", ["at"])
    op.create_index(
        "ix_mail_journal_stray_at",
        "mail_journal",
        ["at"],
        postgresql_where=sa.text("game_id IS NULL"),
    )


def downgrade() -> None:
    op.drop_table("mailed_vote")
    op.drop_table("mail_journal")
    op.drop_table("incoming_mail")
