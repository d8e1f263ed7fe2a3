"""A line of a mail that came in tells by a hash which secret of ours it came with."""

import sqlalchemy as sa
from alembic import op

revision = "0061"
down_revision = "0060"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "mail_journal", sa.Column("secret_hash", sa.LargeBinary(), nullable=True)
    )


def downgrade() -> None:
    op.drop_column("mail_journal", "secret_hash")
