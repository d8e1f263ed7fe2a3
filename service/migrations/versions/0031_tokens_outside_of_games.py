"""What leads from a token to a game stands outside of all games."""

from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None

_TABLES = ("link", "device", "token")


def upgrade() -> None:
    for table in _TABLES:
        op.drop_constraint(f"fk_{table}_game_id", table)


def downgrade() -> None:
    for table in _TABLES:
        op.execute(
            """DELETE FROM TABLE t WHERE game_id IS NOT NULL
                AND NOT EXISTS (SELECT FROM game WHERE id = t.game_id)""".replace(
                "TABLE", table
            )
        )
        op.create_foreign_key(
            op.f(f"fk_{table}_game_id"),
            table,
            "game",
            ["game_id"],
            ["id"],
            ondelete="CASCADE",
        )
