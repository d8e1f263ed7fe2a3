"""Codes are counted by the network that asks for them, too."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("mailed_code", sa.Column("network", sa.LargeBinary(), nullable=True))


def downgrade() -> None:
    op.drop_column("mailed_code", "network")
