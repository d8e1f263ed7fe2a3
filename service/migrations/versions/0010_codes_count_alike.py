"""Codes count into caps whatever is known of their addresses."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.alter_column("mailed_code", "sent", new_column_name="counted")
    op.drop_column("mailed_code", "unasked")


def downgrade() -> None:
    """Go back to codes of strangers: which they were is told by their person."""
    unasked = sa.Column("unasked", sa.Boolean(), nullable=True)
    op.add_column("mailed_code", unasked)
    op.execute("UPDATE mailed_code SET unasked = person_id IS NULL")
    op.alter_column("mailed_code", "unasked", nullable=False)
    op.alter_column("mailed_code", "counted", new_column_name="sent")
