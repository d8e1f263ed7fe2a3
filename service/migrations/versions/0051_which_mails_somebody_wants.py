"""Which mails of a game's course somebody wants."""

import sqlalchemy as sa
from alembic import op

revision = "0051"
down_revision = "0050"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "person",
        sa.Column("mails", sa.Text(), server_default="instant", nullable=False),
    )


def downgrade() -> None:
    op.drop_column("person", "mails")
