"""The deadline of a game that is held: what people lost of its time is given back.

Whoever acts on a deadline or reminder asks here first, under the game's lock, so that
none is early; a sweep asks for all the other games.
"""

from datetime import datetime, timedelta
from uuid import UUID

import msgspec

from service.game import pace
from service.store import outages
from service.store.games import Locked
from service.store.outages import Credit, Outage, Seen
from service.values.enums import DueKind


class Reckoning(msgspec.Struct, frozen=True):
    """When an open decision ends, and until when people surely could answer it."""

    deadline: datetime | None
    until: datetime

    @property
    def passed(self) -> bool:
        """Whether its time is up, and people had all of it.

        A deadline that came while no web process was there has not passed: whether
        that is an outage shows when one is back.
        """
        return self.deadline is not None and self.deadline <= self.until


def reckon(locked: Locked) -> Reckoning:
    """The deadline of a game's open decision, moved by what is still to be given back.

    Each outage counts once, and only for a decision that was open in it. Without a
    decision, or a deadline, nothing is moved: while a game is paused it has none.
    """
    asked, deadline = locked.game.decision, locked.deadline
    if asked is None or deadline is None:
        return Reckoning(deadline, locked.now)
    seen = outages.seen(UUID(locked.game.id), asked.number)
    for outage in seen.outages:
        credit = _credit(locked, deadline, seen, outage)
        outages.credit(credit)
        deadline = credit.deadline
        seen = msgspec.structs.replace(seen, away=credit.away)
    alive = locked.now if seen.alive_at is None else seen.alive_at
    return Reckoning(deadline, min(locked.now, alive))


def _credit(locked: Locked, deadline: datetime, seen: Seen, outage: Outage) -> Credit:
    """What one outage moves a deadline by: nothing if that had passed before it."""
    began = max(outage.began_at, seen.since or outage.began_at)
    later = deadline
    if deadline > began:
        moments, end = {DueKind.DEADLINE: deadline}, outage.ended_at
        later = pace.gone_on(locked.game.table, moments, began, end)[DueKind.DEADLINE]
    moved: timedelta = later - deadline
    return Credit(
        game_id=UUID(locked.game.id),
        decision=locked.game.last_decision,
        deadline=later,
        by=moved,
        since=began,
        outage=outage.number,
        away=seen.away + moved,
        mail=seen.mail,
    )
