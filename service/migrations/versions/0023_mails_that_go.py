"""Mails of games that are over go in time, and each notes whom it may name."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

_ANYBODY = "body IS NOT NULL AND people IS NULL AND game_id IS NOT NULL"


def upgrade() -> None:
    """A mail that was rendered before, or by an older process, may name anybody."""
    op.add_column(
        "game",
        sa.Column(
            "has_mails", sa.Boolean(), server_default=sa.text("true"), nullable=False
        ),
    )
    op.create_index(
        "ix_game_mails",
        "game",
        ["ended_at"],
        postgresql_where=sa.text("has_mails AND ended_at IS NOT NULL"),
    )
    op.add_column("mail", sa.Column("people", ARRAY(sa.Uuid()), nullable=True))
    op.create_index(
        "ix_mail_people",
        "mail",
        ["people"],
        postgresql_using="gin",
        postgresql_with={"fastupdate": "off"},
        postgresql_where=sa.text("body IS NOT NULL"),
    )
    op.create_index(
        "ix_mail_of_anybody", "mail", ["id"], postgresql_where=sa.text(_ANYBODY)
    )


def downgrade() -> None:
    op.drop_index("ix_mail_of_anybody", "mail")
    op.drop_index("ix_mail_people", "mail")
    op.drop_column("mail", "people")
    op.drop_index("ix_game_mails", "game")
    op.drop_column("game", "has_mails")
