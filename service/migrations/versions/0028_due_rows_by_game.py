"""What falls due is known by its game, decision, kind and seat, and by no number."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None

_KEY = ["game_id", "decision", "kind", "seat"]


def upgrade() -> None:
    op.drop_column("due", "id")
    op.drop_constraint("uq_due_game_id_decision_kind_seat", "due")
    op.create_primary_key(op.f("pk_due"), "due", _KEY)


def downgrade() -> None:
    op.drop_constraint("pk_due", "due")
    op.create_unique_constraint(op.f("uq_due_game_id_decision_kind_seat"), "due", _KEY)
    new = sa.text("gen_random_uuid()")
    op.add_column("due", sa.Column("id", sa.Uuid(), server_default=new, nullable=False))
    op.create_primary_key(op.f("pk_due"), "due", ["id"])
