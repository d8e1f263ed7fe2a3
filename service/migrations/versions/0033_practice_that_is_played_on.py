"""A practice game is kept for a day after its latest answer, not after it began."""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None

_PRACTICE = sa.text("practice")


def upgrade() -> None:
    """Index when each was played last; null is all there is to know so far."""
    op.add_column(
        "game", sa.Column("played_at", sa.TIMESTAMP(timezone=True), nullable=True)
    )
    op.drop_index("ix_game_practice", "game")
    played = sa.text("coalesce(played_at, created_at)")
    op.create_index("ix_game_practice", "game", [played], postgresql_where=_PRACTICE)


def downgrade() -> None:
    op.drop_index("ix_game_practice", "game")
    op.create_index(
        "ix_game_practice", "game", ["created_at"], postgresql_where=_PRACTICE
    )
    op.drop_column("game", "played_at")
