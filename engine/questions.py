"""What is asked behind an event: the phase, and the next decision."""

from collections.abc import Sequence

from engine.board import Seat
from engine.events import ElectionResolved, GameOver, Moved, Placed, RoundStarted
from engine.replay_codec import ReplayedElection, ReplayEvent
from engine.state import Decision, Game, Kind, Phase


def behind(
    event: ReplayEvent, game: Game, placed: Sequence[int], number: int
) -> tuple[Phase, Decision | None]:
    """The phase and the decision behind an event that changes what is asked.

    `placed` counts this round's placements by seat, up to and with the event; `number`
    is that of the latest election.
    """
    # Nearly all events are of two kinds, and `is` finds them fastest.
    if type(event) is Moved:
        if event.election is None:
            seat = Seat((event.seat + 1) % len(placed))
            return Phase.ASCENT, Decision(event.decision + 1, Kind.MOVE, seat)
        nominee, mover = event.character, event.seat
        asked = Decision(event.election, Kind.ELECTION, None, nominee, mover)
        return Phase.ASCENT, asked
    if type(event) is Placed:
        places = game.next_to_place(placed, event.seat)
        if places is None:
            return Phase.ASCENT, Decision(event.decision + 1, Kind.MOVE, game.first)
        return Phase.PLACEMENT, Decision(event.decision + 1, Kind.PLACEMENT, places)
    return _behind_turn(event, placed, number)


def _behind_turn(
    event: ReplayEvent, placed: Sequence[int], number: int
) -> tuple[Phase, Decision | None]:
    match event:
        case ReplayedElection() | ElectionResolved() if event.next is not None:
            return Phase.ASCENT, Decision(event.decision + 1, Kind.MOVE, event.next)
        case RoundStarted() if event.placed:
            return Phase.ASCENT, Decision(number + 1, Kind.MOVE, event.first)
        case RoundStarted():
            question = Decision(number + 1, Kind.PLACEMENT, event.first)
            return Phase.PLACEMENT, question
        case GameOver():
            return Phase.OVER, None
        case _:
            return (Phase.ASCENT if placed else Phase.TABLE), None
