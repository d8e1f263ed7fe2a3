"""One of two worlds: its cards, its chance and its time, which all stand still."""

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Final, cast
from uuid import UUID

import msgspec
import pytest
from flask import Flask

from engine import fairness
from engine.board import Seat
from engine.bots import BOTS, Bot
from engine.commands import Answer
from engine.deck import CARDS
from engine.state import Game
from engine.views import View
from service.store import clock, outbox
from service.store.outbox import MailKey
from service.store.transactions import transaction
from service.tables import replacements
from service.values import entropy
from tests.rig.engine import twins
from tests.rig.engine.tables import chance
from tests.rig.service import seated
from tests.rig.service.seated import Seated, run
from tests.rig.twin_tables.cases import HOURS, case
from worker.clock import absences, bots, sweeper
from worker.outgoing import delivery

NOW: Final = "2026-05-01 12:00:00+00"

MOST: Final = 100
"""Mails that are looked for at a moment."""

A_SECOND: Final = timedelta(seconds=1)
A_MOMENT: Final = timedelta(minutes=4)
A_WHILE: Final = timedelta(hours=12)
APART: Final = ("standing", "resolve")
"""What falls due in one of the worlds alone; nobody may see when."""


@contextmanager
def stopped_clock() -> Iterator[None]:
    """The database's time stands still, and goes on by `shift` alone."""
    [(honest,)] = run("SELECT pg_get_functiondef('kingup_now'::regproc)")
    run("UPDATE clock SET shift = '0'")
    run(
        "CREATE OR REPLACE FUNCTION kingup_now() RETURNS timestamptz LANGUAGE sql"
        f" STABLE AS $$SELECT timestamptz '{NOW}' + shift FROM clock$$"
    )
    try:
        yield
    finally:
        run(honest)


def without_looking(view: View, chance: random.Random) -> Answer:
    """A bot's answer that hangs on public facts alone.

    One that looks at its favourites may tell of them by how it plays, as people do.
    """
    asked, own = view.decision, view.own
    if asked is None or own is None:
        raise LookupError(view)
    whim = random.Random(f"{asked.number}/{own.seat}")
    return whim.choice([each.answer for each in own.legal])


