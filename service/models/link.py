"""The directory of mailed links and remembered devices: from a token to its game.

Only hashes of their tokens are kept.
"""

from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, Index, Integer, LargeBinary, SmallInteger, Text, text
from sqlalchemy.dialects.postgresql import TIMESTAMP
from sqlalchemy.orm import Mapped, mapped_column

from service.models.base import Base


class LinkTable(Base):
    """What a mailed link is good for: one purpose, one person, one seat, one decision.

    `purpose` is decision, next (the decision after, on the page behind an answer),
    invitation, table (the host's page), game (a game's page),
    remember (has one browser remembered, once) or devices (ends remembered ones, and
    shows and changes when its person can't play). These two are good for a while
    alone. By unsubscribe the mails of its game end. Of reply (answers its decision) and
    reply-ask (has the open question mailed) the token stands in the address that a mail
    is answered to, and opens no page.
    """

    __tablename__ = "link"
    __table_args__ = (
        Index("ix_link_game_id_decision", "game_id", "decision"),
        Index(
            "ix_link_short_lived",
            "created_at",
            postgresql_where=text("purpose IN ('remember', 'devices')"),
        ),
    )

    token_hash: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    purpose: Mapped[str] = mapped_column(Text)
    game_id: Mapped[UUID]
    person_id: Mapped[UUID] = mapped_column(
        ForeignKey("person.id", ondelete="CASCADE"), index=True
    )
    seat: Mapped[int] = mapped_column(SmallInteger)
    decision: Mapped[int | None] = mapped_column(Integer)
    created_at: Mapped[datetime] = mapped_column(
        TIMESTAMP(timezone=True), server_default=text("kingup_now()")
    )
    used_at: Mapped[datetime | None] = mapped_column(TIMESTAMP(timezone=True))


class DeviceTable(Base):
    """A browser that may act for one seat of one game.

    It ends some time after `last_used_at`, which is exact to a day, and at `closes_at`,
    which is set once its game is over. `browser` and `system` are families' names, or
    empty. `told_at` is null until its seat's person was mailed that it is remembered.
    """

    __tablename__ = "device"
    __table_args__ = (
        Index(
            "ix_device_closes_at",
            "closes_at",
            postgresql_where=text("closes_at IS NOT NULL"),
        ),
        Index("ix_device_untold", "game_id", postgresql_where=text("told_at IS NULL")),
    )

    token_hash: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    game_id: Mapped[UUID] = mapped_column(index=True)
    person_id: Mapped[UUID] = mapped_column(
        ForeignKey("person.id", ondelete="CASCADE"), index=True
    )
    seat: Mapped[int] = mapped_column(SmallInteger)
    created_at: Mapped[datetime] = mapped_column(
        TIMESTAMP(timezone=True), server_default=text("kingup_now()")
    )
    id: Mapped[UUID] = mapped_column(
        unique=True, server_default=text("gen_random_uuid()")
    )
    browser: Mapped[str] = mapped_column(Text, server_default="")
    system: Mapped[str] = mapped_column(Text, server_default="")
    last_used_at: Mapped[datetime] = mapped_column(
        TIMESTAMP(timezone=True), server_default=text("kingup_now()"), index=True
    )
    closes_at: Mapped[datetime | None] = mapped_column(TIMESTAMP(timezone=True))
    told_at: Mapped[datetime | None] = mapped_column(TIMESTAMP(timezone=True))
