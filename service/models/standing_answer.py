"""What seats have said ahead of being asked."""

from uuid import UUID

from sqlalchemy import ForeignKey, LargeBinary, SmallInteger, Text
from sqlalchemy.orm import Mapped, mapped_column

from service.models.base import Base


class StandingAnswerTable(Base):
    """What a seat wants done when it is asked a question of a kind, in one round.

    `wishes` is JSON. It is as secret as a hand.
    """

    __tablename__ = "standing_answer"

    game_id: Mapped[UUID] = mapped_column(
        ForeignKey("game.id", ondelete="CASCADE"), primary_key=True
    )
    seat: Mapped[int] = mapped_column(
        SmallInteger, primary_key=True, autoincrement=False
    )
    kind: Mapped[str] = mapped_column(Text, primary_key=True)
    person_id: Mapped[UUID] = mapped_column(
        ForeignKey("person.id", ondelete="CASCADE"), index=True
    )
    round: Mapped[int] = mapped_column(SmallInteger)
    wishes: Mapped[bytes] = mapped_column(LargeBinary)
