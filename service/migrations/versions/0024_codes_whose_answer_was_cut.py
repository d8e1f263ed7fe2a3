"""A code knows the token that was had by it, for whom the answer never reached."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("mailed_code", sa.Column("token_id", sa.Uuid))


def downgrade() -> None:
    op.drop_column("mailed_code", "token_id")
