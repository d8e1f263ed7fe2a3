"""Proposals to a table, which need that all agree who play a seat: to call it off.

With them whoever will be back by themselves, while a bot keeps their seat. One is open
at a time, and each seat has two in a game, so a player can have the others asked twice
at most. Silence is no consent: what not all have agreed to in three days has lapsed,
and a single No ends it at once.
"""

from collections.abc import Collection
from typing import Final
from uuid import UUID

from engine.board import Seat
from engine.commands import CancelGame
from engine.events import BotSeated
from engine.state import Game
from service.game import consequences, pace
from service.game.unit_of_work import UnitOfWork
from service.store import event_log, proposals, seats
from service.store.proposals import Proposal
from service.values.conflicts import NoProposalLeft, ProposalClosed, ProposalOpen
from service.values.enums import ProposalKind, ProposalState
from service.values.errors import NotFound

MOST: Final = 2
"""How many proposals a seat may make in a game."""


def propose(work: UnitOfWork) -> Proposal:
    """Propose to call the game off: whoever does agrees, and the others are told.

    Raises GameNotRunning, SeatKept, ProposalOpen or NoProposalLeft.
    """
    seat, now, game_id = work.player(), work.locked.now, UUID(work.game.id)
    latest = _latest(work)
    if latest is not None and latest.state is ProposalState.OPEN:
        raise ProposalOpen(proposal=latest.number)
    if proposals.made_by(game_id, seat) >= MOST:
        raise NoProposalLeft(most=MOST)
    made = Proposal(
        number=1 if latest is None else latest.number + 1,
        kind=ProposalKind.CANCEL,
        seat=seat,
        proposed_at=now,
        lapses_at=pace.proposal_end(now),
        agreed=(seat,),
        state=ProposalState.OPEN,
    )
    proposals.put(game_id, made)
    if not _decide(work, made):
        _tell(work, made)
    return made


def vote(work: UnitOfWork, number: int, *, agrees: bool) -> None:
    """Agree to a proposal, or end it by a No; again it does nothing.

    Raises GameNotRunning, SeatKept, NotFound or ProposalClosed.
    """
    seat, game_id = work.locked.seat, UUID(work.game.id)
    found = proposals.numbered(game_id, number)
    if found is None:
        raise NotFound(what="proposal")
    if _has_become(found, agrees=agrees):
        return
    seat, latest = _voter(work), _latest(work)
    if latest is None or latest.number != number or latest.is_closed:
        state = found.state if found.is_closed else ProposalState.LAPSED
        raise ProposalClosed(state=state.value)
    if not agrees:
        proposals.close(game_id, number, ProposalState.REFUSED)
    elif seat not in found.agreed:
        proposals.agree(game_id, number, seat)
        _decide(work, proposals.numbered(game_id, number))


def let_lapse(work: UnitOfWork) -> None:
    """End what not all have agreed to in time."""
    _latest(work)


def judge(work: UnitOfWork) -> None:
    """See whether all who are left agree, where this write has somebody leave.

    What they agreed to counts no more, should somebody come back to their seat.
    """
    bots = {event.seat for event in work.events if isinstance(event, BotSeated)}
    if not bots or not work.game.running:
        return
    latest = _latest(work)
    if latest is not None and not latest.is_closed:
        part(work, bots - seats.awaited(work.game))


def part(work: UnitOfWork, gone: Collection[int]) -> None:
    """See whether all agree whom something is put to, without those who are gone."""
    if gone and work.game.running:
        proposals.withdraw(UUID(work.game.id), tuple(gone))
        _decide(work, _latest(work))


def asked(game: Game) -> frozenset[int]:
    """The seats a proposal is put to: who plays, and who will be back by themselves."""
    playing = {s for s in range(len(game.seats)) if not game.has_bot(Seat(s))}
    return seats.awaited(game) | playing


def _voter(work: UnitOfWork) -> Seat:
    """The seat of whoever acts, who is asked. Raises GameNotRunning or SeatKept."""
    seat = work.locked.seat
    if seat is None or not work.game.running or seat not in asked(work.game):
        return work.player()
    return Seat(seat)


def _latest(work: UnitOfWork) -> Proposal | None:
    """The latest proposal of a game, lapsed by now where its time is over."""
    game_id = UUID(work.game.id)
    found = proposals.latest(game_id)
    if found is None or found.is_closed or found.lapses_at > work.locked.now:
        return found
    proposals.close(game_id, found.number, ProposalState.LAPSED)
    return proposals.latest(game_id)


def _has_become(found: Proposal, *, agrees: bool) -> bool:
    """Whether a vote has nothing to change: all came as it wants."""
    return found.state is (ProposalState.AGREED if agrees else ProposalState.REFUSED)


def _decide(work: UnitOfWork, found: Proposal | None) -> bool:
    """Do what is proposed if all agree whom it is put to; whether they do.

    Where nobody is left bots play on.
    """
    if found is None or found.is_closed:
        return False
    people = asked(work.game)
    if not people or not people <= set(found.agreed):
        return False
    proposals.close(UUID(work.game.id), found.number, ProposalState.AGREED)
    work.run(CancelGame(work.locked.seed))
    return True


def _tell(work: UnitOfWork, made: Proposal) -> None:
    """Have the others hear of a proposal."""
    if work.locked.practice:
        return
    locked = work.locked
    told = consequences.proposal_notices(
        work.game,
        made.number,
        made.seat,
        locked.record,
        locked.people,
        asked(work.game),
    )
    event_log.notify(UUID(work.game.id), told)
