"""Seats and invitations keep a digest of what the host typed for them."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

_TAKEN = sa.text("state <> 'declined'")

# What was typed isn't known any more: a person's own digest tells seats apart as well.
_ASKED_BEFORE = (
    """UPDATE seat SET asked = sha256(uuid_send(person_id))
        WHERE person_id IS NOT NULL AND bot IS NULL""",
    "UPDATE invitation SET asked = sha256(uuid_send(person_id))",
)


def upgrade() -> None:
    for table in ("seat", "invitation"):
        op.add_column(table, sa.Column("asked", sa.LargeBinary(), nullable=True))
    for statement in _ASKED_BEFORE:
        op.execute(statement)
    op.drop_constraint("uq_seat_game_id_person_id", "seat", type_="unique")
    op.create_index(
        "ix_seat_taken",
        "seat",
        ["game_id", "person_id"],
        unique=True,
        postgresql_where=_TAKEN,
    )


def downgrade() -> None:
    """Go back to one seat a person: the ones they declined are nobody's then."""
    op.execute(
        """UPDATE seat d SET person_id = NULL WHERE state = 'declined' AND EXISTS (
            SELECT FROM seat s WHERE s.game_id = d.game_id AND s.number <> d.number
                AND s.person_id = d.person_id)"""
    )
    op.drop_index("ix_seat_taken", table_name="seat")
    op.create_unique_constraint(
        "uq_seat_game_id_person_id", "seat", ["game_id", "person_id"]
    )
    for table in ("seat", "invitation"):
        op.drop_column(table, "asked")
