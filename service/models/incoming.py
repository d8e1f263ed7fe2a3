"""Mails that come in: kept until they are handled, and a line for each that was."""

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
from sqlalchemy.dialects.postgresql import TIMESTAMP
from sqlalchemy.orm import Mapped, mapped_column

from service.models.base import Base


class IncomingMailTable(Base):
    """A mail as it came, until it is handled.

    `envelope` is the address it was delivered to, empty where nobody said. `signed`
    tells that a secret of ours stands in an address of it, `secret_hash` which, and
    `trusted` that its sender is proved: it was written on this machine's own mailbox
    page. It may be claimed from `claim_at` on.
    """

    __tablename__ = "incoming_mail"
    __table_args__ = (
        Index("ix_incoming_mail_signed_claim_at", "signed", "claim_at"),
        Index("ix_incoming_mail_created_at", "created_at"),
        Index("ix_incoming_mail_secret_hash", "secret_hash"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    raw: Mapped[bytes] = mapped_column(LargeBinary)
    envelope: Mapped[str] = mapped_column(Text)
    signed: Mapped[bool] = mapped_column(Boolean)
    secret_hash: Mapped[bytes | None] = mapped_column(LargeBinary)
    trusted: Mapped[bool] = mapped_column(Boolean)
    attempts: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    claim_at: Mapped[datetime] = mapped_column(
        TIMESTAMP(timezone=True), server_default=text("kingup_now()")
    )
    created_at: Mapped[datetime] = mapped_column(
        TIMESTAMP(timezone=True), server_default=text("kingup_now()")
    )


class MailJournalTable(Base):
    """A mail that was handled: when, whose seat's, of which kind, and which it was.

    `digest` is a hash of its Message-ID, or of what it said where it had none,
    `secret_hash` that of the secret it came with. Without a secret of ours it is of no
    game.
    """

    __tablename__ = "mail_journal"
    __table_args__ = (
        Index(
            "ix_mail_journal_once",
            "game_id",
            "seat",
            "digest",
            unique=True,
            postgresql_where=text("kind IN ('over', 'read')"),
        ),
        Index("ix_mail_journal_seat_at", "game_id", "seat", "at"),
        Index("ix_mail_journal_at", "at"),
        Index(
            "ix_mail_journal_stray_at",
            "at",
            postgresql_where=text("game_id IS NULL"),
        ),
    )

    id: Mapped[UUID] = mapped_column(
        primary_key=True, server_default=text("gen_random_uuid()")
    )
    game_id: Mapped[UUID | None]
    seat: Mapped[int | None] = mapped_column(SmallInteger)
    kind: Mapped[str] = mapped_column(Text)
    digest: Mapped[bytes | None] = mapped_column(LargeBinary)
    secret_hash: Mapped[bytes | None] = mapped_column(LargeBinary)
    at: Mapped[datetime] = mapped_column(
        TIMESTAMP(timezone=True), server_default=text("kingup_now()")
    )


class MailedVoteTable(Base):
    """What became of a seat's latest mail in an election, for that seat alone."""

    __tablename__ = "mailed_vote"
    __table_args__ = (Index("ix_mailed_vote_at", "at"),)

    game_id: Mapped[UUID] = mapped_column(
        ForeignKey("game.id", ondelete="CASCADE"), primary_key=True
    )
    seat: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    decision: Mapped[int] = mapped_column(Integer)
    outcome: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime] = mapped_column(
        TIMESTAMP(timezone=True), server_default=text("kingup_now()")
    )
