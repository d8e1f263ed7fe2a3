"""For whom a seat's cards are mailed, by their own order."""

import sqlalchemy as sa
from alembic import op

revision = "0056"
down_revision = "0055"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("seat", sa.Column("cards_for", sa.Uuid(), nullable=True))


def downgrade() -> None:
    op.drop_column("seat", "cards_for")
