"""The one family of refusals: what is understood, but not allowed."""

from collections.abc import Mapping
from typing import ClassVar, TypeAlias

Fact: TypeAlias = str | int | None | tuple[str, ...] | tuple[int, ...]


class Refusal(Exception):
    """A command that changes nothing, with the facts that say why.

    `code` is stable and public; `facts` are told to whoever asked, and to nobody else.
    """

    code: ClassVar[str] = "refused"

    @property
    def facts(self) -> Mapping[str, Fact]:
        """The facts by name, as the one who asked may see them."""
        return dict(self.__dict__)


class GameNotRunning(Refusal):
    """The game has not started yet, or is over."""

    code = "game-not-running"

    def __init__(self, phase: str) -> None:
        super().__init__(phase)
        self.phase = phase


class AlreadyStarted(Refusal):
    """The table is closed: what was settled before the start stays settled."""

    code = "already-started"


class NoSuchDecision(Refusal):
    """No decision of this number has been put yet."""

    code = "no-such-decision"

    def __init__(self, decision: int) -> None:
        super().__init__(decision)
        self.decision = decision


class DecisionClosed(Refusal):
    """The decision is over."""

    code = "decision-closed"

    def __init__(self, decision: int) -> None:
        super().__init__(decision)
        self.decision = decision


class NotAsked(Refusal):
    """The decision is put to somebody else: to `seats`, and not to `seat`.

    An election is put to all, whoever still owes a card.
    """

    code = "not-asked"

    def __init__(self, decision: int, seat: int, seats: tuple[int, ...]) -> None:
        super().__init__(decision, seat, seats)
        self.decision = decision
        self.seat = seat
        self.seats = seats


class AlreadyAnswered(Refusal):
    """This seat has given another answer, and an answer is final (RULES §3)."""

    code = "already-answered"

    def __init__(self, decision: int) -> None:
        super().__init__(decision)
        self.decision = decision


class WrongKind(Refusal):
    """The answer is of another kind than the question (a card for a move, say)."""

    code = "wrong-kind"

    def __init__(self, asked: str) -> None:
        super().__init__(asked)
        self.asked = asked


class UnknownCharacter(Refusal):
    """The edition has no such character."""

    code = "unknown-character"

    def __init__(self, character: str) -> None:
        super().__init__(character)
        self.character = character


class NotPlaceable(Refusal):
    """The character stands in the castle already."""

    code = "already-placed"

    def __init__(self, character: str) -> None:
        super().__init__(character)
        self.character = character


class NoRoom(Refusal):
    """The place takes nobody in a placement, or nobody more."""

    code = "no-room"

    def __init__(self, place: str) -> None:
        super().__init__(place)
        self.place = place


class CannotMove(Refusal):
    """No way leads on from where the character stands, or all of them are full.

    `reason` says which: `stays` for the rest of the round, or `no-room`.
    """

    code = "cannot-move"

    def __init__(self, character: str, reason: str) -> None:
        super().__init__(character, reason)
        self.character = character
        self.reason = reason


class CardNotHeld(Refusal):
    """The hand holds no such card; told to its owner alone."""

    code = "card-not-held"

    def __init__(self, card: str) -> None:
        super().__init__(card)
        self.card = card


class ElectionNotComplete(Refusal):
    """An election is never decided before every card is in (RULES §3)."""

    code = "election-not-complete"

    def __init__(self, decision: int) -> None:
        super().__init__(decision)
        self.decision = decision


class BadTable(Refusal):
    """The edition can't be played with this number of seats or these options."""

    code = "bad-table"

    def __init__(self, option: str, value: Fact) -> None:
        super().__init__(option, value)
        self.option = option
        self.value = value


class UnreadableLog(Exception):
    """An event or snapshot of a version this process does not know.

    Not a refusal: the game waits for a process that can read it.
    """

    def __init__(self, game: str, what: str) -> None:
        super().__init__(game, what)
        self.game = game
        self.what = what
