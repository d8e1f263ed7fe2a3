"""People are away, and have quiet hours and weekends."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TIMESTAMP

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None

_FALSE = sa.text("false")


def upgrade() -> None:
    _add_free_time()
    _add_absences()
    _add_away()


def _add_free_time() -> None:
    op.add_column("person", sa.Column("quiet_from", sa.Text()))
    op.add_column("person", sa.Column("quiet_to", sa.Text()))
    op.add_column(
        "person",
        sa.Column("weekends", sa.Boolean(), server_default=_FALSE, nullable=False),
    )


def _add_absences() -> None:
    op.create_table(
        "absence",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column(
            "person_id",
            sa.Uuid(),
            sa.ForeignKey("person.id", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column("first", sa.Date(), nullable=False),
        sa.Column("last", sa.Date(), nullable=False),
        sa.Column("choice", sa.Text(), nullable=False),
        sa.Column("begins_at", TIMESTAMP(timezone=True), nullable=False),
        sa.Column("ends_at", TIMESTAMP(timezone=True), nullable=False),
    )
    op.create_index("ix_absence_person_id", "absence", ["person_id"])
    op.create_index("ix_absence_end", "absence", ["ends_at"])
    op.create_index(
        "ix_absence_bot",
        "absence",
        ["begins_at"],
        postgresql_where=sa.text("choice = 'bot'"),
    )


def _add_away() -> None:
    op.add_column(
        "seat",
        sa.Column("away_days", sa.SmallInteger(), server_default="0", nullable=False),
    )
    op.add_column("seat", sa.Column("away_until", sa.Date()))
    op.add_column("seat", sa.Column("away_id", sa.Uuid()))
    op.add_column(
        "seat",
        sa.Column("away_returns", sa.Boolean(), server_default=_FALSE, nullable=False),
    )
    op.create_index(
        "ix_seat_returns",
        "seat",
        ["game_id", "number"],
        postgresql_where=sa.text("away_returns"),
    )


def downgrade() -> None:
    op.drop_index("ix_seat_returns", "seat")
    for column in ("away_returns", "away_id", "away_until", "away_days"):
        op.drop_column("seat", column)
    op.drop_table("absence")
    for column in ("weekends", "quiet_to", "quiet_from"):
        op.drop_column("person", column)
