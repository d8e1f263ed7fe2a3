"""An index by which the unasked mails of a day are counted."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_UNASKED = sa.text("kind IN ('invitation', 'confirm')")


def upgrade() -> None:
    op.create_index(
        "ix_notice_unasked", "notice", ["created_at"], postgresql_where=_UNASKED
    )


def downgrade() -> None:
    op.drop_index("ix_notice_unasked", table_name="notice")
