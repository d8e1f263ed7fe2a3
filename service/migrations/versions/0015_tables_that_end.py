"""A table that nobody joins ends: each that fills up has its next step towards that."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    at = sa.Column("expiry_at", sa.TIMESTAMP(timezone=True), nullable=True)
    op.add_column("game", at)
    warned = sa.Column(
        "expiry_warned", sa.Boolean(), server_default=sa.text("false"), nullable=False
    )
    op.add_column("game", warned)
    # Whoever waits already has the whole time from now on.
    op.execute(
        """UPDATE game SET expiry_at = kingup_now() + interval '23 days'
        WHERE status = 'inviting'"""
    )
    op.create_index(
        "ix_game_expiry",
        "game",
        ["expiry_at", "id"],
        postgresql_where=sa.text("status = 'inviting'"),
    )


def downgrade() -> None:
    op.drop_index("ix_game_expiry", table_name="game")
    op.drop_column("game", "expiry_warned")
    op.drop_column("game", "expiry_at")
