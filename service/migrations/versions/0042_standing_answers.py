"""Seats answer ahead, and are told which card they had wished for."""

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("answer", sa.Column("wished", sa.Text(), nullable=True))
    op.create_table(
        "standing_answer",
        sa.Column("game_id", sa.Uuid(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("round", sa.SmallInteger(), nullable=False),
        sa.Column("wishes", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint(
            "game_id", "seat", "kind", name=op.f("pk_standing_answer")
        ),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
            name=op.f("fk_standing_answer_game_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
            name=op.f("fk_standing_answer_person_id"),
            ondelete="CASCADE",
        ),
    )
    op.create_index(
        op.f("ix_standing_answer_person_id"), "standing_answer", ["person_id"]
    )


def downgrade() -> None:
    op.drop_table("standing_answer")
    op.drop_column("answer", "wished")
