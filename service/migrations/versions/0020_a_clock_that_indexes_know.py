"""A statement may count on one moment of the clock: indexes find what is due."""

from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER FUNCTION kingup_now() STABLE")


def downgrade() -> None:
    op.execute("ALTER FUNCTION kingup_now() VOLATILE")
