"""Mails know up to which event they tell what happened, and when they were written."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0059"
down_revision = "0058"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("mail", sa.Column("record", sa.Integer()))
    op.add_column("mail", sa.Column("written_at", postgresql.TIMESTAMP(timezone=True)))


def downgrade() -> None:
    op.drop_column("mail", "written_at")
    op.drop_column("mail", "record")
