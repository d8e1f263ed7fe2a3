"""Seats of games that are over, and outages of long ago, are passed by."""

import sqlalchemy as sa
from alembic import op

revision = "0048"
down_revision = "0047"
branch_labels = None
depends_on = None

_OVER_SO_FAR = """UPDATE seat s SET ended = true FROM game g
    WHERE g.id = s.game_id AND g.status = 'over'"""


def upgrade() -> None:
    op.add_column(
        "seat",
        sa.Column(
            "ended", sa.Boolean(), server_default=sa.text("false"), nullable=False
        ),
    )
    op.execute(_OVER_SO_FAR)
    op.create_index(
        "ix_seat_running",
        "seat",
        ["person_id"],
        postgresql_where=sa.text("NOT ended"),
    )
    op.create_index("ix_outage_end", "outage", ["ended_at"])


def downgrade() -> None:
    op.drop_index("ix_outage_end", table_name="outage")
    op.drop_index("ix_seat_running", table_name="seat")
    op.drop_column("seat", "ended")
