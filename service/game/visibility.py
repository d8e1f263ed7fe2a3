"""Who may see a game: the one rule to which pages, programs and lists are held."""

from datetime import datetime
from typing import Protocol

from service.values.enums import GameStatus, Visibility


class Looked(Protocol):
    """A game as far as it matters who may see it; `seat` is the reader's own."""

    @property
    def status(self) -> str:
        """How far it is."""

    @property
    def visibility(self) -> str:
        """For whom it is."""

    @property
    def started_at(self) -> datetime | None:
        """When it began; None for one that never did."""

    @property
    def seat(self) -> int | None:
        """The reader's seat, on which they sit or to which they are asked."""

    @property
    def beside(self) -> int | None:
        """The reader's seat where a bot keeps it for them."""


def is_shown(game: Looked) -> bool:
    """Whether a reader gets to see a game.

    A draft is its host's alone: nobody else has agreed to anything. A table that was
    called off is for those who sat at it. Whoever has declined a seat has none.
    """
    # The SQL of the lists (service/store/lists.py) says the same: a test holds it to
    # this rule.
    if game.status == GameStatus.DRAFT:
        return game.seat == 0
    at_table = game.seat is not None or game.beside is not None
    called_off = game.status == GameStatus.OVER and game.started_at is None
    if called_off or game.visibility == Visibility.PLAYERS:
        return at_table
    return True
