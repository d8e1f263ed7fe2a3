"""Lists, caps and what is erased are found by indexes, however many games there are."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

_OPEN = sa.text("state = 'open'")
_LISTED = sa.text(
    "visibility = 'listed' AND (status <> 'over' OR started_at IS NOT NULL)"
)
_INVITED = sa.text("kind = 'invitation' AND superseded_at IS NULL")
_NOTE_GAMES = """UPDATE kept_answer SET game_id
    = CAST(substring(location FROM '/games/([0-9a-f-]{36})') AS uuid)"""


def upgrade() -> None:
    """Make the indexes, and note which game a kept answer leads to.

    Without that note, as an older process writes it, it is kept for its days.
    """
    op.add_column("kept_answer", sa.Column("game_id", sa.Uuid(), nullable=True))
    op.execute(_NOTE_GAMES)
    op.create_index("ix_kept_answer_game_id", "kept_answer", ["game_id"])
    op.create_index(
        "ix_kept_answer_people", "kept_answer", ["people"], postgresql_using="gin"
    )
    listed = ["status", "edition", "created_at", "id"]
    op.create_index("ix_game_listed", "game", listed, postgresql_where=_LISTED)
    op.drop_index("ix_game_created_at_id", "game")
    for end in ("revoked_at", "expires_at"):
        there = sa.text(f"{end} IS NOT NULL")
        op.create_index(f"ix_token_{end}", "token", [end], postgresql_where=there)
    op.create_index(
        "ix_notice_invited",
        "notice",
        ["person_id", "due_at"],
        postgresql_where=_INVITED,
    )
    op.create_index(
        "ix_mail_person_id_created_at_id", "mail", ["person_id", "created_at", "id"]
    )
    op.drop_index("ix_mail_person_id", "mail")
    _upgrade_invitations()


def _upgrade_invitations() -> None:
    op.create_index(
        "ix_invitation_host_id_created_at", "invitation", ["host_id", "created_at"]
    )
    op.create_index(
        "ix_invitation_open", "invitation", ["host_id"], postgresql_where=_OPEN
    )
    op.drop_index("ix_invitation_host_id_state", "invitation")
    op.drop_index("ix_invitation_created_at", "invitation")


def downgrade() -> None:
    op.create_index("ix_invitation_created_at", "invitation", ["created_at"])
    op.create_index("ix_invitation_host_id_state", "invitation", ["host_id", "state"])
    op.drop_index("ix_invitation_open", "invitation")
    op.drop_index("ix_invitation_host_id_created_at", "invitation")
    op.create_index("ix_mail_person_id", "mail", ["person_id"])
    op.drop_index("ix_mail_person_id_created_at_id", "mail")
    op.drop_index("ix_notice_invited", "notice")
    op.drop_index("ix_token_expires_at", "token")
    op.drop_index("ix_token_revoked_at", "token")
    op.create_index("ix_game_created_at_id", "game", ["created_at", "id"])
    op.drop_index("ix_game_listed", "game")
    op.drop_index("ix_kept_answer_people", "kept_answer")
    op.drop_index("ix_kept_answer_game_id", "kept_answer")
    op.drop_column("kept_answer", "game_id")
