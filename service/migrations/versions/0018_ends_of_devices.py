"""Remembered browsers end, can be told apart, and are told of; links are used up."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TIMESTAMP

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

_MOMENT = TIMESTAMP(timezone=True)


def upgrade() -> None:
    """Old ones count as used now; those of games that go on are told of once."""
    op.add_column("link", sa.Column("used_at", _MOMENT, nullable=True))
    op.create_index(
        "ix_link_short_lived",
        "link",
        ["created_at"],
        postgresql_where=sa.text("purpose IN ('remember', 'devices')"),
    )
    _add_columns()
    op.execute(
        """UPDATE device d SET closes_at = g.ended_at + interval '30 days'
        FROM game g WHERE g.id = d.game_id AND g.ended_at IS NOT NULL"""
    )
    op.execute(
        """UPDATE device d SET told_at = kingup_now() FROM game g, person p
        WHERE g.id = d.game_id AND p.id = d.person_id
            AND (g.practice OR g.ended_at IS NOT NULL OR p.address IS NULL)"""
    )
    op.create_unique_constraint("uq_device_id", "device", ["id"])
    op.create_index("ix_device_last_used_at", "device", ["last_used_at"])
    op.create_index(
        "ix_device_closes_at",
        "device",
        ["closes_at"],
        postgresql_where=sa.text("closes_at IS NOT NULL"),
    )
    op.create_index(
        "ix_device_untold",
        "device",
        ["game_id"],
        postgresql_where=sa.text("told_at IS NULL"),
    )


def _add_columns() -> None:
    now = sa.text("kingup_now()")
    for column in (
        sa.Column("id", sa.Uuid(), server_default=sa.text("gen_random_uuid()")),
        sa.Column("browser", sa.Text(), server_default=""),
        sa.Column("system", sa.Text(), server_default=""),
        sa.Column("last_used_at", _MOMENT, server_default=now),
    ):
        column.nullable = False
        op.add_column("device", column)
    op.add_column("device", sa.Column("closes_at", _MOMENT, nullable=True))
    op.add_column("device", sa.Column("told_at", _MOMENT, nullable=True))


def downgrade() -> None:
    op.drop_index("ix_device_untold", "device")
    op.drop_index("ix_device_closes_at", "device")
    op.drop_index("ix_device_last_used_at", "device")
    op.drop_constraint("uq_device_id", "device")
    for name in ("told_at", "closes_at", "last_used_at", "system", "browser", "id"):
        op.drop_column("device", name)
    op.drop_index("ix_link_short_lived", "link")
    op.drop_column("link", "used_at")
