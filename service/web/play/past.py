"""Decisions that are over: what they asked, and what has happened since."""

from collections.abc import Sequence

import msgspec

from engine.board import Character
from engine.events import ElectionResolved, GameOver, Moved, Placed, Record
from engine.state import Kind


class PastDecision(msgspec.Struct, frozen=True):
    """What a decision asked; `kind` is None when the record doesn't tell."""

    kind: Kind | None
    nominee: Character = ""


def asked(record: Sequence[Record], decision: int) -> PastDecision:
    """What a decision asked, by the record alone."""
    for event in record:
        match event:
            case Placed(decision=number) if number == decision:
                return PastDecision(Kind.PLACEMENT)
            case Moved(decision=number) if number == decision:
                return PastDecision(Kind.MOVE)
            case Moved(election=number, character=nominee) if number == decision:
                return PastDecision(Kind.ELECTION, nominee)
            case _:
                pass
    return PastDecision(None)


def since(record: Sequence[Record], decision: int) -> tuple[Record, ...]:
    """The event that answered a decision, and all that followed it.

    A decision that was never answered ended with its game.
    """
    for at, event in enumerate(record):
        match event:
            case (
                Placed(decision=number)
                | Moved(decision=number)
                | ElectionResolved(decision=number)
            ) if number == decision:
                return tuple(record[at:])
            case _:
                pass
    return tuple(event for event in record if isinstance(event, GameOver))
