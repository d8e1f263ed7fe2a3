"""A mail that waits tells by a hash which secret of ours it came with."""

import sqlalchemy as sa
from alembic import op

revision = "0058"
down_revision = "0057"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "incoming_mail", sa.Column("secret_hash", sa.LargeBinary(), nullable=True)
    )
    op.create_index("ix_incoming_mail_secret_hash", "incoming_mail", ["secret_hash"])


def downgrade() -> None:
    op.drop_column("incoming_mail", "secret_hash")
