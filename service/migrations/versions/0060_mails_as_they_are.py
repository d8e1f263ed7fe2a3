"""Mails lie as they are: packing was tried on each, and no picture gets smaller."""

from alembic import op

revision = "0060"
down_revision = "0059"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE mail ALTER COLUMN body SET STORAGE EXTERNAL")


def downgrade() -> None:
    op.execute("ALTER TABLE mail ALTER COLUMN body SET STORAGE EXTENDED")
