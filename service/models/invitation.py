"""Invitations, and the addresses that want none."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, Index, LargeBinary, SmallInteger, Text, text
from sqlalchemy.dialects.postgresql import TIMESTAMP
from sqlalchemy.orm import Mapped, mapped_column

from service.models.base import Base


class InvitationTable(Base):
    """A person asked to a seat; `state` is open, accepted, declined or withdrawn.

    Somebody without an address stands for one who wants no invitations, or has a seat
    there already. `asked` is what the seat had of the typed address.
    """

    __tablename__ = "invitation"
    __table_args__ = (
        Index("ix_invitation_host_id_created_at", "host_id", "created_at"),
        Index("ix_invitation_open", "host_id", postgresql_where=text("state = 'open'")),
    )

    game_id: Mapped[UUID] = mapped_column(
        ForeignKey("game.id", ondelete="CASCADE"), primary_key=True
    )
    id: Mapped[UUID] = mapped_column(primary_key=True)
    seat: Mapped[int] = mapped_column(SmallInteger)
    host_id: Mapped[UUID] = mapped_column(ForeignKey("person.id"))
    person_id: Mapped[UUID] = mapped_column(ForeignKey("person.id"), index=True)
    asked: Mapped[bytes | None] = mapped_column(LargeBinary)
    state: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(
        TIMESTAMP(timezone=True), server_default=text("kingup_now()")
    )
    answered_at: Mapped[datetime | None] = mapped_column(TIMESTAMP(timezone=True))


class OptOut(Base):
    """An address that wants no invitation ever again, as a digest."""

    __tablename__ = "opt_out"

    digest: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    created_at: Mapped[datetime] = mapped_column(
        TIMESTAMP(timezone=True), server_default=text("kingup_now()")
    )
