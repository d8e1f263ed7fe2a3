"""What follows from events: who hears of them, and what falls due when."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Final, TypeAlias
from uuid import UUID

from engine.board import Seat
from engine.events import (
    BotSeated,
    ElectionResolved,
    GameOver,
    LogEvent,
    Moved,
    PersonSeated,
    RoundScored,
    RoundStarted,
    TakenBack,
)
from engine.state import Game, Kind
from service.game.pace import MailMoments, Pace, StandingMoments
from service.store.event_log import DueRow, NoticeRow
from service.store.standing_answers import Ahead
from service.values.enums import DueKind, NoticeKind

NO_SEAT: Final = -1

_GOES_ON: Final = (
    NoticeKind.STARTED,
    NoticeKind.YOUR_TURN,
    NoticeKind.ELECTION,
    NoticeKind.ROUND_OVER,
)
"""What the next act may answer, take back, or bring more of."""

People: TypeAlias = Sequence[UUID | None]


def due_for(
    after: Game,
    pace: Pace | None,
    soon: datetime,
    called_off_at: datetime | None = None,
) -> tuple[DueRow, ...]:
    """What the decision that has just been put makes fall due.

    Its deadline and reminders, or that the game is called off, and `soon` a turn for
    each bot that is asked.
    """
    decision = after.decision
    if decision is None:
        return ()
    moments = {} if called_off_at is None else {DueKind.CALL_OFF: called_off_at}
    if pace is not None:
        moments[DueKind.DEADLINE] = pace.deadline
        moments[DueKind.REMINDER] = pace.reminder
        if pace.last_reminder is not None:
            moments[DueKind.LAST_REMINDER] = pace.last_reminder
    of_all = [
        DueRow(decision.number, kind, NO_SEAT, at) for kind, at in moments.items()
    ]
    return (*of_all, *_turns(after, after.asked(), soon))


def taken_over(before: Game, after: Game, soon: datetime) -> tuple[DueRow, ...]:
    """The turns of bots that took a seat while it owed an answer, which is still open.

    At the same delay as if the bot had been asked from the start.
    """
    new = (s for s in after.asked() if after.has_bot(s) and not before.has_bot(s))
    return tuple(_turns(after, new, soon))


def _turns(after: Game, asked: Iterable[Seat], soon: datetime) -> Iterator[DueRow]:
    for seat in asked:
        if after.has_bot(seat):
            yield DueRow(after.last_decision, DueKind.BOT, seat, soon)


def ahead_of(
    before: Game, after: Game, events: Sequence[LogEvent], moments: StandingMoments
) -> Ahead:
    """What becomes of standing answers by events that lead from one state to another.

    Those of a round end with it, and with a game that is called off. Whoever has taken
    an act back is there to answer the same question by themself.
    """
    over = any(isinstance(event, RoundScored | GameOver) for event in events)
    decision = after.decision
    if decision == before.decision:
        decision = None
    again = any(isinstance(event, TakenBack) for event in events)
    people = (seat for seat in after.asked() if not (again or after.has_bot(seat)))
    seatings = (e.seat for e in events if isinstance(e, BotSeated | PersonSeated))
    return Ahead(
        opened=None if decision is None else decision.number,
        opened_kind=None if decision is None else decision.kind,
        round=after.round,
        may_stand=() if decision is None else tuple(people),
        stands_at=moments.stands_at,
        asks_at=moments.asks_at,
        round_ends=over,
        changed_hands=tuple(seatings),
        moved=tuple(event.seat for event in events if isinstance(event, Moved)),
    )


def resolution_of(after: Game, now: datetime) -> tuple[DueRow, ...]:
    """The work that the last ballot of an election makes due at once."""
    if after.decision is None or not after.election_complete:
        return ()
    return (DueRow(after.decision.number, DueKind.RESOLVE, NO_SEAT, now),)


def notices_of(
    before: Game,
    after: Game,
    events: Sequence[LogEvent],
    record: int,
    people: People,
    beside: Collection[int],
    mailed: MailMoments,
) -> tuple[NoticeRow, ...]:
    """Who hears what of events that end with record number `record`.

    What goes on is `mailed` from a moment on, and may be over by then.

    While a bot keeps a seat its person hears of nothing; but of the end on the seats
    `beside`, to which they might have come back until then. Whoever is asked next hears
    of a result with the question, in one notice; king, scores and new round are one
    notice for all.
    """
    return tuple(
        NoticeRow(
            f"{after.id}/{record}/{kind}/{seat}",
            person,
            seat,
            kind,
            decision,
            record,
            _due_at(kind, mailed),
        )
        for kind, seat, decision in _notified(before, after, events)
        if (person := people[seat]) is not None
        and (
            not after.has_bot(seat) or (kind is NoticeKind.GAME_OVER and seat in beside)
        )
    )


def _due_at(kind: NoticeKind, mailed: MailMoments) -> datetime | None:
    if kind is NoticeKind.RESULT:
        return mailed.result
    return mailed.goes_on if kind in _GOES_ON else None


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


def losses(
    before: Game, lost: Iterable[Seat], record: int, people: People
) -> tuple[NoticeRow, ...]:
    """What those hear who have lost their seat to a bot by a write of this number.

    With the decision that was open last: by its link they come back.
    """
    kind, decision = NoticeKind.KEPT, before.last_decision
    return tuple(
        NoticeRow(
            f"{before.id}/{record}/{kind}/{seat}", person, seat, kind, decision, record
        )
        for seat in lost
        if (person := people[seat]) is not None
    )


def cards_key(game: Game, seat: int, person_id: UUID) -> str:
    """The key of the one notice that brings somebody their cards of this round."""
    return f"{game.id}/{NoticeKind.MY_CARDS}/{game.round}/{seat}/{person_id}"


def cards_of(
    game: Game, ordered: Iterable[int], people: People
) -> tuple[NoticeRow, ...]:
    """What brings those who have ordered them the cards of their seats in this round.

    It tells nothing of what has happened, so it has no cause.
    """
    kind = NoticeKind.MY_CARDS
    return tuple(
        NoticeRow(cards_key(game, seat, person), person, seat, kind, None, None)
        for seat in ordered
        if (person := people[seat]) is not None and not game.has_bot(Seat(seat))
    )


def question_of(kind: Kind) -> NoticeKind:
    """The notice that puts a decision of some kind to a seat."""
    match kind:
        case Kind.ELECTION:
            return NoticeKind.ELECTION
        case Kind.PLACEMENT | Kind.MOVE:
            return NoticeKind.YOUR_TURN


def reminders_of(
    game: Game, owing: Sequence[Seat], record: int, people: People, which: str
) -> tuple[NoticeRow, ...]:
    """A reminder for everybody who still owes an answer to the open decision.

    `which` tells several reminders of one decision apart.
    """
    number = game.last_decision
    return tuple(
        NoticeRow(
            f"{game.id}/{which}/{number}/{seat}",
            person,
            seat,
            NoticeKind.REMINDER,
            number,
            record,
        )
        for seat in owing
        if (person := people[seat]) is not None and not game.has_bot(seat)
    )


def proposal_notices(
    game: Game,
    number: int,
    proposer: int,
    record: int,
    people: People,
    asked: Collection[int],
) -> tuple[NoticeRow, ...]:
    """A proposal for everybody it is put to, but whoever made it."""
    return tuple(
        NoticeRow(
            f"{game.id}/proposal/{number}/{seat}",
            person,
            seat,
            NoticeKind.PROPOSAL,
            None,
            record,
        )
        for seat, person in enumerate(people)
        if person is not None and seat != proposer and seat in asked
    )
