"""What all have used of a budget is counted apart, and no more summed from all rows."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TIMESTAMP

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Sum up today's, but for what each address has for itself."""
    op.create_table(
        "budget_total",
        sa.Column("budget", sa.Text(), nullable=False),
        sa.Column("hour", TIMESTAMP(timezone=True), nullable=False),
        sa.Column("shard", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("amount", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint(
            "budget", "hour", "shard", name=op.f("pk_budget_total")
        ),
    )
    op.create_index(op.f("ix_budget_total_hour"), "budget_total", ["hour"])
    op.execute(
        """INSERT INTO budget_total (budget, hour, shard, amount)
        SELECT budget, hour, get_byte(bucket, 0) % 16, sum(amount) FROM quota
        WHERE budget <> 'confirmations' GROUP BY 1, 2, 3"""
    )


def downgrade() -> None:
    op.drop_table("budget_total")
