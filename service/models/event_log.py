"""The event log and the answers: insert-only."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import (
    ForeignKey,
    Integer,
    LargeBinary,
    SmallInteger,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.dialects.postgresql import TIMESTAMP
from sqlalchemy.orm import Mapped, mapped_column

from service.models.base import Base


class EventTable(Base):
    """One event: its public bytes are chained by `link`, its secret ones are not.

    `record`, `public` and `link` are null for a ballot. `decision` is null except on
    election_resolved, so that no election is resolved twice.
    """

    __tablename__ = "event"
    __table_args__ = (
        UniqueConstraint("game_id", "record"),
        UniqueConstraint("game_id", "decision"),
    )

    game_id: Mapped[UUID] = mapped_column(
        ForeignKey("game.id", ondelete="CASCADE"), primary_key=True
    )
    position: Mapped[int] = mapped_column(
        Integer, primary_key=True, autoincrement=False
    )
    record: Mapped[int | None] = mapped_column(Integer)
    type: Mapped[str] = mapped_column(Text)
    version: Mapped[int] = mapped_column(SmallInteger)
    decision: Mapped[int | None] = mapped_column(Integer)
    public: Mapped[bytes | None] = mapped_column(LargeBinary)
    secret: Mapped[bytes | None] = mapped_column(LargeBinary)
    link: Mapped[bytes | None] = mapped_column(LargeBinary)
    recorded_at: Mapped[datetime] = mapped_column(
        TIMESTAMP(timezone=True), server_default=text("kingup_now()")
    )


class AnswerTable(Base):
    """A seat's one answer to a decision, and the receipt it got.

    `reopened` is the decision that was put again because this one was taken back.
    `wished` is the card that a standing answer named and the seat didn't hold.
    """

    __tablename__ = "answer"

    game_id: Mapped[UUID] = mapped_column(
        ForeignKey("game.id", ondelete="CASCADE"), primary_key=True
    )
    decision: Mapped[int] = mapped_column(
        Integer, primary_key=True, autoincrement=False
    )
    seat: Mapped[int] = mapped_column(
        SmallInteger, primary_key=True, autoincrement=False
    )
    source: Mapped[str] = mapped_column(Text)
    answer: Mapped[bytes] = mapped_column(LargeBinary)
    receipt: Mapped[bytes] = mapped_column(LargeBinary)
    reopened: Mapped[int | None] = mapped_column(Integer)
    wished: Mapped[str | None] = mapped_column(Text)