class World:
    """A table whose chances others can't see.

    `script` says the same in both worlds, `hidden` something else in each.
    """

    def __init__(self, app: Flask, folder: Path, number: int, side: int) -> None:
        self.app = app
        self.case = case(number)
        self.script = chance(number + 3_000_000)
        self.hidden = chance(2 * number + side + 4_000_000)
        self.tally = Counter[str]()
        self.step = 0
        self.named: set[int] = set()
        self._mailbox = folder / f"{number}-{side}"
        self._number, self._side = number, side
        self._steps = itertools.count(1)
        self._drawn = -1

    def start(self, patch: pytest.MonkeyPatch) -> None:
        """Let everybody in who was asked; the first question is open."""
        self._prepare(patch)
        table = self.case
        game_id = seated.draft(
            table.seats,
            tag="+twin",
            edition=table.edition,
            placement=table.placement,
            spare=table.spare,
            misses=table.misses,
            take_back=True,
            rounds=table.rounds,
            decision_time=HOURS * 3600,
        )
        seated.confirm(game_id)
        for seat in range(1, table.seats):
            seated.accept(game_id, seat)
        self.table = Seated(game_id)
        self.viewer: UUID = seated.person_on(game_id, table.viewer)

    def _prepare(self, patch: pytest.MonkeyPatch) -> None:
        twins.handles(patch)
        deck = self._deck()
        shared = random.Random(self._number).randbytes(twins.SHARED)
        key = shared + bytes(deck)
        patch.setattr(fairness, "draw_key", lambda *_: key)
        patch.setattr(bots, "STEP_SECONDS", 0.001)
        for name in BOTS:
            patch.setitem(cast(dict[str, Bot], BOTS), name, without_looking)
        patch.setattr(entropy, "source", self._chance)
        settings = self.app.config["KINGUP"]
        own = msgspec.structs.replace(settings, mailbox=self._mailbox)
        patch.setitem(self.app.config, "KINGUP", own)

    def _chance(self, size: int) -> bytes:
        """Chance that is the same at a step, however much was drawn before it."""
        if self._drawn != self.step:
            self._drawn = self.step
            side = self._side if self.step == 0 else 0
            self._source = random.Random(f"{self._number}/{side}/{self.step}")
        return self._source.randbytes(size)

    def _deck(self) -> list[int]:
        """The deck of this world: what the viewer may know is the same in both."""
        deck = chance(self._number).sample(range(len(CARDS)), len(CARDS))
        alike = self.case.dealt_alike()
        hidden = [place for place in range(len(deck)) if place not in alike]
        dealt = self.hidden.sample([deck[place] for place in hidden], len(hidden))
        for place, card in zip(hidden, dealt, strict=True):
            deck[place] = card
        return deck

    @property
    def game(self) -> Game:
        """The state as the service reads it."""
        return self.table.game

    @property
    def is_apart(self) -> bool:
        """Whether the round is played in which the worlds differ."""
        game = self.game
        return game.running and game.round == self.case.rounds

    def people(self) -> list[Seat]:
        """The seats that no bot keeps, or plays."""
        game = self.game
        return [s for s in map(Seat, range(self.case.seats)) if not game.has_bot(s)]

    def others(self) -> list[Seat]:
        """The same without the viewer's."""
        return [seat for seat in self.people() if not self.is_viewers(seat)]

    def is_viewers(self, seat: int) -> bool:
        """Whether the viewer sits there."""
        return seated.person_on(self.table.id, seat) == self.viewer

    def waits_for(self, decision: int) -> bool:
        """Whether a decision is still open."""
        asked = self.game.decision
        return asked is not None and asked.number == decision

    def is_reminded(self, decision: int) -> bool:
        """Whether a decision has no reminder before it."""
        waiting = run(
            "SELECT count(*) FROM due WHERE game_id = :g AND decision = :d"
            " AND kind = 'reminder'",
            {"g": self.table.id, "d": decision},
        )
        return int(waiting[0][0]) == 0

    def next_step(self) -> None:
        """Whatever is drawn from now on is drawn anew."""
        self.step = next(self._steps)

    def wait(self, time: timedelta) -> None:
        """Let time pass, and the worker do what is due then."""
        # What was done just now is mailed now, and not when the time is over.
        self._post()
        time = max(time, A_SECOND)
        # A question that a standing answer may answer is mailed a little later.
        for part in (time,) if time <= A_MOMENT else (A_MOMENT, time - A_MOMENT):
            self.next_step()
            clock.shift(part)
            sweeper.sweep()
            absences.sweep()
            for seat in sorted(self.named):
                replacements.step(self.table.id, seat)
            self._post()

    def wait_for_clock(self) -> None:
        """Let time pass until the clock does something that both worlds wait for."""
        [(left,)] = run(
            f"""SELECT min(claim_at) - kingup_now() FROM due
            WHERE game_id = :g AND claim_at < 'infinity' AND kind NOT IN {APART}""",
            {"g": self.table.id},
        )
        self.wait(A_WHILE if left is None else left + A_SECOND)

    def _post(self) -> None:
        """Send the viewer what is there to send; what others get is sent unread."""
        # As after each act: what is looked for without a hint is found a moment later.
        composed: list[MailKey] = []
        while more := delivery.queue(self.table.id):
            composed += more
        run(
            """UPDATE mail SET state = 'sent', settled_at = kingup_now()
            WHERE settled_at IS NULL AND person_id <> :p""",
            {"p": self.viewer},
        )
        with transaction():
            missed = outbox.missed(0, MOST)
        for key in dict.fromkeys((*composed, *missed.mails)):
            if key.person_id == self.viewer:
                delivery.deliver(key)
