"""Mails know up to which message they tell what was said."""

import sqlalchemy as sa
from alembic import op

revision = "0052"
down_revision = "0051"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("mail", sa.Column("newest_message", sa.Integer()))


def downgrade() -> None:
    op.drop_column("mail", "newest_message")
