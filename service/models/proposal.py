"""Proposals to a table."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import Boolean, ForeignKey, Integer, SmallInteger, Text, text
from sqlalchemy.dialects.postgresql import ARRAY, TIMESTAMP
from sqlalchemy.orm import Mapped, mapped_column

from service.models.base import Base


class ProposalTable(Base):
    """What a seat has proposed to its table, numbered by game.

    `kind` is cancel. `state` is open, agreed, refused or lapsed; `agreed` are the seats
    that have agreed, whoever made it among them. `former` tells that somebody else has
    the seat now than who made it.
    """

    __tablename__ = "proposal"

    game_id: Mapped[UUID] = mapped_column(
        ForeignKey("game.id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[int] = mapped_column(
        SmallInteger, primary_key=True, autoincrement=False
    )
    kind: Mapped[str] = mapped_column(Text)
    seat: Mapped[int] = mapped_column(SmallInteger)
    proposed_at: Mapped[datetime] = mapped_column(TIMESTAMP(timezone=True))
    lapses_at: Mapped[datetime] = mapped_column(TIMESTAMP(timezone=True))
    agreed: Mapped[list[int]] = mapped_column(ARRAY(Integer))
    state: Mapped[str] = mapped_column(Text)
    former: Mapped[bool] = mapped_column(Boolean, server_default=text("false"))
