"""The open question mailed anew, to whoever wants to be asked again."""

from contextlib import suppress
from uuid import UUID

import msgspec

from engine.board import Seat
from engine.errors import UnreadableLog
from engine.state import Decision, Game
from service.game import consequences, task_hints
from service.store import clock, event_log, games
from service.store.event_log import NoticeRow
from service.store.games import GameReadModel
from service.store.outbox import FRESH
from service.store.transactions import transaction
from service.values.principals import System


class Reader(msgspec.Struct, frozen=True):
    """A person on their seat."""

    person_id: UUID
    seat: int


def asked(game: Game, seat: int) -> Decision | None:
    """The decision that a seat's person is asked now, as everybody may know.

    Whether they have laid a card makes no difference. None also where a bot keeps the
    seat, whether that has laid one or not.
    """
    decision = game.decision
    if decision is None or decision.seat not in (None, seat):
        return None
    return None if game.has_bot(Seat(seat)) else decision


def mail_open(game_id: UUID, to: Reader, why: str = FRESH) -> None:
    """Mail somebody what their seat is asked now, if it is asked anything.

    Nothing of a game that only a newer process can read.
    """
    with suppress(UnreadableLog):
        seen = games.read(game_id, System())
        decision = None if seen is None else asked(seen.game, to.seat)
        if seen is not None and decision is not None:
            mail(seen, decision, to, why)


def mail(seen: GameReadModel, decision: Decision, to: Reader, why: str = FRESH) -> None:
    """Mail somebody what their seat is asked now, once an hour, at their address.

    `why` is FRESH where they ask themself, or whoever holds a link of theirs.
    """
    with transaction():
        hour = clock.now().strftime("%Y-%m-%dT%H")
        key = f"{seen.id}/{why}/{decision.number}/{to.seat}/{hour}"
        notice = NoticeRow(
            key,
            to.person_id,
            to.seat,
            consequences.question_of(decision.kind),
            decision.number,
            seen.record,
        )
        event_log.notify(seen.id, (notice,))
    task_hints.send(task_hints.FOLLOW_UP, str(seen.id))
