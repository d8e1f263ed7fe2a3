"""What can be asked of a game, in the imperative."""

from enum import StrEnum
from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta

from engine.board import Card, Character, PlaceKey, Seat


class Source(StrEnum):
    """Whose hand gave an answer; the words of the answer table."""

    PERSON = "person"
    STANDING = "standing"
    BOT = "bot"
    CLOCK = "clock"


class Placement(
    msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="placement"
):
    """Put a character that is not placed yet onto a floor."""

    character: Character
    place: PlaceKey


class Move(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="move"):
    """Move a character up, or out of a place aside; it has one destination at most."""

    character: Character


class Ballot(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="election"):
    """Lay a card in an election."""

    card: Card


Answer: TypeAlias = Placement | Move | Ballot


class Sealed(msgspec.Struct, frozen=True):
    """The randomness of a game: its seed, and the key drawn from it (32 bytes each)."""

    seed: bytes
    key: bytes


class PlacementOption(StrEnum):
    """How the castle fills at the start of a round."""

    CHOOSE = "choose"
    RANDOM = "random"
    COMPENSATED = "compensated"


class History(StrEnum):
    """How long revealed cards are served by name (RULES §3)."""

    TABLE = "table"
    OPEN = "open"


EXTENSIONS: Final = 3
"""How often decisions may be extended in a whole game, each of them once."""

USUAL_MISSES: Final = 3
"""After how many misses in a row a bot comes; the first games knew no other number."""

MISSES: Final = range(1, 6)
"""After how many a host may have it come."""


class Options(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the host has chosen, every default filled in.

    What came later than the first games is left out where it is as it was then: their
    bytes stay as they are.
    """

    rounds: Annotated[int, Meta(description="How many are played.")]
    placement: Annotated[
        PlacementOption,
        Meta(description="Who places the characters: the players, or chance."),
    ]
    ballot_history: Annotated[
        History,
        Meta(description="How long the cards of an election stay readable."),
    ]
    first: Annotated[
        Seat | None, Meta(description="The seat that begins; null: drawn.")
    ]
    decision_time: Annotated[
        int | None,
        Meta(description="Seconds that a decision waits for; null: for ever."),
    ]
    spare: Annotated[
        int,
        Meta(
            description="How often the time of one's decisions may be prolonged by as"
            " much again, once it is up, in a whole game."
        ),
    ] = 0
    daily_at: Annotated[
        str | None,
        Meta(description="At what time of the day decisions end (HH:MM); null: any."),
    ] = None
    zone: Annotated[
        str | None, Meta(description="The time zone of `daily_at`, as IANA names it.")
    ] = None
    misses: Annotated[
        int,
        Meta(
            description="After how many placements or moves in a row that are left to"
            " the clock a bot keeps the seat."
        ),
    ] = USUAL_MISSES
    take_back: Annotated[
        bool,
        Meta(
            description="Whether a placement or move can be taken back until anybody"
            " acts, unless it put somebody up for king; once a turn."
        ),
    ] = False


class Chair(msgspec.Struct, frozen=True):
    """Who plays a seat: a person, or a bot by its name."""

    kind: str
    bot: str | None = None


class CreateGame(msgspec.Struct, frozen=True):
    """Open a game's log: bind the service to a seed, keep the host's word."""

    seed: bytes
    word: bytes


class CloseTable(msgspec.Struct, frozen=True):
    """Settle edition, options, seats and words for good.

    Refused when the edition can't be played so.
    """

    edition: str
    options: Options
    seats: tuple[Chair, ...]
    words: tuple[bytes, ...]


class StartGame(msgspec.Struct, frozen=True):
    """Shuffle, deal and put the first decision."""

    sealed: Sealed


class GiveAnswer(msgspec.Struct, frozen=True):
    """Answer a decision for a seat."""

    decision: int
    seat: Seat
    answer: Answer
    source: Source


class ResolveElection(msgspec.Struct, frozen=True):
    """Reveal an election in which every card is in."""

    decision: int
    sealed: Sealed


class AnswerByClock(msgspec.Struct, frozen=True):
    """Give the answer of a missed deadline for everybody who is still asked."""

    decision: int
    sealed: Sealed


class SeatBot(msgspec.Struct, frozen=True):
    """Have a bot keep the seat of a person, who may come back."""

    seat: Seat
    bot: str


class SeatPerson(msgspec.Struct, frozen=True):
    """Give a seat that a bot keeps back to its person."""

    seat: Seat


class PauseGame(msgspec.Struct, frozen=True):
    """Stop the clock of a running game."""


class ResumeGame(msgspec.Struct, frozen=True):
    """Let the clock of a paused game go on."""


class ExtendDecision(msgspec.Struct, frozen=True):
    """Have the open decision wait for longer, by so many seconds."""

    decision: int
    seconds: int


class TakeBack(msgspec.Struct, frozen=True):
    """Take a seat's answer to a decision back, and have it asked again."""

    decision: int
    seat: Seat


class CancelGame(msgspec.Struct, frozen=True):
    """End a game that is not over, in any phase."""

    seed: bytes


Command: TypeAlias = (
    CreateGame
    | CloseTable
    | StartGame
    | GiveAnswer
    | ResolveElection
    | AnswerByClock
    | SeatBot
    | SeatPerson
    | PauseGame
    | ResumeGame
    | ExtendDecision
    | TakeBack
    | CancelGame
)
