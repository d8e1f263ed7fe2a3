"""People say that they want no mails of a game."""

import sqlalchemy as sa
from alembic import op

revision = "0053"
down_revision = "0052"
branch_labels = None
depends_on = None


def _reference(table: str) -> sa.ForeignKeyConstraint:
    column = f"{table}_id"
    name = op.f(f"fk_unsubscribed_{column}_{table}")
    return sa.ForeignKeyConstraint(
        [column], [f"{table}.id"], name=name, ondelete="CASCADE"
    )


def upgrade() -> None:
    op.create_table(
        "unsubscribed",
        sa.Column("game_id", sa.Uuid(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            sa.TIMESTAMP(timezone=True),
            server_default=sa.text("kingup_now()"),
            nullable=False,
        ),
        _reference("game"),
        _reference("person"),
        sa.PrimaryKeyConstraint("game_id", "person_id", name=op.f("pk_unsubscribed")),
    )
    op.create_index(op.f("ix_unsubscribed_person_id"), "unsubscribed", ["person_id"])


def downgrade() -> None:
    op.drop_table("unsubscribed")
