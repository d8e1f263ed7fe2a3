"""The deadline of a game that is held: what people lost of its time is given back.

Whoever acts on a deadline or reminder asks here first, under the game's lock, so that
none is early; a sweep asks for all the other games.
"""

from datetime import datetime, timedelta
from uuid import UUID

import msgspec

from engine.state import Kind
from service.game import pace
from service.store import late_mails, outages
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
        seen = msgspec.structs.replace(seen, by_outages=credit.by_outages)
    alive = locked.now if seen.alive_at is None else seen.alive_at
    return Reckoning(deadline, min(locked.now, alive))


def wait_for_mails(locked: Locked, found: Reckoning) -> bool:
    """Move a deadline that has come, for whoever hasn't been asked by mail in time.

    For those who owe an answer alone; returns whether it was moved.
    """
    return _make_up(locked, found, found.deadline, waiting=True)


def make_up_for_mail(locked: Locked) -> None:
    """Move the deadline of a placement or move whose question came late by mail."""
    asked, found = locked.game.decision, reckon(locked)
    # In an election it would tell that somebody had laid no card when the mail came.
    if asked is not None and asked.kind is not Kind.ELECTION:
        _make_up(locked, found, locked.now, waiting=False)


def _make_up(
    locked: Locked, found: Reckoning, due_from: datetime | None, *, waiting: bool
) -> bool:
    """Move a deadline, and what falls due from some moment on, for late mails."""
    deadline, now = found.deadline, locked.now
    if deadline is None or due_from is None:
        return False
    game_id, number = UUID(locked.game.id), locked.game.last_decision
    owing, until = locked.game.asked(), found.until
    late = late_mails.longest(game_id, number, owing, until, waiting=waiting)
    seen = outages.seen(game_id, number)
    lost = min(late, pace.most_for_mails(locked.game.table)) - seen.by_mails
    if lost <= timedelta():
        return False
    later = _gone_on(locked, deadline, now - lost, now)
    moved = later - deadline
    outages.credit(
        Credit(
            game_id=game_id,
            decision=number,
            deadline=later,
            by=moved,
            due_from=due_from,
            outage=seen.credited,
            by_outages=seen.by_outages,
            by_mails=seen.by_mails + max(moved, lost),
        )
    )
    return later > now


def _gone_on(
    locked: Locked, deadline: datetime, since: datetime, at: datetime
) -> datetime:
    """A deadline for which the clock stood still from one moment to another."""
    moments = {DueKind.DEADLINE: deadline}
    return pace.gone_on(locked.game.table, moments, since, at)[DueKind.DEADLINE]


def _credit(locked: Locked, deadline: datetime, seen: Seen, outage: Outage) -> Credit:
    """What one outage moves a deadline by: nothing if that had passed before it."""
    began = max(outage.began_at, seen.counts_from or outage.began_at)
    later = deadline
    if deadline >= began:
        later = _gone_on(locked, deadline, began, outage.ended_at)
    moved: timedelta = later - deadline
    return Credit(
        game_id=UUID(locked.game.id),
        decision=locked.game.last_decision,
        deadline=later,
        by=moved,
        due_from=began,
        outage=outage.number,
        by_outages=seen.by_outages + moved,
        by_mails=seen.by_mails,
    )
