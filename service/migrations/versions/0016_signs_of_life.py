"""The worker tells of itself in rows of the database."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table, empty: the next heartbeat fills it."""
    op.create_table(
        "sign_of_life",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column(
            "at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("clock_timestamp()"),
            nullable=False,
        ),
        sa.Column("state", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_sign_of_life")),
    )


def downgrade() -> None:
    """Older workers leave their heartbeat elsewhere."""
    op.drop_table("sign_of_life")
