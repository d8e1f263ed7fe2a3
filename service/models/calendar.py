"""Calendars: the secret addresses at which people's calendars read their questions."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, LargeBinary
from sqlalchemy.dialects.postgresql import TIMESTAMP
from sqlalchemy.orm import Mapped, mapped_column

from service.models.base import Base


class CalendarTable(Base):
    """Somebody's calendar: one at most, found by the hash of its address's secret."""

    __tablename__ = "calendar"

    person_id: Mapped[UUID] = mapped_column(
        ForeignKey("person.id", ondelete="CASCADE"), primary_key=True
    )
    token_hash: Mapped[bytes] = mapped_column(LargeBinary, unique=True)
    created_at: Mapped[datetime] = mapped_column(TIMESTAMP(timezone=True))
