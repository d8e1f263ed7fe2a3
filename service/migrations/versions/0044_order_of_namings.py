"""Whoever is named later for a seat has a higher number than all who are kept."""

from alembic import op

revision = "0044"
down_revision = "0043"
branch_labels = None
depends_on = None

_NUMBER_ANEW = """UPDATE replacement r SET number = o.number FROM (
        SELECT game_id, invitation_id, row_number() OVER (
            PARTITION BY game_id, seat ORDER BY number, created_at) AS number
        FROM replacement) o
    WHERE r.game_id = o.game_id AND r.invitation_id = o.invitation_id"""


def upgrade() -> None:
    """What has one number twice is numbered anew, in the order in which it came."""
    op.execute(_NUMBER_ANEW)
    op.create_index(
        "ix_replacement_number",
        "replacement",
        ["game_id", "seat", "number"],
        unique=True,
    )


def downgrade() -> None:
    op.drop_index("ix_replacement_number", table_name="replacement")
