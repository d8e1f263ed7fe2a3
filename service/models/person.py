"""People and the tokens their programs act with."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import Boolean, ForeignKey, Index, LargeBinary, Text, text
from sqlalchemy.dialects.postgresql import ARRAY, TIMESTAMP
from sqlalchemy.orm import Mapped, mapped_column

from service.models.base import Base


class PersonTable(Base):
    """Somebody with an address; without one, somebody who practises or was erased.

    `program` tells that a program plays for this account. `quiet_from` and `quiet_to`
    are hours of the day as HH:MM, or null; `weekends` tells that these are quiet, too.
    `free_changes` are the moments at which these three, or the zone with them, were
    changed last. `mails` says which of a game's course they want, instant or asks.
    """

    __tablename__ = "person"

    id: Mapped[UUID] = mapped_column(primary_key=True)
    address: Mapped[str | None] = mapped_column(Text)
    address_key: Mapped[str | None] = mapped_column(Text, unique=True)
    name: Mapped[str] = mapped_column(Text)
    language: Mapped[str] = mapped_column(Text, server_default="en")
    zone: Mapped[str] = mapped_column(Text, server_default="UTC")
    program: Mapped[bool] = mapped_column(Boolean, server_default=text("false"))
    quiet_from: Mapped[str | None] = mapped_column(Text)
    quiet_to: Mapped[str | None] = mapped_column(Text)
    weekends: Mapped[bool] = mapped_column(Boolean, server_default=text("false"))
    free_changes: Mapped[list[datetime]] = mapped_column(
        ARRAY(TIMESTAMP(timezone=True)), server_default=text("'{}'")
    )
    mails: Mapped[str] = mapped_column(Text, server_default="instant")
    verified_at: Mapped[datetime | None] = mapped_column(TIMESTAMP(timezone=True))
    created_at: Mapped[datetime] = mapped_column(
        TIMESTAMP(timezone=True), server_default=text("kingup_now()")
    )


class TokenTable(Base):
    """A personal access token; only its hash is kept.

    `maker_id` is the token that it was made with, which may be erased before it.
    """

    __tablename__ = "token"
    __table_args__ = tuple(
        Index(f"ix_token_{end}", end, postgresql_where=text(f"{end} IS NOT NULL"))
        for end in ("revoked_at", "expires_at")
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    token_hash: Mapped[bytes] = mapped_column(LargeBinary, unique=True)
    person_id: Mapped[UUID] = mapped_column(
        ForeignKey("person.id", ondelete="CASCADE"), index=True
    )
    name: Mapped[str] = mapped_column(Text)
    scopes: Mapped[list[str]] = mapped_column(ARRAY(Text))
    game_id: Mapped[UUID | None] = mapped_column(index=True)
    maker_id: Mapped[UUID | None]
    expires_at: Mapped[datetime | None] = mapped_column(TIMESTAMP(timezone=True))
    revoked_at: Mapped[datetime | None] = mapped_column(TIMESTAMP(timezone=True))
    last_used_at: Mapped[datetime | None] = mapped_column(TIMESTAMP(timezone=True))
    created_at: Mapped[datetime] = mapped_column(
        TIMESTAMP(timezone=True), server_default=text("kingup_now()")
    )
