"""Indexes by which composing and claiming a mail cost the same all game long."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "ix_mail_unsettled",
        "mail",
        ["game_id"],
        postgresql_where=sa.text("settled_at IS NULL"),
    )
    op.create_index("ix_notice_heard", "notice", ["game_id", "person_id", "cause"])
    op.drop_index("ix_notice_game_id", table_name="notice")
    op.drop_index("ix_notice_unmailed", table_name="notice")
    op.create_index(
        "ix_notice_unmailed",
        "notice",
        ["game_id", "created_at"],
        postgresql_where=sa.text("mail_id IS NULL AND superseded_at IS NULL"),
    )


def downgrade() -> None:
    op.drop_index("ix_notice_unmailed", table_name="notice")
    op.create_index(
        "ix_notice_unmailed",
        "notice",
        ["created_at"],
        postgresql_where=sa.text("mail_id IS NULL AND superseded_at IS NULL"),
    )
    op.create_index("ix_notice_game_id", "notice", ["game_id"])
    op.drop_index("ix_notice_heard", table_name="notice")
    op.drop_index("ix_mail_unsettled", table_name="mail")
