"""What falls due: deadlines, reminders, bots' turns, elections to resolve."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import (
    ForeignKey,
    Index,
    Integer,
    SmallInteger,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.dialects.postgresql import TIMESTAMP
from sqlalchemy.orm import Mapped, mapped_column

from service.models.base import Base


class DueTable(Base):
    """One thing due for one decision; gone when it is done or the decision is over.

    `kind` is deadline, reminder, bot or resolve; `seat` is -1 where no seat is meant.
    A row may be claimed from `claim_at` on, at first its `due_at`; whoever claims it
    pushes that into the future, so that a row whose sweeper died comes back.
    """

    __tablename__ = "due"
    __table_args__ = (
        UniqueConstraint("game_id", "decision", "kind", "seat"),
        # Bots never stand in the way of what people wait for.
        Index("ix_due_bots", "claim_at", postgresql_where=text("kind = 'bot'")),
        Index("ix_due_others", "claim_at", postgresql_where=text("kind <> 'bot'")),
    )

    id: Mapped[UUID] = mapped_column(
        primary_key=True, server_default=text("gen_random_uuid()")
    )
    game_id: Mapped[UUID] = mapped_column(ForeignKey("game.id", ondelete="CASCADE"))
    decision: Mapped[int] = mapped_column(Integer)
    kind: Mapped[str] = mapped_column(Text)
    seat: Mapped[int] = mapped_column(SmallInteger)
    due_at: Mapped[datetime] = mapped_column(TIMESTAMP(timezone=True))
    claim_at: Mapped[datetime] = mapped_column(TIMESTAMP(timezone=True))
    attempts: Mapped[int] = mapped_column(SmallInteger, server_default="0")
