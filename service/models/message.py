"""What is said at a table, whom somebody doesn't want to read, what is reported."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import Boolean, ForeignKey, Index, Integer, SmallInteger, Text, text
from sqlalchemy.dialects.postgresql import TIMESTAMP
from sqlalchemy.orm import Mapped, mapped_column

from service.models.base import Base


class MessageTable(Base):
    """Something somebody said, for the table: a `line` of theirs, or a `phrase`.

    `decision` is the one with whose answer it came, null for a message between acts;
    `taken_back` tells that this answer was taken back.
    """

    __tablename__ = "message"
    __table_args__ = (
        Index(
            "ix_message_between_acts",
            "game_id",
            "seat",
            "said_at",
            postgresql_where=text("decision IS NULL"),
        ),
    )

    game_id: Mapped[UUID] = mapped_column(
        ForeignKey("game.id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    seat: Mapped[int] = mapped_column(SmallInteger)
    person_id: Mapped[UUID] = mapped_column(
        ForeignKey("person.id", ondelete="CASCADE"), index=True
    )
    decision: Mapped[int | None] = mapped_column(Integer)
    line: Mapped[str | None] = mapped_column(Text)
    phrase: Mapped[str | None] = mapped_column(Text)
    taken_back: Mapped[bool] = mapped_column(Boolean, server_default=text("false"))
    said_at: Mapped[datetime] = mapped_column(
        TIMESTAMP(timezone=True), server_default=text("kingup_now()")
    )


class SealedLine(Base):
    """What somebody said with a ballot: it lies with it until the reveal."""

    __tablename__ = "sealed_line"

    game_id: Mapped[UUID] = mapped_column(
        ForeignKey("game.id", ondelete="CASCADE"), primary_key=True
    )
    decision: Mapped[int] = mapped_column(
        Integer, primary_key=True, autoincrement=False
    )
    seat: Mapped[int] = mapped_column(
        SmallInteger, primary_key=True, autoincrement=False
    )
    person_id: Mapped[UUID] = mapped_column(
        ForeignKey("person.id", ondelete="CASCADE"), index=True
    )
    line: Mapped[str | None] = mapped_column(Text)
    phrase: Mapped[str | None] = mapped_column(Text)


class Mute(Base):
    """A seat of whose talk a person at the same table wants to read nothing.

    `through` is the number of the last message that this is about, where somebody else
    has the seat since.
    """

    __tablename__ = "mute"

    game_id: Mapped[UUID] = mapped_column(
        ForeignKey("game.id", ondelete="CASCADE"), primary_key=True
    )
    person_id: Mapped[UUID] = mapped_column(
        ForeignKey("person.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    seat: Mapped[int] = mapped_column(
        SmallInteger, primary_key=True, autoincrement=False
    )
    through: Mapped[int | None] = mapped_column(Integer)


class ReportTable(Base):
    """A message that a person at its table has reported to who runs the instance."""

    __tablename__ = "report"

    game_id: Mapped[UUID] = mapped_column(
        ForeignKey("game.id", ondelete="CASCADE"), primary_key=True
    )
    message: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    person_id: Mapped[UUID] = mapped_column(
        ForeignKey("person.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    created_at: Mapped[datetime] = mapped_column(
        TIMESTAMP(timezone=True), server_default=text("kingup_now()"), index=True
    )
