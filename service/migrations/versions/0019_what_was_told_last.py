"""When a person was last mailed of a kind for a game is found in one step."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

_TOLD = sa.text(
    "kind IN ('declined', 'result', 'round_over')"
    " AND mail_id IS NOT NULL AND superseded_at IS NULL"
)


def upgrade() -> None:
    op.create_index(
        "ix_notice_hourly",
        "notice",
        ["game_id", "person_id", "kind", "created_at"],
        postgresql_where=_TOLD,
    )


def downgrade() -> None:
    op.drop_index("ix_notice_hourly", table_name="notice")
