"""Answers that are kept for requests sent again."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import Index, LargeBinary, SmallInteger, Text, Uuid, text
from sqlalchemy.dialects.postgresql import ARRAY, TIMESTAMP
from sqlalchemy.orm import Mapped, mapped_column

from service.models.base import Base


class StoredAnswerTable(Base):
    """The answer to a creating request with an Idempotency-Key, for some days.

    `principal` is whose key it is, `fingerprint` the hash of what was asked for,
    `people` whom the answer may name, `game_id` the game it leads to. The answer's
    parts are null until its transaction commits, which nobody else sees.
    """

    __tablename__ = "kept_answer"
    __table_args__ = (Index("ix_kept_answer_people", "people", postgresql_using="gin"),)

    principal: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    key: Mapped[str] = mapped_column(Text, primary_key=True)
    fingerprint: Mapped[bytes] = mapped_column(LargeBinary)
    status: Mapped[int | None] = mapped_column(SmallInteger)
    location: Mapped[str | None] = mapped_column(Text)
    body: Mapped[bytes | None] = mapped_column(LargeBinary)
    # When one of them is deleted, the answer loses its body; the row stays, so that
    # nothing it made is made again.
    people: Mapped[list[UUID]] = mapped_column(ARRAY(Uuid), server_default=text("'{}'"))
    game_id: Mapped[UUID | None] = mapped_column(index=True)
    created_at: Mapped[datetime] = mapped_column(
        TIMESTAMP(timezone=True), server_default=text("kingup_now()"), index=True
    )
