"""Invitations are keyed by their game."""

from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_constraint("pk_invitation", "invitation")
    op.create_primary_key(op.f("pk_invitation"), "invitation", ["game_id", "id"])
    op.drop_index("ix_invitation_game_id", "invitation")


def downgrade() -> None:
    op.create_index("ix_invitation_game_id", "invitation", ["game_id"])
    op.drop_constraint("pk_invitation", "invitation")
    op.create_primary_key(op.f("pk_invitation"), "invitation", ["id"])
