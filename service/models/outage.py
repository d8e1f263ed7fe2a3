"""Outages, what open decisions got back for them, and whom no miss is held against."""

from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import Boolean, ForeignKey, Index, Integer, Interval, SmallInteger, text
from sqlalchemy.dialects.postgresql import TIMESTAMP
from sqlalchemy.orm import Mapped, mapped_column

from service.models.base import Base


class OutageTable(Base):
    """A time in which nobody could answer, in the games' time.

    `credited_at` is when every game had got it back.
    """

    __tablename__ = "outage"
    __table_args__ = (Index("ix_outage_end", "ended_at"),)

    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    began_at: Mapped[datetime] = mapped_column(TIMESTAMP(timezone=True))
    ended_at: Mapped[datetime] = mapped_column(TIMESTAMP(timezone=True))
    credited_at: Mapped[datetime | None] = mapped_column(TIMESTAMP(timezone=True))


class CreditTable(Base):
    """By how much the deadline of a game's open decision was moved, and why.

    `outage` is the latest outage that it got back; `by_outages` what outages gave,
    `by_mails` what late mails did. Outages are counted from `counts_from` on, if a
    pause ended then. A row of another decision means nothing.
    """

    __tablename__ = "credit"

    game_id: Mapped[UUID] = mapped_column(
        ForeignKey("game.id", ondelete="CASCADE"), primary_key=True
    )
    decision: Mapped[int] = mapped_column(Integer)
    outage: Mapped[int] = mapped_column(Integer)
    by_outages: Mapped[timedelta] = mapped_column(Interval)
    by_mails: Mapped[timedelta] = mapped_column(Interval)
    counts_from: Mapped[datetime | None] = mapped_column(TIMESTAMP(timezone=True))


class ExcusedTable(Base):
    """An answer of the clock that counts as nobody's miss; `ballot` tells of what kind.

    `bounced` are those of an address that bounces: they count from some number on.
    It is for nobody to see: in an election it would tell who had laid no card.
    """

    __tablename__ = "excused"

    game_id: Mapped[UUID] = mapped_column(
        ForeignKey("game.id", ondelete="CASCADE"), primary_key=True
    )
    decision: Mapped[int] = mapped_column(
        Integer, primary_key=True, autoincrement=False
    )
    seat: Mapped[int] = mapped_column(
        SmallInteger, primary_key=True, autoincrement=False
    )
    ballot: Mapped[bool] = mapped_column(Boolean)
    bounced: Mapped[bool] = mapped_column(Boolean, server_default=text("false"))
