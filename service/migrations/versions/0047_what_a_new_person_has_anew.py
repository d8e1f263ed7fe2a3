"""What was used up or muted of a seat's former person isn't the new one's."""

import sqlalchemy as sa
from alembic import op

revision = "0047"
down_revision = "0046"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("mute", sa.Column("through", sa.Integer(), nullable=True))
    op.add_column(
        "proposal",
        sa.Column(
            "former", sa.Boolean(), server_default=sa.text("false"), nullable=False
        ),
    )


def downgrade() -> None:
    op.drop_column("proposal", "former")
    op.drop_column("mute", "through")
