"""The one family of refusals: what is understood, but not allowed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

Fact: TypeAlias = str | int | None | tuple[str, ...] | tuple[int, ...]


@dataclass(eq=False)
class Refusal(Exception):
    """A command that changes nothing, with the facts that say why.

    `code` is stable and public; `facts` are told to whoever asked, and to nobody else.
    """

    code: ClassVar[str] = "refused"

    @property
    def facts(self) -> Mapping[str, Fact]:
        """The facts by name, as the one who asked may see them."""
        return dict(self.__dict__)


@dataclass(eq=False)
class GameNotRunning(Refusal):
    """The game has not started yet, or is over."""

    code = "game-not-running"

    phase: str


class AlreadyStarted(Refusal):
    """The table is closed: what was settled before the start stays settled."""

    code = "already-started"


@dataclass(eq=False)
class NoSuchDecision(Refusal):
    """No decision of this number has been put yet."""

    code = "no-such-decision"

    decision: int


@dataclass(eq=False)
class DecisionClosed(Refusal):
    """The decision is over."""

    code = "decision-closed"

    decision: int


@dataclass(eq=False)
class NotAsked(Refusal):
    """The decision is put to somebody else: to `seats`, and not to `seat`.

    An election is put to all, whoever still owes a card.
    """

    code = "not-asked"

    decision: int
    seat: int
    seats: tuple[int, ...]


@dataclass(eq=False)
class AlreadyAnswered(Refusal):
    """This seat has given another answer, and an answer is final (RULES §3)."""

    code = "already-answered"

    decision: int


@dataclass(eq=False)
class WrongKind(Refusal):
    """The answer is of another kind than the question (a card for a move, say)."""

    code = "wrong-kind"

    asked: str


@dataclass(eq=False)
class UnknownCharacter(Refusal):
    """The edition has no such character."""

    code = "unknown-character"

    character: str


@dataclass(eq=False)
class NotPlaceable(Refusal):
    """The character stands in the castle already."""

    code = "already-placed"

    character: str


@dataclass(eq=False)
class NoRoom(Refusal):
    """The place takes nobody in a placement, or nobody more."""

    code = "no-room"

    place: str


@dataclass(eq=False)
class CannotMove(Refusal):
    """No way leads on from where the character stands, or all of them are full.

    `reason` says which: `stays` for the rest of the round, or `no-room`.
    """

    code = "cannot-move"

    character: str
    reason: str


@dataclass(eq=False)
class CardNotHeld(Refusal):
    """The hand holds no such card; told to its owner alone."""

    code = "card-not-held"

    card: str


@dataclass(eq=False)
class ElectionNotComplete(Refusal):
    """An election is never decided before every card is in (RULES §3)."""

    code = "election-not-complete"

    decision: int


@dataclass(eq=False)
class SeatKept(Refusal):
    """A bot plays this seat."""

    code = "seat-kept"

    seat: int


@dataclass(eq=False)
class SeatNotKept(Refusal):
    """No bot keeps this seat for somebody who could come back."""

    code = "seat-not-kept"

    seat: int


@dataclass(eq=False)
class CardsNotOpen(Refusal):
    """The cards that a seat had when a bot took it are open only after its `round`."""

    code = "cards-not-open"

    seat: int
    round: int


@dataclass(eq=False)
class GamePaused(Refusal):
    """The clock of the game stands still."""

    code = "game-paused"


@dataclass(eq=False)
class GameNotPaused(Refusal):
    """The clock of the game goes on already."""

    code = "game-not-paused"


@dataclass(eq=False)
class AlreadyExtended(Refusal):
    """The decision waits for longer already: each does so once."""

    code = "already-extended"

    decision: int


@dataclass(eq=False)
class NoExtensionLeft(Refusal):
    """As many decisions of the game as may be were extended."""

    code = "no-extension-left"

    most: int


@dataclass(eq=False)
class CannotTakeBack(Refusal):
    """What answered a decision stays.

    `reason` says why: `off` where the host chose so, `ballot` for a card laid,
    `nominated` for who was put up for king, `acted-since` when somebody has acted,
    `once` for a decision that was asked again before, `not-yours` for what another
    seat, a bot or the clock did, `not-answered` for the open decision.
    """

    code = "cannot-take-back"

    decision: int
    reason: str


@dataclass(eq=False)
class TakenBackAlready(Refusal):
    """The seat has taken its answer back: it is asked again as decision `reopened`."""

    code = "taken-back"

    decision: int
    reopened: int


@dataclass(eq=False)
class BadTable(Refusal):
    """The edition can't be played with this number of seats or these options."""

    code = "bad-table"

    option: str
    value: Fact


@dataclass(eq=False)
class UnreadableLog(Exception):
    """An event or snapshot of a version this process does not know.

    Not a refusal: the game waits for a process that can read it.
    """

    game: str
    what: str
