"""First tables."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_TABLES = (
    "clock",
    "opt_out",
    "person",
    "game",
    "answer",
    "device",
    "due",
    "event",
    "game_seed",
    "invitation",
    "link",
    "mail",
    "seat",
    "token",
    "notice",
)
"""In the order in which they are made; a table's indexes go with it."""


def upgrade() -> None:
    _create_clock()
    _create_opt_out()
    _create_person()
    _create_game()
    _create_answer()
    _create_device()
    _create_due()
    _create_event()
    _create_game_seed()
    _create_invitation()
    _create_link()
    _create_mail()
    _create_seat()
    _create_token()
    _create_notice()


def downgrade() -> None:
    *others, clock = reversed(_TABLES)
    for table in others:
        op.drop_table(table)
    op.execute("DROP FUNCTION kingup_now()")
    op.drop_table(clock)


def _moment_of_writing(name: str) -> sa.Column[object]:
    return sa.Column(
        name,
        postgresql.TIMESTAMP(timezone=True),
        server_default=sa.text("kingup_now()"),
        nullable=False,
    )


def _create_clock() -> None:
    op.create_table(
        "clock",
        sa.Column("only", sa.Boolean(), nullable=False),
        sa.Column("shift", sa.Interval(), nullable=False),
        sa.PrimaryKeyConstraint("only", name=op.f("pk_clock")),
    )
    # Read anew at every call, unlike now(); trials shift it for every process at once.
    op.execute(
        """CREATE FUNCTION kingup_now() RETURNS timestamptz LANGUAGE sql VOLATILE
        AS 'SELECT clock_timestamp() + (SELECT shift FROM clock)' """
    )
    op.execute("INSERT INTO clock VALUES (true, interval '0')")


def _create_opt_out() -> None:
    op.create_table(
        "opt_out",
        sa.Column("address_key", sa.Text(), nullable=False),
        _moment_of_writing("created_at"),
        sa.PrimaryKeyConstraint("address_key", name=op.f("pk_opt_out")),
    )


def _create_person() -> None:
    op.create_table(
        "person",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("address", sa.Text(), nullable=True),
        sa.Column("address_key", sa.Text(), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), server_default="en", nullable=False),
        sa.Column("zone", sa.Text(), server_default="UTC", nullable=False),
        sa.Column("verified_at", postgresql.TIMESTAMP(timezone=True), nullable=True),
        _moment_of_writing("created_at"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_person")),
        sa.UniqueConstraint("address_key", name=op.f("uq_person_address_key")),
    )


