"""A game knows its rematch, so that nothing is looked for among all games."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("game", sa.Column("rematch_id", sa.Uuid(), nullable=True))
    op.execute(
        """UPDATE game SET rematch_id = laid.id FROM game laid
        WHERE laid.rematch_of = game.id"""
    )
    op.drop_column("game", "rematch_of")


def downgrade() -> None:
    """Of a table that was called off the game knows no more, as it was."""
    op.add_column("game", sa.Column("rematch_of", sa.Uuid(), nullable=True))
    op.execute(
        """UPDATE game SET rematch_of = over.id FROM game over
        WHERE over.rematch_id = game.id
            AND (game.status <> 'over' OR game.started_at IS NOT NULL)"""
    )
    op.create_unique_constraint(op.f("uq_game_rematch_of"), "game", ["rematch_of"])
    op.create_foreign_key(
        op.f("fk_game_rematch_of"),
        "game",
        "game",
        ["rematch_of"],
        ["id"],
        ondelete="SET NULL",
    )
    op.drop_column("game", "rematch_id")
