"""Who plays a seat: a bot keeps it for whoever leaves it, or lets too much pass."""

from typing import Final
from uuid import UUID

from engine.board import Seat
from engine.commands import SeatBot, SeatPerson
from engine.errors import GameNotRunning
from engine.events import ActedBy, Moved, Placed, RoundScored, RoundStarted
from service.game import agreements
from service.game.unit_of_work import UnitOfWork
from service.store import excuses, seats

KEEPER: Final = "steady"
"""The bot that keeps seats. Until the next deal it sees nothing of the person's."""


def judge(work: UnitOfWork) -> None:
    """Seat a bot for whoever has let too much pass, in the write that shows it.

    That is as many placements and moves in a row as the host has chosen; at the end of
    a round, as many answers in a row, ballots among them. What is excused counts not.
    """
    if not work.game.running:
        return
    # Ballots count at the end of a round alone: a bot that came any earlier because
    # of one would tell that the clock had laid it.
    ballots = any(isinstance(event, RoundScored) for event in work.events)
    most = work.game.table.misses
    for seat, count in enumerate(_counts(work, ballots=ballots)):
        if count < most or work.game.has_bot(Seat(seat)):
            continue
        if count - _excused(work, seat, ballots=ballots) >= most:
            lose(work, Seat(seat))


def _excused(work: UnitOfWork, seat: int, *, ballots: bool) -> int:
    """How many of a seat's misses in a row are nobody's.

    Of an address that bounces as many as the game allows, and no more.
    """
    most = work.game.table.misses
    return excuses.latest(UUID(work.game.id), seat, most, ballots=ballots)


def _counts(work: UnitOfWork, *, ballots: bool) -> tuple[int, ...]:
    """By seat, what the write lets count; nothing where it has nobody's miss in it."""
    if ballots:
        return work.game.unanswered
    late = (
        isinstance(event, Placed | Moved) and event.by == ActedBy.CLOCK
        for event in work.events
    )
    return work.game.missed if any(late) else ()


def seat_bot(work: UnitOfWork, seat: Seat) -> bool:
    """Let a bot keep a seat that a person plays; whether none did before.

    Raises GameNotRunning before the start and after the end.
    """
    if not work.game.running:
        raise GameNotRunning(work.game.phase)
    if work.game.has_bot(seat):
        return False
    work.run(SeatBot(seat, KEEPER))
    excuses.forget(UUID(work.game.id), seat)
    return True


def lose(work: UnitOfWork, seat: Seat) -> None:
    """Let a bot keep the seat of somebody who hasn't asked for it, and mail them so.

    Does nothing where a bot plays. Raises what `seat_bot` raises.
    """
    if not work.game.has_bot(seat):
        seat_bot(work, seat)
        work.lose(seat)


def leave(work: UnitOfWork, seat: Seat) -> None:
    """Let a bot keep a seat whose person goes, and nobody come back to it by itself.

    Neither at the next deal nor after an absence: what waited for their consent waits
    no more. Raises what `seat_bot` raises.
    """
    has_come = seat_bot(work, seat)
    seats.stay_away(UUID(work.game.id), seat)
    # Of a bot that comes by this write `judge` sees to that.
    if not has_come:
        agreements.part(work, {seat})


def welcome(work: UnitOfWork) -> None:
    """Seat who waits for it, in the write that deals: they begin with a round."""
    dealt = any(isinstance(event, RoundStarted) for event in work.events)
    if not dealt or not work.game.running:
        return
    for number in seats.coming(UUID(work.game.id)):
        come_in(work, Seat(number))


def come_in(work: UnitOfWork, seat: Seat) -> None:
    """Seat whom a kept seat has gone to, if the cards are open that a bot took."""
    if work.game.running and work.game.may_return(seat):
        work.run(SeatPerson(seat))


def seat_person(work: UnitOfWork, seat: Seat) -> None:
    """Give a seat back to its person; does nothing where they play it.

    Raises GameNotRunning, or CardsNotOpen in the round in which the bot took it.
    """
    if not work.game.running:
        raise GameNotRunning(work.game.phase)
    if work.game.has_bot(seat):
        work.run(SeatPerson(seat))
