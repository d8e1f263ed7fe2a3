"""People ask for their open questions when they miss a mail."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0057"
down_revision = "0056"
branch_labels = None
depends_on = None


def _moment(name: str) -> sa.Column[object]:
    now = sa.text("kingup_now()")
    kind = postgresql.TIMESTAMP(timezone=True)
    return sa.Column(name, kind, server_default=now, nullable=False)


def _count(name: str, first: str) -> sa.Column[int]:
    return sa.Column(name, sa.SmallInteger(), server_default=first, nullable=False)


def upgrade() -> None:
    op.create_table(
        "lost_mail",
        sa.Column("address_key", sa.Text(), nullable=False),
        _moment("first_at"),
        _moment("asked_at"),
        _count("times", "1"),
        _count("attempts", "0"),
        _moment("claim_at"),
        sa.Column("settled_at", postgresql.TIMESTAMP(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("address_key", name=op.f("pk_lost_mail")),
    )
    op.create_index(
        "ix_lost_mail_claim_at",
        "lost_mail",
        ["claim_at"],
        postgresql_where=sa.text("settled_at IS NULL"),
    )
    op.create_index("ix_lost_mail_first_at", "lost_mail", ["first_at"])


def downgrade() -> None:
    op.drop_table("lost_mail")
