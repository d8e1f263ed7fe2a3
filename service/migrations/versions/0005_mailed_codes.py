"""Codes are mailed for signing in; an account may be a program's."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "person",
        sa.Column(
            "program", sa.Boolean(), server_default=sa.text("false"), nullable=False
        ),
    )
    op.alter_column("mail", "game_id", nullable=True)
    op.alter_column("mail", "person_id", nullable=True)
    _create_mailed_code()


def downgrade() -> None:
    op.drop_table("mailed_code")
    op.execute("DELETE FROM mail WHERE game_id IS NULL OR person_id IS NULL")
    op.alter_column("mail", "person_id", nullable=False)
    op.alter_column("mail", "game_id", nullable=False)
    op.drop_column("person", "program")


def _moment(name: str, **more: object) -> sa.Column[object]:
    return sa.Column(name, postgresql.TIMESTAMP(timezone=True), **more)


def _create_mailed_code() -> None:
    op.create_table(
        "mailed_code",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("address_key", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=True),
        sa.Column("code_hash", sa.LargeBinary(), nullable=True),
        sa.Column("tries", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("sent", sa.Boolean(), nullable=False),
        sa.Column("unasked", sa.Boolean(), nullable=False),
        sa.Column("mail_id", sa.Uuid(), nullable=False),
        _moment("created_at", server_default=sa.text("kingup_now()"), nullable=False),
        _moment("expires_at", nullable=False),
        _moment("used_at", nullable=True),
        sa.ForeignKeyConstraint(
            ["mail_id"],
            ["mail.id"],
            name=op.f("fk_mailed_code_mail_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
            name=op.f("fk_mailed_code_person_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mailed_code")),
    )
    for columns in (["person_id"], ["mail_id"], ["created_at"]):
        op.create_index(op.f(f"ix_mailed_code_{columns[0]}"), "mailed_code", columns)
    op.create_index(
        "ix_mailed_code_address_key_created_at",
        "mailed_code",
        ["address_key", "created_at"],
    )
