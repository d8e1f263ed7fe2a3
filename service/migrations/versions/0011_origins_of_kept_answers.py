"""No kept answer says which address it was given to."""

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forget the answers that nobody's account was asked for."""
    op.execute(
        "DELETE FROM kept_answer WHERE substring(principal FROM 1 FOR 5) = 'from '"
    )


def downgrade() -> None:
    """Nothing to go back to: they wait for nobody."""
