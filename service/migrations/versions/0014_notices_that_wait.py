"""A notice may wait, and what a game has mailed within the hour is found at once."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

_UNMAILED = sa.text("mail_id IS NULL AND superseded_at IS NULL")
_UNSETTLED = sa.text("settled_at IS NULL")


def upgrade() -> None:
    due = sa.Column("due_at", sa.TIMESTAMP(timezone=True), nullable=True)
    op.add_column("notice", due)
    op.execute("UPDATE notice SET due_at = created_at")
    now = sa.text("kingup_now()")
    op.alter_column("notice", "due_at", nullable=False, server_default=now)
    op.drop_index("ix_notice_unmailed", table_name="notice")
    op.create_index(
        "ix_notice_unmailed", "notice", ["game_id"], postgresql_where=_UNMAILED
    )
    op.create_index("ix_notice_due", "notice", ["due_at"], postgresql_where=_UNMAILED)
    op.create_index("ix_mail_game_id_settled_at", "mail", ["game_id", "settled_at"])
    op.drop_index("ix_mail_unsettled", table_name="mail")
    op.drop_index("ix_mail_game_id", table_name="mail")


def downgrade() -> None:
    op.create_index("ix_mail_game_id", "mail", ["game_id"])
    op.create_index(
        "ix_mail_unsettled", "mail", ["game_id"], postgresql_where=_UNSETTLED
    )
    op.drop_index("ix_mail_game_id_settled_at", table_name="mail")
    op.drop_index("ix_notice_due", table_name="notice")
    op.drop_index("ix_notice_unmailed", table_name="notice")
    op.create_index(
        "ix_notice_unmailed",
        "notice",
        ["game_id", "created_at"],
        postgresql_where=_UNMAILED,
    )
    op.drop_column("notice", "due_at")
