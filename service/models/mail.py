"""Notices, the mails that carry them, and addresses for which one is missed."""

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
    Uuid,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, TIMESTAMP
from sqlalchemy.orm import Mapped, mapped_column

from service.models.base import Base


class MailTable(Base):
    """One mail to one person about a game; mails that bring codes are `MailedCode`s.

    `state` is queued, claimed, sending, sent, retry, failed or superseded. `body` is
    the rendered message, the same bytes at every attempt, and null once the mail is
    settled. `people` are those it may name, null where nobody noted that.
    `newest_message` is the number up to which it tells what was said, and `record` that
    up to which it tells what happened, each null where that isn't known; `written_at`
    is when its bytes were made. `accepted_maybe` tells that an attempt got past DATA.
    It may be claimed from `claim_at` on. `return_hash` is that of the secret in the
    return path of its latest attempt, null where that has none; `bounced_at` is when it
    came back there for good.
    """

    __tablename__ = "mail"
    __table_args__ = (
        Index(
            "ix_mail_claim_at",
            "claim_at",
            postgresql_where=text("settled_at IS NULL"),
        ),
        Index("ix_mail_game_id_settled_at", "game_id", "settled_at"),
        Index("ix_mail_person_id_created_at_id", "person_id", "created_at", "id"),
        Index(
            "ix_mail_people",
            "people",
            postgresql_using="gin",
            # Else entries wait unsorted in a list that each search reads whole.
            postgresql_with={"fastupdate": "off"},
            postgresql_where=text("body IS NOT NULL"),
        ),
        Index(
            "ix_mail_return_hash",
            "return_hash",
            postgresql_where=text("return_hash IS NOT NULL"),
        ),
        Index(
            "ix_mail_bounced",
            "person_id",
            "bounced_at",
            postgresql_where=text("bounced_at IS NOT NULL"),
        ),
        Index(
            "ix_mail_of_anybody",
            "person_id",
            "id",
            postgresql_where=text("body IS NOT NULL AND people IS NULL"),
        ),
    )

    person_id: Mapped[UUID] = mapped_column(
        ForeignKey("person.id", ondelete="CASCADE"), primary_key=True
    )
    id: Mapped[UUID] = mapped_column(primary_key=True)
    game_id: Mapped[UUID]
    message_id: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(Text)
    body: Mapped[bytes | None] = mapped_column(LargeBinary)
    people: Mapped[list[UUID] | None] = mapped_column(ARRAY(Uuid))
    newest_message: Mapped[int | None] = mapped_column(Integer)
    record: Mapped[int | None] = mapped_column(Integer)
    written_at: Mapped[datetime | None] = mapped_column(TIMESTAMP(timezone=True))
    accepted_maybe: Mapped[bool] = mapped_column(Boolean, server_default=text("false"))
    attempts: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    claim_at: Mapped[datetime] = mapped_column(
        TIMESTAMP(timezone=True), server_default=text("kingup_now()")
    )
    error: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(
        TIMESTAMP(timezone=True), server_default=text("kingup_now()")
    )
    settled_at: Mapped[datetime | None] = mapped_column(TIMESTAMP(timezone=True))
    return_hash: Mapped[bytes | None] = mapped_column(LargeBinary)
    bounced_at: Mapped[datetime | None] = mapped_column(TIMESTAMP(timezone=True))


class NoticeTable(Base):
    """Something one person shall hear of; several may travel in one mail.

    `key` makes it unique in its game; `decision` is the one it asks about, `cause` the
    record number it tells of. It makes no mail before `due_at`, but goes along
    with any that has something else to tell.
    """

    __tablename__ = "notice"
    __table_args__ = (
        Index(
            "ix_notice_unmailed",
            "game_id",
            postgresql_where=text("mail_id IS NULL AND superseded_at IS NULL"),
        ),
        Index(
            "ix_notice_due",
            "due_at",
            postgresql_where=text("mail_id IS NULL AND superseded_at IS NULL"),
        ),
        Index(
            "ix_notice_invited",
            "person_id",
            "due_at",
            postgresql_where=text(
                "kind IN ('invitation', 'offered') AND superseded_at IS NULL"
            ),
        ),
        Index("ix_notice_heard", "game_id", "person_id", "cause"),
        Index(
            "ix_notice_hourly",
            "game_id",
            "person_id",
            "kind",
            "created_at",
            postgresql_where=text(
                "kind IN ('declined', 'result', 'round_over', 'replacement',"
                " 'proposal') AND mail_id IS NOT NULL AND superseded_at IS NULL"
            ),
        ),
    )

    game_id: Mapped[UUID] = mapped_column(
        ForeignKey("game.id", ondelete="CASCADE"), primary_key=True
    )
    key: Mapped[str] = mapped_column(Text, primary_key=True)
    person_id: Mapped[UUID] = mapped_column(
        ForeignKey("person.id", ondelete="CASCADE"), index=True
    )
    seat: Mapped[int] = mapped_column(SmallInteger)
    kind: Mapped[str] = mapped_column(Text)
    decision: Mapped[int | None] = mapped_column(Integer)
    cause: Mapped[int | None] = mapped_column(Integer)
    mail_id: Mapped[UUID | None]
    created_at: Mapped[datetime] = mapped_column(
        TIMESTAMP(timezone=True), server_default=text("kingup_now()")
    )
    due_at: Mapped[datetime] = mapped_column(
        TIMESTAMP(timezone=True), server_default=text("kingup_now()")
    )
    superseded_at: Mapped[datetime | None] = mapped_column(TIMESTAMP(timezone=True))


class LostMailTable(Base):
    """An address that somebody typed who misses a mail, whoever it is; for a day.

    `times` is how often since `first_at`. The worker looks from `claim_at` on who has
    it, and then sets `settled_at`.
    """

    __tablename__ = "lost_mail"
    __table_args__ = (
        Index(
            "ix_lost_mail_claim_at",
            "claim_at",
            postgresql_where=text("settled_at IS NULL"),
        ),
        Index("ix_lost_mail_first_at", "first_at"),
    )

    address_key: Mapped[str] = mapped_column(Text, primary_key=True)
    first_at: Mapped[datetime] = mapped_column(
        TIMESTAMP(timezone=True), server_default=text("kingup_now()")
    )
    asked_at: Mapped[datetime] = mapped_column(
        TIMESTAMP(timezone=True), server_default=text("kingup_now()")
    )
    times: Mapped[int] = mapped_column(SmallInteger, server_default="1")
    attempts: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    claim_at: Mapped[datetime] = mapped_column(
        TIMESTAMP(timezone=True), server_default=text("kingup_now()")
    )
    settled_at: Mapped[datetime | None] = mapped_column(TIMESTAMP(timezone=True))
