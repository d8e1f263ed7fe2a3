"""A token knows the one that it was made with, to end with it."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("token", sa.Column("maker_id", sa.Uuid))


def downgrade() -> None:
    op.drop_column("token", "maker_id")
