"""A notice is known by its game and its key, and by no number."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_column("notice", "id")
    op.drop_constraint("uq_notice_key", "notice")
    op.create_primary_key(op.f("pk_notice"), "notice", ["game_id", "key"])


def downgrade() -> None:
    op.drop_constraint("pk_notice", "notice")
    op.create_unique_constraint(op.f("uq_notice_key"), "notice", ["key"])
    new = sa.text("gen_random_uuid()")
    op.add_column(
        "notice", sa.Column("id", sa.Uuid(), server_default=new, nullable=False)
    )
    op.create_primary_key(op.f("pk_notice"), "notice", ["id"])
