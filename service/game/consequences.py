"""What follows from events: who hears of them, and what falls due when."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias
from uuid import UUID

from engine.board import Seat
from engine.events import (
    ElectionResolved,
    GameOver,
    LogEvent,
    RoundScored,
    RoundStarted,
)
from engine.state import Game, Kind
from service.store.event_log import DueRow, NoticeRow
from service.values.enums import DueKind, NoticeKind

BOT_DELAY: Final = 0.75
"""Seconds until a bot thinks; it answers a step of the worker's later, whatever is
asked and whatever it holds."""

UNWATCHED_DELAY: Final = 0.0
"""The same where bots alone play: nobody waits for them, or could read a clock."""

PACE: Final = 24 * 60 * 60
"""Seconds a decision stays open, but for practice games, which have no deadline."""

NO_SEAT: Final = -1

People: TypeAlias = Sequence[UUID | None]


def due_for(after: Game) -> tuple[DueRow, ...]:
    """What the decision that has just been put makes fall due.

    A deadline and a reminder at half its time, and a turn for each bot that is asked.
    """
    decision = after.decision
    if decision is None:
        return ()
    rows = []
    pace = after.table.decision_time
    if pace is not None:
        rows.append(DueRow(decision.number, DueKind.DEADLINE, NO_SEAT, float(pace)))
        rows.append(DueRow(decision.number, DueKind.REMINDER, NO_SEAT, pace / 2))
    rows += _turns(after, after.asked())
    return tuple(rows)


def taken_over(before: Game, after: Game) -> tuple[DueRow, ...]:
    """The turns of bots that took a seat while it owed an answer, which is still open.

    At the same delay as if the bot had been asked from the start.
    """
    new = (s for s in after.asked() if after.has_bot(s) and not before.has_bot(s))
    return tuple(_turns(after, new))


def _turns(after: Game, asked: Iterable[Seat]) -> Iterator[DueRow]:
    delay = UNWATCHED_DELAY if after.abandoned else BOT_DELAY
    for seat in asked:
        if after.has_bot(seat):
            yield DueRow(after.last_decision, DueKind.BOT, seat, delay)


def resolution_of(after: Game) -> tuple[DueRow, ...]:
    """The work that the last ballot of an election makes due at once."""
    if after.decision is None or not after.election_complete:
        return ()
    return (DueRow(after.decision.number, DueKind.RESOLVE, NO_SEAT, 0.0),)


def notices_of(
    before: Game, after: Game, events: Sequence[LogEvent], record: int, people: People
) -> tuple[NoticeRow, ...]:
    """Who hears what of events that end with record number `record`.

    Whoever is asked next hears of a result with the question, in one notice; king,
    scores and new round are one notice for all.
    """
    return tuple(
        NoticeRow(
            f"{after.id}/{record}/{kind}/{seat}", person, seat, kind, decision, record
        )
        for kind, seat, decision in _notified(before, after, events)
        if (person := people[seat]) is not None and not after.has_bot(seat)
    )


def _notified(
    before: Game, after: Game, events: Sequence[LogEvent]
) -> Iterator[tuple[NoticeKind, Seat, int | None]]:
    """Kind, seat and decision of every notice."""
    seats = [Seat(seat) for seat in range(len(after.seats))]
    for event in events:
        match event:
            case GameOver():
                yield from ((NoticeKind.GAME_OVER, seat, None) for seat in seats)
            case RoundStarted(round=1, first=first):
                yield from (
                    (NoticeKind.STARTED, seat, None) for seat in seats if seat != first
                )
            case RoundScored(round=number) if number < after.table.rounds:
                # The last round has none: its end is told with that of the game.
                yield from ((NoticeKind.ROUND_OVER, seat, None) for seat in seats)
            case ElectionResolved(next=turn, decision=number) if turn is not None:
                others = (seat for seat in seats if seat != turn)
                yield from ((NoticeKind.RESULT, seat, number) for seat in others)
            case _:
                pass
    if after.decision is not None and after.decision != before.decision:
        kind = question_of(after.decision.kind)
        yield from ((kind, seat, after.decision.number) for seat in after.asked())
    elif after.decision is not None:
        kind, number = question_of(after.decision.kind), after.decision.number
        returned = (s for s in after.asked() if before.has_bot(s))
        yield from ((kind, seat, number) for seat in returned)


def question_of(kind: Kind) -> NoticeKind:
    """The notice that puts a decision of some kind to a seat."""
    match kind:
        case Kind.ELECTION:
            return NoticeKind.ELECTION
        case Kind.PLACEMENT | Kind.MOVE:
            return NoticeKind.YOUR_TURN


def reminders_of(
    game: Game, owing: Sequence[Seat], record: int, people: People
) -> tuple[NoticeRow, ...]:
    """A reminder for everybody who still owes an answer to the open decision."""
    number = game.last_decision
    return tuple(
        NoticeRow(
            f"{game.id}/reminder/{number}/{seat}",
            person,
            seat,
            NoticeKind.REMINDER,
            number,
            record,
        )
        for seat in owing
        if (person := people[seat]) is not None and not game.has_bot(seat)
    )
