"""Rematches, indexes by which old games are erased, and bots' turns apart."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_BOT = sa.text("kind = 'bot'")
_OTHER = sa.text("kind <> 'bot'")


def upgrade() -> None:
    op.add_column("game", sa.Column("rematch_of", sa.Uuid(), nullable=True))
    op.create_foreign_key(
        op.f("fk_game_rematch_of"),
        "game",
        "game",
        ["rematch_of"],
        ["id"],
        ondelete="SET NULL",
    )
    op.create_unique_constraint(op.f("uq_game_rematch_of"), "game", ["rematch_of"])
    for name, only in (("practice", "practice"), ("draft", "status = 'draft'")):
        op.create_index(
            f"ix_game_{name}", "game", ["created_at"], postgresql_where=sa.text(only)
        )
    op.create_index(op.f("ix_link_person_id"), "link", ["person_id"])
    op.create_index(op.f("ix_device_person_id"), "device", ["person_id"])
    op.create_index(op.f("ix_token_game_id"), "token", ["game_id"])
    op.create_index("ix_due_bots", "due", ["claim_at"], postgresql_where=_BOT)
    op.create_index("ix_due_others", "due", ["claim_at"], postgresql_where=_OTHER)
    op.drop_index(op.f("ix_due_claim_at"), table_name="due")


def downgrade() -> None:
    op.create_index(op.f("ix_due_claim_at"), "due", ["claim_at"])
    op.drop_index("ix_due_others", table_name="due")
    op.drop_index("ix_due_bots", table_name="due")
    op.drop_index(op.f("ix_token_game_id"), table_name="token")
    op.drop_index(op.f("ix_device_person_id"), table_name="device")
    op.drop_index(op.f("ix_link_person_id"), table_name="link")
    op.drop_index("ix_game_draft", table_name="game")
    op.drop_index("ix_game_practice", table_name="game")
    op.drop_constraint(op.f("uq_game_rematch_of"), "game", type_="unique")
    op.drop_constraint(op.f("fk_game_rematch_of"), "game", type_="foreignkey")
    op.drop_column("game", "rematch_of")
