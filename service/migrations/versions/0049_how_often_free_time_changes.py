"""How often somebody has changed their free time lately."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0049"
down_revision = "0048"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "person",
        sa.Column(
            "free_changes",
            postgresql.ARRAY(sa.TIMESTAMP(timezone=True)),
            server_default=sa.text("'{}'"),
            nullable=False,
        ),
    )


def downgrade() -> None:
    op.drop_column("person", "free_changes")
