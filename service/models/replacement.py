"""Somebody named for a kept seat, and whoever held a seat before."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import (
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    SmallInteger,
    Text,
    text,
)
from sqlalchemy.dialects.postgresql import TIMESTAMP
from sqlalchemy.orm import Mapped, mapped_column

from service.models.base import Base


class ReplacementTable(Base):
    """Somebody named for a seat that a bot keeps: who, and by whom, its invitation has.

    `number` orders those of a seat: whoever is named later has a higher one.
    `state` is named (others may object until `due_at`), asked (they may accept until
    `due_at`), or how it ended. `name` is what the namer called them, null once it has
    ended. `by_seat` is where the namer sat.
    """

    __tablename__ = "replacement"
    __table_args__ = (
        ForeignKeyConstraint(
            ["game_id", "invitation_id"],
            ["invitation.game_id", "invitation.id"],
            ondelete="CASCADE",
        ),
        Index("ix_replacement_number", "game_id", "seat", "number", unique=True),
        Index(
            "ix_replacement_open",
            "game_id",
            "seat",
            unique=True,
            postgresql_where=text("state IN ('named', 'asked')"),
        ),
        Index(
            "ix_replacement_due",
            "due_at",
            postgresql_where=text("state IN ('named', 'asked')"),
        ),
    )

    game_id: Mapped[UUID] = mapped_column(primary_key=True)
    invitation_id: Mapped[UUID] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(Integer)
    seat: Mapped[int] = mapped_column(SmallInteger)
    by_seat: Mapped[int] = mapped_column(SmallInteger)
    name: Mapped[str | None] = mapped_column(Text)
    state: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(
        TIMESTAMP(timezone=True), server_default=text("kingup_now()")
    )
    due_at: Mapped[datetime] = mapped_column(TIMESTAMP(timezone=True))


class FormerHolder(Base):
    """Somebody who held a seat: a person, or of an erased one a digest of the address.

    The digest is another one in each game, and goes when that is over.
    """

    __tablename__ = "former_holder"

    game_id: Mapped[UUID] = mapped_column(
        ForeignKey("game.id", ondelete="CASCADE"), primary_key=True
    )
    id: Mapped[UUID] = mapped_column(primary_key=True)
    seat: Mapped[int] = mapped_column(SmallInteger)
    person_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("person.id", ondelete="CASCADE"), index=True
    )
    digest: Mapped[bytes | None] = mapped_column(LargeBinary)
