"""Seats know whether their people have left them, or have only let too much pass."""

import sqlalchemy as sa
from alembic import op

revision = "0046"
down_revision = "0045"
branch_labels = None
depends_on = None

# Who has lost their seat by misses has been told so; who is away is to be back.
_LEFT_SO_FAR = """UPDATE seat s SET departed = true
    WHERE bot IS NOT NULL AND person_id IS NOT NULL AND NOT away_returns
        AND NOT comes_in AND NOT EXISTS (SELECT FROM notice n
            WHERE n.game_id = s.game_id AND n.person_id = s.person_id
                AND n.seat = s.number AND n.kind = 'kept')"""


def upgrade() -> None:
    op.add_column(
        "seat",
        sa.Column(
            "departed", sa.Boolean(), server_default=sa.text("false"), nullable=False
        ),
    )
    op.execute(_LEFT_SO_FAR)


def downgrade() -> None:
    op.drop_column("seat", "departed")
