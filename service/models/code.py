"""Codes in mails: only hashes of them are kept."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import (
    Boolean,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    SmallInteger,
    Text,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, TIMESTAMP
from sqlalchemy.orm import Mapped, mapped_column

from service.models.base import Base


class MailedCode(Base):
    """A code that proves its reader has a mailbox, and the mail that brings it.

    It is good for a while, and once.

    `kind` is sign_in, old_address or new_address. `code_hash` is null until the mail is
    rendered. `counted` is false for one that a cap of its address keeps from being
    mailed; the others count, mailed or not. `person_id` is null for somebody who signs
    in and isn't known. `network` is a keyed hash of where it was asked for from, made
    for this address alone, and null in rows from before it was counted. `share` is what
    it counts into: anyone, owner or member. `scopes`, `game_id` and `expires_in` are
    what its mail says that a token by it is good for; null: as much as there may be.
    `token_id` is that token, once there is one.

    `mail_id` is what the mail is called where it is listed: its reader isn't to learn
    the code's own number. The rest is as in `MailTable`.
    """

    __tablename__ = "mailed_code"
    __table_args__ = (
        Index("ix_mailed_code_address_key_created_at", "address_key", "created_at"),
        Index(
            "ix_mailed_code_claim_at",
            "claim_at",
            postgresql_where=text("settled_at IS NULL"),
        ),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(Text)
    address: Mapped[str] = mapped_column(Text)
    address_key: Mapped[str] = mapped_column(Text)
    person_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("person.id", ondelete="CASCADE"), index=True
    )
    code_hash: Mapped[bytes | None] = mapped_column(LargeBinary)
    tries: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    network: Mapped[bytes | None] = mapped_column(LargeBinary)
    share: Mapped[str] = mapped_column(Text, server_default="anyone")
    counted: Mapped[bool] = mapped_column(Boolean)
    mail_id: Mapped[UUID]
    message_id: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(Text)
    body: Mapped[bytes | None] = mapped_column(LargeBinary)
    accepted_maybe: Mapped[bool] = mapped_column(Boolean, server_default=text("false"))
    attempts: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    claim_at: Mapped[datetime] = mapped_column(
        TIMESTAMP(timezone=True), server_default=text("kingup_now()")
    )
    error: Mapped[str | None] = mapped_column(Text)
    settled_at: Mapped[datetime | None] = mapped_column(TIMESTAMP(timezone=True))
    created_at: Mapped[datetime] = mapped_column(
        TIMESTAMP(timezone=True), server_default=text("kingup_now()"), index=True
    )
    expires_at: Mapped[datetime] = mapped_column(TIMESTAMP(timezone=True))
    used_at: Mapped[datetime | None] = mapped_column(TIMESTAMP(timezone=True))
    scopes: Mapped[list[str] | None] = mapped_column(ARRAY(Text))
    # The game needn't be there: whoever asks for a code must not learn it by that.
    game_id: Mapped[UUID | None]
    expires_in: Mapped[int | None] = mapped_column(Integer)
    token_id: Mapped[UUID | None]
