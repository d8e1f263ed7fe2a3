"""Mails have a return path of their own, and may have come back there."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0055"
down_revision = "0054"
branch_labels = None
depends_on = None

_MOMENT = postgresql.TIMESTAMP(timezone=True)


def upgrade() -> None:
    op.add_column("mail", sa.Column("return_hash", sa.LargeBinary(), nullable=True))
    op.add_column("mail", sa.Column("bounced_at", _MOMENT, nullable=True))
    op.create_index(
        "ix_mail_return_hash",
        "mail",
        ["return_hash"],
        postgresql_where=sa.text("return_hash IS NOT NULL"),
    )
    op.create_index(
        "ix_mail_bounced",
        "mail",
        ["person_id", "bounced_at"],
        postgresql_where=sa.text("bounced_at IS NOT NULL"),
    )


def downgrade() -> None:
    op.drop_index("ix_mail_bounced", "mail")
    op.drop_index("ix_mail_return_hash", "mail")
    op.drop_column("mail", "bounced_at")
    op.drop_column("mail", "return_hash")
