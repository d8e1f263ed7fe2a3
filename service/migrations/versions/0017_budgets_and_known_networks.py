"""Budgets of their own, by network, and the networks that people signed in from."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

_MOMENT = postgresql.TIMESTAMP(timezone=True)


def upgrade() -> None:
    op.create_table(
        "quota",
        sa.Column("budget", sa.Text(), nullable=False),
        sa.Column("bucket", sa.LargeBinary(), nullable=False),
        sa.Column("hour", _MOMENT, nullable=False),
        sa.Column("amount", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("budget", "bucket", "hour", name=op.f("pk_quota")),
    )
    op.create_index(op.f("ix_quota_hour"), "quota", ["hour"])
    op.create_table(
        "known_network",
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column(
            "used_at", _MOMENT, server_default=sa.text("kingup_now()"), nullable=False
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
            name=op.f("fk_known_network_person_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_known_network")),
    )
    op.create_index(
        "ix_known_network_person_id", "known_network", ["person_id", "used_at"]
    )
    op.create_index(op.f("ix_known_network_used_at"), "known_network", ["used_at"])
    share = sa.Column("share", sa.Text(), server_default="anyone", nullable=False)
    op.add_column("mailed_code", share)
    # What it counted is counted in quota.
    op.drop_index("ix_notice_unasked", table_name="notice")


def downgrade() -> None:
    unasked = sa.text("kind IN ('invitation', 'confirm')")
    op.create_index(
        "ix_notice_unasked", "notice", ["created_at"], postgresql_where=unasked
    )
    op.drop_column("mailed_code", "share")
    op.drop_table("known_network")
    op.drop_table("quota")
