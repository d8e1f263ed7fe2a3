"""A code to sign in is good for what its mail says."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("mailed_code", sa.Column("scopes", ARRAY(sa.Text)))
    op.add_column("mailed_code", sa.Column("game_id", sa.Uuid))
    op.add_column("mailed_code", sa.Column("expires_in", sa.Integer))


def downgrade() -> None:
    op.drop_column("mailed_code", "expires_in")
    op.drop_column("mailed_code", "game_id")
    op.drop_column("mailed_code", "scopes")
