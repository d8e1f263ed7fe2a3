"""A placement or move can be taken back."""

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """What is answered now has a new deadline, should it be asked again."""
    op.add_column("answer", sa.Column("reopened", sa.Integer(), nullable=True))
    op.add_column(
        "game",
        sa.Column("answered_deadline", sa.TIMESTAMP(timezone=True), nullable=True),
    )
    op.add_column(
        "message",
        sa.Column(
            "taken_back", sa.Boolean(), server_default=sa.text("false"), nullable=False
        ),
    )


def downgrade() -> None:
    op.drop_column("message", "taken_back")
    op.drop_column("game", "answered_deadline")
    op.drop_column("answer", "reopened")
