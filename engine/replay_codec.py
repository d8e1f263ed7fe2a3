"""What the state takes of stored events, so that a replay reads no more than that."""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from engine import events
from engine.board import Character, PlaceKey, Seat, Verdict
from engine.deck import CardNumber
from engine.events import Event, LogEvent, Stored


class ReplayedElection(Event, frozen=True, tag="election_resolved"):
    """An election resolved, without what proves it, and without cards."""

    decision: int
    mover: Seat
    next: Seat | None
    nominee: Character
    to: PlaceKey
    verdict: Verdict


class Score(Event, frozen=True, tag="round_scored"):
    """A round scored, without what proves it, and without ballots."""

    bonus: tuple[int, ...]
    favourites: tuple[CardNumber, ...]
    points: tuple[int, ...]
    round: int
    totals: tuple[int, ...]


ReplayEvent: TypeAlias = LogEvent | ReplayedElection | Score
"""What changes a state: an event, or what the state takes of it."""

_BY_TYPE: Mapping[str, Callable[[bytes], ReplayEvent]] = {
    **events.WHOLE,
    **events.readers((ReplayedElection, Score)),
}


def read(game: str, rows: Iterable[Stored]) -> list[ReplayEvent]:
    """The events of the rows of a log, for a replay.

    Raises UnreadableLog for what it doesn't know, as `events.read_rows`.
    """
    return events.read_rows(game, rows, _BY_TYPE)
