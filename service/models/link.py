"""Links in mails and remembered devices: only hashes of their tokens are kept."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, Index, Integer, LargeBinary, SmallInteger, Text, text
from sqlalchemy.dialects.postgresql import TIMESTAMP
from sqlalchemy.orm import Mapped, mapped_column

from service.models.base import Base


class Link(Base):
    """What a mailed link is good for: one purpose, one person, one seat, one decision.

    `purpose` is decision, invitation, table (the host's page) or game (a game's page).
    """

    __tablename__ = "link"
    __table_args__ = (Index("ix_link_game_id_decision", "game_id", "decision"),)

    token_hash: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    purpose: Mapped[str] = mapped_column(Text)
    game_id: Mapped[UUID] = mapped_column(ForeignKey("game.id", ondelete="CASCADE"))
    person_id: Mapped[UUID] = mapped_column(
        ForeignKey("person.id", ondelete="CASCADE"), index=True
    )
    seat: Mapped[int] = mapped_column(SmallInteger)
    decision: Mapped[int | None] = mapped_column(Integer)
    created_at: Mapped[datetime] = mapped_column(
        TIMESTAMP(timezone=True), server_default=text("kingup_now()")
    )


class Device(Base):
    """A browser that may act for one seat of one game."""

    __tablename__ = "device"

    token_hash: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    game_id: Mapped[UUID] = mapped_column(
        ForeignKey("game.id", ondelete="CASCADE"), index=True
    )
    person_id: Mapped[UUID] = mapped_column(
        ForeignKey("person.id", ondelete="CASCADE"), index=True
    )
    seat: Mapped[int] = mapped_column(SmallInteger)
    created_at: Mapped[datetime] = mapped_column(
        TIMESTAMP(timezone=True), server_default=text("kingup_now()")
    )
