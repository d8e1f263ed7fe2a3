"""One word for one thing in what is given back, and which misses bounces excuse."""

import sqlalchemy as sa
from alembic import op

revision = "0045"
down_revision = "0044"
branch_labels = None
depends_on = None

_WORDS = (("away", "by_outages"), ("mail", "by_mails"), ("since", "counts_from"))


def upgrade() -> None:
    for old, new in _WORDS:
        op.alter_column("credit", old, new_column_name=new)
    # What was excused before was mostly a late worker's: it stays excused.
    no = sa.text("false")
    bounced = sa.Column("bounced", sa.Boolean(), server_default=no, nullable=False)
    op.add_column("excused", bounced)


def downgrade() -> None:
    op.drop_column("excused", "bounced")
    for old, new in _WORDS:
        op.alter_column("credit", new, new_column_name=old)
