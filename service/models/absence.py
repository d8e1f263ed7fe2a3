"""Absences: the days on which somebody is away from all their games."""

from datetime import date, datetime
from uuid import UUID

from sqlalchemy import Date, ForeignKey, Index, Text, text
from sqlalchemy.dialects.postgresql import TIMESTAMP
from sqlalchemy.orm import Mapped, mapped_column

from service.models.base import Base


class AbsenceTable(Base):
    """Days on which somebody is away, the `first` and the `last` of them included.

    `choice` is wait or bot. `begins_at` and `ends_at` are when the first day begins and
    the last one ends, where the person lived when they announced it.
    """

    __tablename__ = "absence"
    __table_args__ = (
        Index("ix_absence_end", "ends_at"),
        Index("ix_absence_bot", "begins_at", postgresql_where=text("choice = 'bot'")),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    person_id: Mapped[UUID] = mapped_column(
        ForeignKey("person.id", ondelete="CASCADE"), index=True
    )
    first: Mapped[date] = mapped_column(Date)
    last: Mapped[date] = mapped_column(Date)
    choice: Mapped[str] = mapped_column(Text)
    begins_at: Mapped[datetime] = mapped_column(TIMESTAMP(timezone=True))
    ends_at: Mapped[datetime] = mapped_column(TIMESTAMP(timezone=True))
