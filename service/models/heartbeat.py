"""Signs of life: what the worker tells readiness of itself."""

from datetime import datetime

from sqlalchemy import Text, text
from sqlalchemy.dialects.postgresql import TIMESTAMP
from sqlalchemy.orm import Mapped, mapped_column

from service.models.base import Base


class HeartbeatTable(Base):
    """The latest word of one part, by its name: `ok`, or what is wrong with it.

    `at` is real time, not the games': our own processes are measured.
    """

    __tablename__ = "sign_of_life"

    name: Mapped[str] = mapped_column(Text, primary_key=True)
    at: Mapped[datetime] = mapped_column(
        TIMESTAMP(timezone=True), server_default=text("clock_timestamp()")
    )
    state: Mapped[str] = mapped_column(Text)
