"""Answers to creating requests are kept for those that are sent again."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "kept_answer",
        sa.Column("principal", sa.LargeBinary(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.LargeBinary(), nullable=False),
        sa.Column("status", sa.SmallInteger(), nullable=True),
        sa.Column("location", sa.Text(), nullable=True),
        sa.Column("body", sa.LargeBinary(), nullable=True),
        sa.Column(
            "created_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("kingup_now()"),
            nullable=False,
        ),
        sa.PrimaryKeyConstraint("principal", "key", name=op.f("pk_kept_answer")),
    )
    op.create_index(op.f("ix_kept_answer_created_at"), "kept_answer", ["created_at"])


def downgrade() -> None:
    op.drop_table("kept_answer")
