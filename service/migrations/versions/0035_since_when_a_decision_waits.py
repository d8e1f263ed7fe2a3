"""A game knows since when its open decision waits."""

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Of a decision that is open now nobody knows: the next one is told."""
    op.add_column(
        "game", sa.Column("opened_at", sa.TIMESTAMP(timezone=True), nullable=True)
    )


def downgrade() -> None:
    op.drop_column("game", "opened_at")
