"""Somebody else may take a seat that a bot keeps."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TIMESTAMP

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None

_OPEN = sa.text("state IN ('named', 'asked')")
_HOURLY = (
    "kind IN ('declined', 'result', 'round_over')",
    "kind IN ('declined', 'result', 'round_over', 'replacement')",
)
_INVITED = ("kind = 'invitation'", "kind IN ('invitation', 'offered')")
_MAILED = "mail_id IS NOT NULL AND superseded_at IS NULL"


def upgrade() -> None:
    op.add_column(
        "seat",
        sa.Column(
            "comes_in", sa.Boolean(), server_default=sa.text("false"), nullable=False
        ),
    )
    for table in ("game", "seat"):
        op.add_column(
            table,
            sa.Column(
                "successions",
                sa.Integer(),
                server_default=sa.text("0"),
                nullable=False,
            ),
        )
    _add_replacements()
    _add_former_holders()
    _index_notices(_HOURLY[1], _INVITED[1])


def _add_replacements() -> None:
    op.create_table(
        "replacement",
        sa.Column("game_id", sa.Uuid(), nullable=False),
        sa.Column("invitation_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("by_seat", sa.SmallInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column(
            "created_at",
            TIMESTAMP(timezone=True),
            server_default=sa.text("kingup_now()"),
            nullable=False,
        ),
        sa.Column("due_at", TIMESTAMP(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint(
            "game_id", "invitation_id", name=op.f("pk_replacement")
        ),
        sa.ForeignKeyConstraint(
            ["game_id", "invitation_id"],
            ["invitation.game_id", "invitation.id"],
            name=op.f("fk_replacement_game_id_invitation_id"),
            ondelete="CASCADE",
        ),
    )
    op.create_index(
        "ix_replacement_open",
        "replacement",
        ["game_id", "seat"],
        unique=True,
        postgresql_where=_OPEN,
    )
    op.create_index(
        "ix_replacement_due", "replacement", ["due_at"], postgresql_where=_OPEN
    )


def _add_former_holders() -> None:
    op.create_table(
        "former_holder",
        sa.Column("game_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=True),
        sa.Column("digest", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("game_id", "id", name=op.f("pk_former_holder")),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
            name=op.f("fk_former_holder_game_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
            name=op.f("fk_former_holder_person_id"),
            ondelete="CASCADE",
        ),
    )
    op.create_index(op.f("ix_former_holder_person_id"), "former_holder", ["person_id"])


def _index_notices(hourly: str, invited: str) -> None:
    """Make the two indexes anew that know some kinds of notices alone."""
    for name, columns, which in (
        (
            "ix_notice_hourly",
            ["game_id", "person_id", "kind", "created_at"],
            f"{hourly} AND {_MAILED}",
        ),
        (
            "ix_notice_invited",
            ["person_id", "due_at"],
            f"{invited} AND superseded_at IS NULL",
        ),
    ):
        op.drop_index(name, "notice")
        op.create_index(name, "notice", columns, postgresql_where=sa.text(which))


def downgrade() -> None:
    _index_notices(_HOURLY[0], _INVITED[0])
    op.drop_table("former_holder")
    op.drop_table("replacement")
    for table in ("seat", "game"):
        op.drop_column(table, "successions")
    op.drop_column("seat", "comes_in")
