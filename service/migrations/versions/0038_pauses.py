"""A game's clock stands still while somebody who plays it has paused it."""

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("game", sa.Column("paused_at", sa.TIMESTAMP(timezone=True)))
    op.add_column(
        "seat",
        sa.Column("pauses", sa.SmallInteger(), server_default="0", nullable=False),
    )
    op.add_column("seat", sa.Column("paused_since", sa.TIMESTAMP(timezone=True)))
    op.add_column("seat", sa.Column("paused_until", sa.TIMESTAMP(timezone=True)))


def downgrade() -> None:
    op.drop_column("seat", "paused_until")
    op.drop_column("seat", "paused_since")
    op.drop_column("seat", "pauses")
    op.drop_column("game", "paused_at")
