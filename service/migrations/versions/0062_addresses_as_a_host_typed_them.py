"""Until a table begins its host sees the addresses that they typed for its seats."""

import sqlalchemy as sa
from alembic import op

revision = "0062"
down_revision = "0061"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("seat", sa.Column("typed", sa.LargeBinary(), nullable=True))


def downgrade() -> None:
    op.drop_column("seat", "typed")
