"""Games, their seats and seeds, and the one clock."""

from datetime import date, datetime, timedelta
from uuid import UUID

from sqlalchemy import (
    Boolean,
    Date,
    ForeignKey,
    Index,
    Integer,
    Interval,
    LargeBinary,
    SmallInteger,
    Text,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, TIMESTAMP
from sqlalchemy.orm import Mapped, mapped_column

from service.models.base import Base


class GameTable(Base):
    """A game: what the host chose, where its log stands, a snapshot of its state.

    `host_id` is null for a game that came from another instance. `status` is draft,
    inviting, running or over. `table_head` is the record's head at
    table_closed, `laid` the seats that the latest reminder named, `rematch_id` the
    table laid last for its players to meet again: called off, it counts as none. At
    `expiry_at` the host of a table that fills up is warned, or it ends if they have
    been (`expiry_warned`). `has_mails` is false once its notices and mails have been
    erased. `played_at` is when a practice game had its latest answer, as it was last
    looked at; null before. `newest_message` is the number of the latest message: none
    has it again, should that one be erased. `opened_at` is when the open decision was
    put; what it says of a game that waits for none means nothing. `paused_at` is since
    when the clock stands still, null while it goes: `deadline` is null then.
    `answered_deadline` is until when the decision before it would wait: while the game
    is paused, from its beginning or, if that is later, from `opened_at` on.
    """

    __tablename__ = "game"
    __table_args__ = (
        Index(
            "ix_game_listed",
            "status",
            "edition",
            "created_at",
            "id",
            postgresql_where=text(
                "visibility = 'listed' AND (status <> 'over' OR started_at IS NOT NULL)"
            ),
        ),
        Index(
            "ix_game_practice",
            text("coalesce(played_at, created_at)"),
            postgresql_where=text("practice"),
        ),
        Index("ix_game_draft", "created_at", postgresql_where=text("status = 'draft'")),
        Index(
            "ix_game_expiry",
            "expiry_at",
            "id",
            postgresql_where=text("status = 'inviting'"),
        ),
        Index(
            "ix_game_mails",
            "ended_at",
            postgresql_where=text("has_mails AND ended_at IS NOT NULL"),
        ),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    host_id: Mapped[UUID | None] = mapped_column(ForeignKey("person.id"), index=True)
    status: Mapped[str] = mapped_column(Text)
    edition: Mapped[str] = mapped_column(Text)
    options: Mapped[dict[str, object]] = mapped_column(JSONB)
    visibility: Mapped[str] = mapped_column(Text)
    practice: Mapped[bool] = mapped_column(Boolean)
    position: Mapped[int] = mapped_column(Integer)
    record: Mapped[int] = mapped_column(Integer)
    head: Mapped[bytes] = mapped_column(LargeBinary)
    table_head: Mapped[bytes | None] = mapped_column(LargeBinary)
    snapshot: Mapped[bytes] = mapped_column(LargeBinary)
    snapshot_format: Mapped[int] = mapped_column(SmallInteger)
    opened_at: Mapped[datetime | None] = mapped_column(TIMESTAMP(timezone=True))
    deadline: Mapped[datetime | None] = mapped_column(TIMESTAMP(timezone=True))
    paused_at: Mapped[datetime | None] = mapped_column(TIMESTAMP(timezone=True))
    answered_deadline: Mapped[datetime | None] = mapped_column(TIMESTAMP(timezone=True))
    laid: Mapped[list[int] | None] = mapped_column(ARRAY(Integer))
    created_at: Mapped[datetime] = mapped_column(
        TIMESTAMP(timezone=True), server_default=text("kingup_now()")
    )
    rematch_id: Mapped[UUID | None]
    expiry_at: Mapped[datetime | None] = mapped_column(TIMESTAMP(timezone=True))
    expiry_warned: Mapped[bool] = mapped_column(Boolean, server_default=text("false"))
    has_mails: Mapped[bool] = mapped_column(Boolean, server_default=text("true"))
    played_at: Mapped[datetime | None] = mapped_column(TIMESTAMP(timezone=True))
    newest_message: Mapped[int] = mapped_column(Integer, server_default=text("0"))
    successions: Mapped[int] = mapped_column(Integer, server_default=text("0"))
    started_at: Mapped[datetime | None] = mapped_column(TIMESTAMP(timezone=True))
    ended_at: Mapped[datetime | None] = mapped_column(TIMESTAMP(timezone=True))


class SeatTable(Base):
    """A place at the table: a person, or a bot. Numbers never change.

    `state` is invited, joined, declined or open; nobody has two seats, but for those
    they declined. `word` is the hash of the word for the shuffle, empty without one.
    `asked` is a digest of the address that the host typed for the seat, null where none
    was. `typed` is that address itself, sealed, kept until somebody is in or the table
    begins or ends. `spare_used` counts pieces of spare time, `away_days` the days for
    which the game has waited, or would have, for somebody away, and those on which a
    bot kept their seat; `away_until` is the last of them. `away_id` is the absence in
    whose name a bot was seated last, and `away_returns` tells that the person comes
    back when that is over. `pauses` counts pauses; the latest runs from `paused_since`
    to `paused_until`, null when none does. `comes_in` tells that the person beside the
    bot takes the seat at the next deal, `departed` that they have left it by their own
    wish. `successions` is the game's, in every seat, and so is `ended`: whether it is
    over. `cards_for` is whoever has ordered the seat's cards by mail, null for nobody.
    """

    __tablename__ = "seat"
    __table_args__ = (
        Index(
            "ix_seat_taken",
            "game_id",
            "person_id",
            unique=True,
            postgresql_where=text("state <> 'declined'"),
        ),
        Index("ix_seat_running", "person_id", postgresql_where=text("NOT ended")),
        Index(
            "ix_seat_returns",
            "game_id",
            "number",
            postgresql_where=text("away_returns"),
        ),
    )

    game_id: Mapped[UUID] = mapped_column(
        ForeignKey("game.id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[int] = mapped_column(
        SmallInteger, primary_key=True, autoincrement=False
    )
    person_id: Mapped[UUID | None] = mapped_column(ForeignKey("person.id"), index=True)
    bot: Mapped[str | None] = mapped_column(Text)
    name: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(Text)
    word: Mapped[bytes] = mapped_column(LargeBinary)
    asked: Mapped[bytes | None] = mapped_column(LargeBinary)
    typed: Mapped[bytes | None] = mapped_column(LargeBinary)
    spare_used: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    away_days: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    away_until: Mapped[date | None] = mapped_column(Date)
    away_id: Mapped[UUID | None]
    away_returns: Mapped[bool] = mapped_column(Boolean, server_default=text("false"))
    pauses: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    paused_since: Mapped[datetime | None] = mapped_column(TIMESTAMP(timezone=True))
    paused_until: Mapped[datetime | None] = mapped_column(TIMESTAMP(timezone=True))
    successions: Mapped[int] = mapped_column(Integer, server_default=text("0"))
    comes_in: Mapped[bool] = mapped_column(Boolean, server_default=text("false"))
    departed: Mapped[bool] = mapped_column(Boolean, server_default=text("false"))
    ended: Mapped[bool] = mapped_column(Boolean, server_default=text("false"))
    cards_for: Mapped[UUID | None]


class GameSeed(Base):
    """The seed S of a game, apart from its log; never served before game_over."""

    __tablename__ = "game_seed"

    game_id: Mapped[UUID] = mapped_column(
        ForeignKey("game.id", ondelete="CASCADE"), primary_key=True
    )
    seed: Mapped[bytes] = mapped_column(LargeBinary)


class Clock(Base):
    """The one row that kingup_now() adds to the database's clock; zero in earnest."""

    __tablename__ = "clock"

    only: Mapped[bool] = mapped_column(Boolean, primary_key=True)
    shift: Mapped[timedelta] = mapped_column(Interval)
