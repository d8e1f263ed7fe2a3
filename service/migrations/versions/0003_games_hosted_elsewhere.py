"""Games that came from another instance have no host here."""

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.alter_column("game", "host_id", nullable=True)


def downgrade() -> None:
    # A person without an address stands in for the host, so that no game is lost.
    op.execute(
        """WITH host AS (
            INSERT INTO person (id, name) SELECT gen_random_uuid(), ''
            WHERE EXISTS (SELECT FROM game WHERE host_id IS NULL) RETURNING id)
        UPDATE game SET host_id = host.id FROM host WHERE host_id IS NULL"""
    )
    op.alter_column("game", "host_id", nullable=False)
