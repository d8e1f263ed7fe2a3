"""What falls due: deadlines, reminders, bots' turns, elections to resolve."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, Index, Integer, SmallInteger, Text, text
from sqlalchemy.dialects.postgresql import TIMESTAMP
from sqlalchemy.orm import Mapped, mapped_column

from service.models.base import Base


class DueTable(Base):
    """One thing due for one decision; gone when it is done or the decision is over.

    `kind` is deadline, last_reminder, reminder, bot, standing, call_off or resolve, or,
    of no decision (0), pause_end or lapse; `seat` is -1 where no seat is meant. A row
    may be claimed from `claim_at` on, at first its `due_at`; whoever claims it pushes
    that into the future, so that a row whose sweeper died comes back. While a game's
    clock stands still, deadlines and reminders wait for ever (`claim_at` is infinite);
    their `due_at` is as it was.
    """

    __tablename__ = "due"
    __table_args__ = (
        # Bots never stand in the way of what people wait for.
        Index("ix_due_bots", "claim_at", postgresql_where=text("kind = 'bot'")),
        Index("ix_due_others", "claim_at", postgresql_where=text("kind <> 'bot'")),
    )

    game_id: Mapped[UUID] = mapped_column(
        ForeignKey("game.id", ondelete="CASCADE"), primary_key=True
    )
    decision: Mapped[int] = mapped_column(
        Integer, primary_key=True, autoincrement=False
    )
    kind: Mapped[str] = mapped_column(Text, primary_key=True)
    seat: Mapped[int] = mapped_column(
        SmallInteger, primary_key=True, autoincrement=False
    )
    due_at: Mapped[datetime] = mapped_column(TIMESTAMP(timezone=True))
    claim_at: Mapped[datetime] = mapped_column(TIMESTAMP(timezone=True))
    attempts: Mapped[int] = mapped_column(SmallInteger, server_default="0")
