"""A game's course as its log tells it: what was asked when, and of whom."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import groupby, pairwise, takewhile
from typing import Any, Final, NamedTuple
from uuid import UUID

from engine import replay_codec
from engine.board import Seat
from engine.commands import Source
from engine.events import (
    ActedBy,
    BallotCast,
    BotSeated,
    Extended,
    Moved,
    Placed,
    Stored,
    TakenBack,
)
from engine.evolve import evolve
from engine.replay_codec import ReplayEvent
from engine.state import Decision, Game
from tests.rig.service.seated import run

_EVENTS: Final = """SELECT type, public, secret, version, recorded_at FROM event
    WHERE game_id = :g ORDER BY position"""

_BEGUN: Final = "SELECT id FROM game WHERE id = :g AND started_at IS NOT NULL"

_AT_ONCE: Final = timedelta(minutes=5)
"""Whatever is answered ahead, and by bots, is answered within less."""


class Answered(NamedTuple):
    """Whose hand answered a decision for a seat, and when."""

    at: datetime
    decision: int
    seat: Seat
    source: str
    ballot: bool = False


class Asked(NamedTuple):
    """A seat whose turn it became, played by a person at that moment."""

    at: datetime
    decision: int
    seat: Seat


class Kept(NamedTuple):
    """A seat that a bot took for what the clock had answered for it until then."""

    at: datetime
    seat: Seat
    misses: tuple[int, ...]
    """The decisions that the clock answered since the seat last did so itself.

    Ballots aside, or with them, whichever are more.
    """


class Course(NamedTuple):
    """What a game came to: its last state, whom it asked, and what they answered."""

    game: Game
    began_at: datetime
    ended_at: datetime
    opened: dict[int, datetime]
    reopened: frozenset[int]
    asked: tuple[Asked, ...]
    answered: tuple[Answered, ...]
    kept: tuple[Kept, ...]
    extended: dict[int, datetime]
    """Which questions to a person had a day more, and since when; not in a pause."""

    @property
    def waits(self) -> int:
        """How many decisions somebody was waited for, one after another."""
        moments = [*sorted(self.opened.values()), self.ended_at]
        return sum(end - begin > _AT_ONCE for begin, end in pairwise(moments))

    @property
    def days(self) -> float:
        """How many days it took from the first question to the end."""
        return (self.ended_at - self.began_at).total_seconds() / 86400


def has_begun(game_id: UUID) -> bool:
    """Whether a game was ever started."""
    return bool(run(_BEGUN, {"g": game_id}))


def read(game_id: UUID) -> Course:
    """The course of a game so far. Raises AssertionError before its start."""
    before = Game(str(game_id))
    asked: list[Asked] = []
    answered: list[Answered] = []
    kept: list[Kept] = []
    reopened: set[int] = set()
    extended: dict[int, datetime] = {}
    opened: dict[int, datetime] = {}
    for at, events in _writes(game_id):
        after = before
        for event in events:
            after = evolve(after, event)
            answered += _answer(at, event)
            if isinstance(event, TakenBack):
                reopened.add(event.reopened)
            if isinstance(event, Extended) and _suits_somebody(after):
                extended[event.decision] = at
        kept += _newly_kept(at, events, answered)
        if after.decision is not None and after.decision != before.decision:
            opened[after.decision.number] = at
        asked += _newly_asked(at, before, after)
        before = after
    assert opened, f"{game_id} has not begun"
    return Course(
        before,
        min(opened.values()),
        at,
        opened,
        frozenset(reopened),
        tuple(asked),
        tuple(answered),
        tuple(kept),
        extended,
    )


def _suits_somebody(game: Game) -> bool:
    """Whether a day more ends as suits one person, as no clock stands still."""
    asked = None if game.decision is None else game.decision.seat
    return asked is not None and not game.has_bot(asked) and not game.paused


def _writes(game_id: UUID) -> Iterator[tuple[datetime, list[ReplayEvent]]]:
    """The events of each write: those of one statement have the very same time."""
    rows: list[Any] = run(_EVENTS, {"g": game_id})
    stored = [Stored(row[0], row[1], row[2], row[3]) for row in rows]
    timed = zip(
        (row[4] for row in rows), replay_codec.read(str(game_id), stored), strict=True
    )
    for at, events in groupby(timed, key=lambda each: each[0]):
        yield at, [event for _, event in events]


def _answer(at: datetime, event: ReplayEvent) -> Iterator[Answered]:
    match event:
        case Placed(decision=decision, seat=seat, by=by):
            yield Answered(at, decision, seat, by)
        case Moved(decision=decision, seat=seat, by=by):
            yield Answered(at, decision, seat, by)
        case BallotCast(decision=decision, seat=seat, source=source):
            yield Answered(at, decision, seat, _HANDS[source], ballot=True)
        case _:
            return


_HANDS: Final = {
    Source.PERSON: ActedBy.SEAT,
    Source.STANDING: ActedBy.SEAT,
    Source.BOT: ActedBy.BOT,
    Source.CLOCK: ActedBy.CLOCK,
}


def _newly_kept(
    at: datetime, events: Sequence[ReplayEvent], answered: Sequence[Answered]
) -> Iterator[Kept]:
    """The seats that a bot took in a write by which the clock answered."""
    if not any(each.at == at and each.source == ActedBy.CLOCK for each in answered):
        return
    for event in events:
        if isinstance(event, BotSeated):
            own = [each for each in answered if each.seat == event.seat]
            acts = [each for each in own if not each.ballot]
            yield Kept(at, event.seat, max(_latest(own), _latest(acts), key=len))


def _latest(answered: Sequence[Answered]) -> tuple[int, ...]:
    """The decisions that the clock answered since anybody else did."""
    late = takewhile(lambda each: each.source == ActedBy.CLOCK, reversed(answered))
    return tuple(each.decision for each in late)


def _newly_asked(at: datetime, before: Game, after: Game) -> Iterator[Asked]:
    decision: Decision | None = after.decision
    if decision is None:
        return
    is_new = decision != before.decision
    for seat in after.asked():
        if not after.has_bot(seat) and (is_new or before.has_bot(seat)):
            yield Asked(at, decision.number, seat)
