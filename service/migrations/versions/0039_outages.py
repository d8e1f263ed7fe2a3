"""Outages are known, given back, and held against nobody."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None

_MOMENT = postgresql.TIMESTAMP(timezone=True)


def _game() -> sa.Column[object]:
    return sa.Column("game_id", sa.Uuid(), nullable=False)


def _of_game(table: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_game_id_game")
    return sa.ForeignKeyConstraint(
        ["game_id"], ["game.id"], name=name, ondelete="CASCADE"
    )


def upgrade() -> None:
    """Make the tables, empty: of a time without heartbeats nobody knows anything."""
    op.create_table(
        "outage",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("began_at", _MOMENT, nullable=False),
        sa.Column("ended_at", _MOMENT, nullable=False),
        sa.Column("credited_at", _MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_outage")),
    )
    op.create_table(
        "credit",
        _game(),
        sa.Column("decision", sa.Integer(), nullable=False),
        sa.Column("outage", sa.Integer(), nullable=False),
        sa.Column("away", sa.Interval(), nullable=False),
        sa.Column("mail", sa.Interval(), nullable=False),
        sa.Column("since", _MOMENT, nullable=True),
        _of_game("credit"),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_credit")),
    )
    op.create_table(
        "excused",
        _game(),
        sa.Column("decision", sa.Integer(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("ballot", sa.Boolean(), nullable=False),
        _of_game("excused"),
        sa.PrimaryKeyConstraint("game_id", "decision", "seat", name=op.f("pk_excused")),
    )


def downgrade() -> None:
    op.drop_table("excused")
    op.drop_table("credit")
    op.drop_table("outage")