def _create_game() -> None:
    op.create_table(
        "game",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("host_id", sa.Uuid(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("edition", sa.Text(), nullable=False),
        sa.Column("options", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("visibility", sa.Text(), nullable=False),
        sa.Column("practice", sa.Boolean(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("record", sa.Integer(), nullable=False),
        sa.Column("head", sa.LargeBinary(), nullable=False),
        sa.Column("table_head", sa.LargeBinary(), nullable=True),
        sa.Column("snapshot", sa.LargeBinary(), nullable=False),
        sa.Column("snapshot_format", sa.SmallInteger(), nullable=False),
        sa.Column("deadline", postgresql.TIMESTAMP(timezone=True), nullable=True),
        sa.Column("laid", postgresql.ARRAY(sa.Integer()), nullable=True),
        _moment_of_writing("created_at"),
        sa.Column("started_at", postgresql.TIMESTAMP(timezone=True), nullable=True),
        sa.Column("ended_at", postgresql.TIMESTAMP(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["host_id"], ["person.id"], name=op.f("fk_game_host_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_game")),
    )
    # A game's row is rewritten with every answer: leave room for it on its page.
    op.execute("ALTER TABLE game SET (fillfactor = 70)")
    op.create_index("ix_game_created_at_id", "game", ["created_at", "id"], unique=False)
    op.create_index(op.f("ix_game_host_id"), "game", ["host_id"], unique=False)


def _create_answer() -> None:
    op.create_table(
        "answer",
        sa.Column("game_id", sa.Uuid(), nullable=False),
        sa.Column("decision", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("answer", sa.LargeBinary(), nullable=False),
        sa.Column("receipt", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["game.id"], name=op.f("fk_answer_game_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("game_id", "decision", "seat", name=op.f("pk_answer")),
    )


def _create_device() -> None:
    op.create_table(
        "device",
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("game_id", sa.Uuid(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        _moment_of_writing("created_at"),
        sa.ForeignKeyConstraint(
            ["game_id"], ["game.id"], name=op.f("fk_device_game_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
            name=op.f("fk_device_person_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_device")),
    )
    op.create_index(op.f("ix_device_game_id"), "device", ["game_id"], unique=False)


def _create_due() -> None:
    op.create_table(
        "due",
        sa.Column(
            "id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False
        ),
        sa.Column("game_id", sa.Uuid(), nullable=False),
        sa.Column("decision", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("due_at", postgresql.TIMESTAMP(timezone=True), nullable=False),
        sa.Column("claim_at", postgresql.TIMESTAMP(timezone=True), nullable=False),
        sa.Column("attempts", sa.SmallInteger(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["game.id"], name=op.f("fk_due_game_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_due")),
        sa.UniqueConstraint(
            "game_id",
            "decision",
            "kind",
            "seat",
            name=op.f("uq_due_game_id_decision_kind_seat"),
        ),
    )
    op.create_index(op.f("ix_due_claim_at"), "due", ["claim_at"], unique=False)


def _create_event() -> None:
    op.create_table(
        "event",
        sa.Column("game_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("record", sa.Integer(), nullable=True),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("version", sa.SmallInteger(), nullable=False),
        sa.Column("decision", sa.Integer(), nullable=True),
        sa.Column("public", sa.LargeBinary(), nullable=True),
        sa.Column("secret", sa.LargeBinary(), nullable=True),
        sa.Column("link", sa.LargeBinary(), nullable=True),
        _moment_of_writing("recorded_at"),
        sa.ForeignKeyConstraint(
            ["game_id"], ["game.id"], name=op.f("fk_event_game_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("game_id", "position", name=op.f("pk_event")),
        sa.UniqueConstraint(
            "game_id", "decision", name=op.f("uq_event_game_id_decision")
        ),
        sa.UniqueConstraint("game_id", "record", name=op.f("uq_event_game_id_record")),
    )


def _create_game_seed() -> None:
    op.create_table(
        "game_seed",
        sa.Column("game_id", sa.Uuid(), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
            name=op.f("fk_game_seed_game_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_game_seed")),
    )


def _create_invitation() -> None:
    op.create_table(
        "invitation",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("game_id", sa.Uuid(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("host_id", sa.Uuid(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        _moment_of_writing("created_at"),
        sa.Column("answered_at", postgresql.TIMESTAMP(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["game.id"],
            name=op.f("fk_invitation_game_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["host_id"], ["person.id"], name=op.f("fk_invitation_host_id")
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_invitation_person_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitation")),
    )
    op.create_index(
        op.f("ix_invitation_created_at"), "invitation", ["created_at"], unique=False
    )
    op.create_index(
        op.f("ix_invitation_game_id"), "invitation", ["game_id"], unique=False
    )
    op.create_index(
        "ix_invitation_host_id_state", "invitation", ["host_id", "state"], unique=False
    )
    op.create_index(
        op.f("ix_invitation_person_id"), "invitation", ["person_id"], unique=False
    )


def _create_link() -> None:
    op.create_table(
        "link",
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("game_id", sa.Uuid(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("decision", sa.Integer(), nullable=True),
        _moment_of_writing("created_at"),
        sa.ForeignKeyConstraint(
            ["game_id"], ["game.id"], name=op.f("fk_link_game_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
            name=op.f("fk_link_person_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_link")),
    )
    op.create_index(
        "ix_link_game_id_decision", "link", ["game_id", "decision"], unique=False
    )


def _create_mail() -> None:
    op.create_table(
        "mail",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("game_id", sa.Uuid(), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=True),
        sa.Column(
            "accepted_maybe",
            sa.Boolean(),
            server_default=sa.text("false"),
            nullable=False,
        ),
        sa.Column("attempts", sa.SmallInteger(), server_default="0", nullable=False),
        _moment_of_writing("claim_at"),
        sa.Column("error", sa.Text(), nullable=True),
        _moment_of_writing("created_at"),
        sa.Column("settled_at", postgresql.TIMESTAMP(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["game_id"], ["game.id"], name=op.f("fk_mail_game_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
            name=op.f("fk_mail_person_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mail")),
        sa.UniqueConstraint("message_id", name=op.f("uq_mail_message_id")),
    )
    _index_mail()


def _index_mail() -> None:
    op.create_index(
        "ix_mail_claim_at",
        "mail",
        ["claim_at"],
        unique=False,
        postgresql_where=sa.text("settled_at IS NULL"),
    )
    op.create_index(op.f("ix_mail_game_id"), "mail", ["game_id"], unique=False)
    op.create_index(op.f("ix_mail_person_id"), "mail", ["person_id"], unique=False)


def _create_seat() -> None:
    op.create_table(
        "seat",
        sa.Column("game_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=True),
        sa.Column("bot", sa.Text(), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("word", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["game.id"], name=op.f("fk_seat_game_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_seat_person_id")
        ),
        sa.PrimaryKeyConstraint("game_id", "number", name=op.f("pk_seat")),
        sa.UniqueConstraint(
            "game_id", "person_id", name=op.f("uq_seat_game_id_person_id")
        ),
    )
    op.create_index(op.f("ix_seat_person_id"), "seat", ["person_id"], unique=False)


def _create_token() -> None:
    op.create_table(
        "token",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("scopes", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("game_id", sa.Uuid(), nullable=True),
        sa.Column("expires_at", postgresql.TIMESTAMP(timezone=True), nullable=True),
        sa.Column("revoked_at", postgresql.TIMESTAMP(timezone=True), nullable=True),
        sa.Column("last_used_at", postgresql.TIMESTAMP(timezone=True), nullable=True),
        _moment_of_writing("created_at"),
        sa.ForeignKeyConstraint(
            ["game_id"], ["game.id"], name=op.f("fk_token_game_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
            name=op.f("fk_token_person_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_token")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_token_token_hash")),
    )
    op.create_index(op.f("ix_token_person_id"), "token", ["person_id"], unique=False)


def _create_notice() -> None:
    op.create_table(
        "notice",
        sa.Column(
            "id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False
        ),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("game_id", sa.Uuid(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("decision", sa.Integer(), nullable=True),
        sa.Column("cause", sa.Integer(), nullable=True),
        sa.Column("mail_id", sa.Uuid(), nullable=True),
        _moment_of_writing("created_at"),
        sa.Column("superseded_at", postgresql.TIMESTAMP(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["game_id"], ["game.id"], name=op.f("fk_notice_game_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["mail_id"],
            ["mail.id"],
            name=op.f("fk_notice_mail_id"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
            name=op.f("fk_notice_person_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notice")),
        sa.UniqueConstraint("key", name=op.f("uq_notice_key")),
    )
    _index_notice()


def _index_notice() -> None:
    op.create_index(op.f("ix_notice_game_id"), "notice", ["game_id"], unique=False)
    op.create_index(op.f("ix_notice_mail_id"), "notice", ["mail_id"], unique=False)
    op.create_index(op.f("ix_notice_person_id"), "notice", ["person_id"], unique=False)
    op.create_index(
        "ix_notice_unmailed",
        "notice",
        ["created_at"],
        unique=False,
        postgresql_where=sa.text("mail_id IS NULL AND superseded_at IS NULL"),
    )
