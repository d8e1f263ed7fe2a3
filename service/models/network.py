"""Where requests came from, as digests: what was used up there, and who signed in."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, Index, Integer, LargeBinary, SmallInteger, Text, text
from sqlalchemy.dialects.postgresql import TIMESTAMP
from sqlalchemy.orm import Mapped, mapped_column

from service.models.base import Base


class Quota(Base):
    """How much of a budget one of those who share it used in an hour.

    `bucket` is a keyed digest of a network, or of an address; no row says who asked.
    """

    __tablename__ = "quota"

    budget: Mapped[str] = mapped_column(Text, primary_key=True)
    bucket: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    hour: Mapped[datetime] = mapped_column(
        TIMESTAMP(timezone=True), primary_key=True, index=True
    )
    amount: Mapped[int] = mapped_column(Integer)


class BudgetTotal(Base):
    """How much of a budget all those used in an hour whose buckets have one `shard`."""

    __tablename__ = "budget_total"

    budget: Mapped[str] = mapped_column(Text, primary_key=True)
    hour: Mapped[datetime] = mapped_column(
        TIMESTAMP(timezone=True), primary_key=True, index=True
    )
    shard: Mapped[int] = mapped_column(
        SmallInteger, primary_key=True, autoincrement=False
    )
    amount: Mapped[int] = mapped_column(Integer)


class KnownNetwork(Base):
    """A network from which somebody has proved their mailbox.

    `digest` is a keyed one of the network and the address, so that no rows show who
    shares a network.
    """

    __tablename__ = "known_network"
    __table_args__ = (Index("ix_known_network_person_id", "person_id", "used_at"),)

    digest: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    person_id: Mapped[UUID] = mapped_column(ForeignKey("person.id", ondelete="CASCADE"))
    used_at: Mapped[datetime] = mapped_column(
        TIMESTAMP(timezone=True), server_default=text("kingup_now()"), index=True
    )
