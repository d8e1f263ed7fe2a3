"""What can be taken back: the latest placement or move, until anybody acts."""

from engine.board import Seat
from engine.errors import CannotTakeBack, NoSuchDecision, SeatKept
from engine.events import ActedBy, Moved, Placed
from engine.state import Game


def reversible(game: Game, seat: Seat) -> int | None:
    """The decision whose answer a seat may take back now; None when there is none."""
    act = game.latest
    if act is None or not game.running or game.has_bot(seat):
        return None
    return None if _hindered(game, act, seat) else act.decision


def act_of(game: Game, decision: int, seat: Seat) -> Placed | Moved:
    """The act by which a seat answered a decision, if it may be taken back.

    Of a running game. Raises NoSuchDecision, SeatKept, or CannotTakeBack with why.
    """
    if decision > game.last_decision:
        raise NoSuchDecision(decision)
    if game.has_bot(seat):
        raise SeatKept(seat)
    act = game.latest
    if _is_election(game, decision):
        raise CannotTakeBack(decision, "ballot")
    if game.decision is not None and game.decision.number == decision:
        raise CannotTakeBack(decision, "not-answered")
    if act is None or act.decision != decision:
        raise CannotTakeBack(decision, "acted-since")
    why = _hindered(game, act, seat)
    if why:
        raise CannotTakeBack(decision, why)
    return act


def _is_election(game: Game, decision: int) -> bool:
    """Whether a decision is the open election, or one of this round's."""
    asked = game.decision
    is_open = asked is not None and asked.seat is None and asked.number == decision
    return is_open or any(each.decision == decision for each in game.elections)


def _hindered(game: Game, act: Placed | Moved, seat: Seat) -> str:
    """Why a seat can't take the latest act back; empty if it can."""
    if not game.table.take_back:
        return "off"
    if act.seat != seat or act.by != ActedBy.SEAT:
        return "not-yours"
    # What was laid since is nobody's to know, so it is no matter whether anything was.
    if isinstance(act, Moved) and act.election is not None:
        return "nominated"
    return "once" if act.decision == game.reopened else ""
