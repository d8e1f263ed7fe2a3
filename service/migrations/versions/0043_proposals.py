"""A table decides together whether its game is called off."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY, TIMESTAMP

revision = "0043"
down_revision = "0042"
branch_labels = None
depends_on = None

_KEY = ["game_id", "person_id", "kind", "created_at"]
_OPEN = "AND mail_id IS NOT NULL AND superseded_at IS NULL"
_KINDS = "'declined', 'result', 'round_over', 'replacement'"
_BEFORE = f"kind IN ({_KINDS}) {_OPEN}"
_AFTER = f"kind IN ({_KINDS}, 'proposal') {_OPEN}"


def _told(which: str) -> None:
    op.drop_index("ix_notice_hourly", table_name="notice")
    op.create_index("ix_notice_hourly", "notice", _KEY, postgresql_where=sa.text(which))


def upgrade() -> None:
    op.create_table(
        "proposal",
        sa.Column(
            "game_id",
            sa.Uuid(),
            sa.ForeignKey("game.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("number", sa.SmallInteger(), primary_key=True, autoincrement=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("proposed_at", TIMESTAMP(timezone=True), nullable=False),
        sa.Column("lapses_at", TIMESTAMP(timezone=True), nullable=False),
        sa.Column("agreed", ARRAY(sa.Integer()), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
    )
    _told(_AFTER)


def downgrade() -> None:
    _told(_BEFORE)
    op.drop_table("proposal")
