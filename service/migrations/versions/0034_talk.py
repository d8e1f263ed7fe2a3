"""People talk: messages, lines that lie with ballots, mutes and reports."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TIMESTAMP

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def _game() -> sa.Column:
    return sa.Column("game_id", sa.Uuid(), nullable=False)


def _person() -> sa.Column:
    return sa.Column("person_id", sa.Uuid(), nullable=False)


def _number(name: str, kind: type[sa.Integer] = sa.Integer) -> sa.Column:
    return sa.Column(name, kind(), autoincrement=False, nullable=False)


def _keys(table: str, *key: str) -> tuple[sa.Constraint, ...]:
    return (
        sa.PrimaryKeyConstraint(*key, name=op.f(f"pk_{table}")),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
            name=op.f(f"fk_{table}_game_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
            name=op.f(f"fk_{table}_person_id"),
            ondelete="CASCADE",
        ),
    )


def _moment(name: str) -> sa.Column:
    return sa.Column(
        name,
        TIMESTAMP(timezone=True),
        server_default=sa.text("kingup_now()"),
        nullable=False,
    )


def _said() -> tuple[sa.Column, ...]:
    return (
        sa.Column("line", sa.Text(), nullable=True),
        sa.Column("phrase", sa.Text(), nullable=True),
    )


def upgrade() -> None:
    _add_messages()
    _add_complaints()
    for table in ("message", "sealed_line", "mute", "report"):
        op.create_index(op.f(f"ix_{table}_person_id"), table, ["person_id"])


def _add_messages() -> None:
    op.add_column(
        "game",
        sa.Column(
            "newest_message", sa.Integer(), server_default=sa.text("0"), nullable=False
        ),
    )
    op.create_table(
        "message",
        _game(),
        _number("number"),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        _person(),
        sa.Column("decision", sa.Integer(), nullable=True),
        *_said(),
        _moment("said_at"),
        *_keys("message", "game_id", "number"),
    )
    op.create_index(
        "ix_message_between_acts",
        "message",
        ["game_id", "seat", "said_at"],
        postgresql_where=sa.text("decision IS NULL"),
    )
    op.create_table(
        "sealed_line",
        _game(),
        _number("decision"),
        _number("seat", sa.SmallInteger),
        _person(),
        *_said(),
        *_keys("sealed_line", "game_id", "decision", "seat"),
    )


def _add_complaints() -> None:
    """What nobody but their own maker and the operator reads: mutes and reports."""
    op.create_table(
        "mute",
        _game(),
        _person(),
        _number("seat", sa.SmallInteger),
        *_keys("mute", "game_id", "person_id", "seat"),
    )
    op.create_table(
        "report",
        _game(),
        _number("message"),
        _person(),
        _moment("created_at"),
        *_keys("report", "game_id", "message", "person_id"),
    )
    op.create_index(op.f("ix_report_created_at"), "report", ["created_at"])


def downgrade() -> None:
    for table in ("report", "mute", "sealed_line", "message"):
        op.drop_table(table)
    op.drop_column("game", "newest_message")
