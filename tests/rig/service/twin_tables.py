"""Two worlds of one table, played through the service itself by one script.

They are alike in what a viewer may know. What others hold is dealt otherwise, and who
lays a card when, and by whose hand, differs between the moments that tell it. Whatever
a viewer can ask for, at any time, has to be the same.
"""

import itertools
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
import pytest
from flask import Flask

from engine import fairness, legal
from engine.board import THRONE, Card, Seat
from engine.commands import Answer, Ballot, Move, PlacementOption
from engine.deck import CARDS
from engine.editions import EDITIONS
from engine.errors import Refusal
from engine.state import Game
from service.auth import bearer
from service.game import (
    acts_taken_back,
    answering_ahead,
    handlers,
    table_acts,
    talk,
)
from service.store import clock, devices, outbox, tokens
from service.store.transactions import transaction
from service.values import entropy
from service.values.errors import (
    Problem,
)
from service.values.lines import Line
from service.values.wishes import NOTHING, WishedElection, WishedMove, Wishes
from tests.rig.engine import twins
from tests.rig.engine.tables import chance
from tests.rig.service import seated
from tests.rig.service.seated import Seated, run
from worker.clock import bots, sweeper
from worker.outgoing import delivery

NOW: Final = "2026-05-01 12:00:00+00"
HOURS: Final = 8
"""How many of them a decision of these tables waits for."""

STEP: Final = timedelta(minutes=30)
DROPPED: Final = ("Date",)
"""Headers of the machine's own clock, which nothing stops."""

MOST: Final = 100
"""Games with mails, and mails, that are looked for at a moment."""

STEPS: Final = 4
"""Moments of a phase at which cards are laid, long before the next reminder."""

_UNIQUE: Final = re.compile(
    r'(?:W/)?"[^"\s]{16,}"|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[\w-]{24,}',
    re.ASCII,
)


class Differs(AssertionError):
    """A viewer saw which of the two worlds they live in."""


class Seen(NamedTuple):
    """What a viewer got, and where."""

    step: int
    where: str
    what: str


class Case(NamedTuple):
    """A table, and who looks at it."""

    edition: str
    seats: int
    placement: PlacementOption
    spare: int
    misses: int
    viewer: int


def case(number: int) -> Case:
    """The table of twins of this number."""
    dice = chance(number)
    edition = dice.choice(sorted(EDITIONS))
    seats = dice.choice(sorted(EDITIONS[edition].seats))
    return Case(
        edition=edition,
        seats=seats,
        placement=dice.choice([PlacementOption.RANDOM, PlacementOption.CHOOSE]),
        spare=dice.choice([0, 1, 2]),
        misses=dice.choice([1, 2, 3]),
        viewer=dice.randrange(seats),
    )


class Ballots(NamedTuple):
    """Who lays what in an election, before its reminder and after it.

    `last` is who lays last of the early ones, in both worlds at the same moment.
    """

    cards: dict[Seat, Card]
    early: tuple[Seat, ...]
    late: tuple[Seat, ...]
    last: Seat | None


def is_nomination(game: Game, choice: Answer) -> bool:
    """Whether an answer puts somebody up for king."""
    return isinstance(choice, Move) and game.destinations[choice.character] == THRONE


@contextmanager
def stopped_clock() -> Iterator[None]:
    """The database's time stands still, and goes on by `shift` alone."""
    [(honest,)] = run("SELECT pg_get_functiondef('kingup_now'::regproc)")
    run(
        "CREATE OR REPLACE FUNCTION kingup_now() RETURNS timestamptz LANGUAGE sql"
        f" STABLE AS $$SELECT timestamptz '{NOW}' + shift FROM clock$$"
    )
    try:
        yield
    finally:
        run(honest)


class TwinTable:
    """One world: the same script for both, with chances that others can't see."""

    def __init__(self, app: Flask, folder: Path, number: int, side: int) -> None:
        self.app = app
        self.mailbox = folder / f"{number}-{side}"
        self.case = case(number)
        self.script = chance(number + 3_000_000)
        self.hidden = chance(2 * number + side + 4_000_000)
        self.side = side
        self.number = number
        self.seen: list[Seen] = []
        self.tally = Counter[str]()
        self._names: dict[str, str] = {}
        self._cookie = ""
        self._steps = itertools.count(1)
        self._step = 0
        self._drawn = -1

    def play(self) -> Sequence[Seen]:
        """All that the viewer, and a spectator, saw of it."""
        with pytest.MonkeyPatch.context() as patch:
            self._prepare(patch)
            self.table = self._started()
            self._viewer = seated.person_on(self.table.id, self.case.viewer)
            self._token = self._issued()
            self._look()
            while self.table.game.running and self._step < MOST_STEPS:
                self._play_decision()
        return self.seen

    # What both worlds share

    def _prepare(self, patch: pytest.MonkeyPatch) -> None:
        twins.handles(patch)
        deck = self._deck()
        shared = random.Random(self.number).randbytes(twins.SHARED)
        key = shared + bytes(deck)
        patch.setattr(fairness, "draw_key", lambda *_: key)
        patch.setattr(bots, "STEP_SECONDS", 0.001)
        patch.setattr(entropy, "source", self._chance)
        settings = self.app.config["KINGUP"]
        own = msgspec.structs.replace(settings, mailbox=self.mailbox)
        patch.setitem(self.app.config, "KINGUP", own)

    def _chance(self, size: int) -> bytes:
        """Chance that is the same at a step, however much was drawn before it."""
        if self._drawn != self._step:
            self._drawn = self._step
            side = self.side if self._step == 0 else 0
            self._source = random.Random(f"{self.number}/{side}/{self._step}")
        return self._source.randbytes(size)

    def _deck(self) -> list[int]:
        """The deck of this world: the viewer's card is the same in both."""
        deck = chance(self.number).sample(range(len(CARDS)), len(CARDS))
        hidden = [place for place in range(len(deck)) if place != self.case.viewer]
        dealt = self.hidden.sample([deck[place] for place in hidden], len(hidden))
        for place, card in zip(hidden, dealt, strict=True):
            deck[place] = card
        return deck

    def _started(self) -> Seated:
        table = self.case
        game_id = seated.draft(
            table.seats,
            tag="+twin",
            edition=table.edition,
            placement=table.placement,
            spare=table.spare,
            misses=table.misses,
            take_back=True,
            rounds=1,
            decision_time=HOURS * 3600,
        )
        seated.confirm(game_id)
        for seat in range(1, table.seats):
            seated.accept(game_id, seat)
        return Seated(game_id)

    def _issued(self) -> str:
        with transaction():
            return tokens.issue(self._viewer, "twin", bearer.SCOPES, None).token

    # The script

    def _play_decision(self) -> None:
        self._next_step()
        if self.script.random() < 0.12:
            self._do_something()
        self._wish_in_vain()
        game = self.table.game
        if game.decision is None:
            return
        if game.decision.seat is None:
            self._elect(self._ballots(game))
        elif game.has_bot(game.decision.seat):
            self._wait(STEP)
        elif self.script.random() < 0.15:
            self._let_pass()
        else:
            self._answer(game, game.decision.seat)
        self._look(seldom=True)

    def _answer(self, game: Game, seat: Seat) -> None:
        self._wait(STEP)
        choice, decision = self._choice(game), self.table.decision
        if is_nomination(game, choice):
            ballots = self._ballots(game)
            self._stand(game, ballots)
            self.table.answer(seat, choice)
            self._elect(ballots)
            return
        self.table.answer(seat, choice)
        if self.script.random() < 0.1 and game.reopened != decision:
            self._look()
            proof = self.table.principals[seat]
            acts_taken_back.take_back(self.table.id, proof, decision)
            self.tally["taken back"] += 1

    def _choice(self, game: Game) -> Answer:
        free = legal.offers(game)
        moves = [answer for answer in free if isinstance(answer, Move)]
        if moves and self.script.random() < 0.8:
            return max(moves, key=lambda move: game.board.at[move.character])
        return self.script.choice(free)

    def _do_something(self) -> None:
        """Somebody leaves, talks, pauses, goes on, or asks for a day more."""
        game = self.table.game
        people = [s for s in map(Seat, range(self.case.seats)) if not game.has_bot(s)]
        others = [seat for seat in people if seat != self.case.viewer]
        if not others:
            return
        seat = self.script.choice(others)
        name, act = self.script.choice(
            [
                ("left", self._leave),
                ("said", self._say),
                ("paused", self._pause),
                ("extended", self._extend),
            ]
        )
        try:
            act(seat)
        except (Refusal, Problem):
            self.tally["refused"] += 1
        else:
            self.tally[name] += 1
        self._look()

    def _leave(self, seat: Seat) -> None:
        handlers.depart(self.table.id, self.table.holder(seat), seat)

    def _say(self, seat: Seat) -> None:
        line = Line(f"This is {seat}.", None)
        talk.say(self.table.id, self.table.holder(seat), line)

    def _pause(self, seat: Seat) -> None:
        """A pause of a day, or an end of it before."""
        holder = self.table.holder(seat)
        table_acts.pause(self.table.id, holder, 1)
        self._wait(self.script.choice([STEP, 20 * STEP]))
        self._look()
        table_acts.resume(self.table.id, holder)

    def _extend(self, seat: Seat) -> None:
        table_acts.extend(self.table.id, self.table.holder(seat), self.table.decision)

    def _wish_in_vain(self) -> None:
        """In one of the worlds somebody has a wish that can't come true."""
        game, seat = self.table.game, Seat(self.hidden.randrange(self.case.seats))
        if seat == self.case.viewer or game.has_bot(seat) or self.hidden.random() < 0.5:
            return
        wish = WishedMove(self.hidden.choice(sorted(game.law.characters)), "0")
        laid = Wishes(move=wish) if self.hidden.random() < 0.8 else NOTHING
        answering_ahead.lay(self.table.id, self.table.holder(seat), laid)

    def _let_pass(self) -> None:
        """Time passes until the decision is over, or spare time has been used."""
        asked = self.table.decision
        for _ in range(2 * HOURS * (self.case.spare + 2)):
            self._wait(STEP)
            if not self._waits_for(asked):
                break
        self.tally["let pass"] += 1

    def _waits_for(self, decision: int) -> bool:
        asked = self.table.game.decision
        return asked is not None and asked.number == decision

    def _ballots(self, game: Game) -> Ballots:
        """Who will lay what, before the reminder, after it, or not at all."""
        people = [s for s in map(Seat, range(self.case.seats)) if not game.has_bot(s)]
        cards = {seat: self._card(game, seat) for seat in people}
        early = [seat for seat in people if self.script.random() < 0.7]
        late = [seat for seat in people if seat not in early]
        if self.script.random() < 0.5:
            late = [seat for seat in late if self.script.random() < 0.5]
        last = self.script.choice(early) if early else None
        return Ballots(cards, tuple(early), tuple(late), last)

    def _stand(self, game: Game, ballots: Ballots) -> None:
        """In each world others of those who lay early have said so before."""
        for seat in ballots.early:
            usual = (Card.YES, Card.NO)
            apart = seat in (ballots.last, self.case.viewer)
            if apart or game.has_bot(seat) or ballots.cards[seat] not in usual:
                continue
            if self.hidden.random() < 0.5:
                wish = WishedElection((), ballots.cards[seat])
                holder = self.table.holder(seat)
                answering_ahead.lay(self.table.id, holder, Wishes(election=wish))
                self.tally["standing"] += 1

    def _elect(self, ballots: Ballots) -> None:
        """One election, by this plan."""
        if not self.table.game.running:
            return
        decision = self.table.decision
        self.tally["elections"] += 1
        self._wait(STEP)
        self._lay(decision, ballots.early, ballots)
        while self._waits_for(decision) and not self._is_reminded(decision):
            self._wait(STEP)
        self._look()
        self._lay(decision, ballots.late, ballots)
        while self._waits_for(decision):
            self._wait(STEP)
        self._look()
        self._drop(ballots)

    def _drop(self, ballots: Ballots) -> None:
        """Nobody's standing answers are left for the next election."""
        game = self.table.game
        for seat in ballots.early:
            if game.running and not game.has_bot(seat):
                answering_ahead.drop(self.table.id, self.table.holder(seat))

    def _is_reminded(self, decision: int) -> bool:
        waiting = run(
            "SELECT count(*) FROM due WHERE game_id = :g AND decision = :d"
            " AND kind = 'reminder'",
            {"g": self.table.id, "d": decision},
        )
        return int(waiting[0][0]) == 0

    def _card(self, game: Game, seat: Seat) -> Card:
        hand = game.hands[seat]
        return Card.YES if self.script.random() < 0.7 else self.script.choice(hand)

    def _lay(self, decision: int, seats: Sequence[Seat], ballots: Ballots) -> None:
        """Lay cards step by step, in another order in each world."""
        if not seats:
            return
        last = ballots.last
        if last is None or last not in seats:
            last = self.script.choice(seats)
        steps = {seat: self.hidden.randrange(STEPS) for seat in seats}
        steps[last] = STEPS
        if self.case.viewer in steps and last != self.case.viewer:
            steps[Seat(self.case.viewer)] = self.script.randrange(STEPS)
        order = sorted(seats, key=lambda seat: (steps[seat], self.hidden.random()))
        for step in range(STEPS + 1):
            for seat in order:
                if steps[seat] == step and self.table.game.asks(seat):
                    said = seat == last or seat in ballots.late
                    self._lay_one(decision, seat, ballots.cards[seat], said)
            self._look(seldom=True)
            self._wait(STEP / STEPS)

    def _lay_one(self, decision: int, seat: Seat, card: Card, said: bool) -> None:
        """Lay a card, with a line where it is laid by hand in both worlds."""
        line = Line(f"So says {seat}.", None) if said else None
        principal = self.table.principals[seat]
        handlers.answer(self.table.id, principal, decision, Ballot(card), line)
        self.tally["ballots"] += 1

    # Time, and what is seen

    def _next_step(self) -> None:
        self._step = next(self._steps)

    def _wait(self, time: timedelta) -> None:
        self._next_step()
        clock.shift(time)
        sweeper.sweep()
        with transaction():
            missed = outbox.missed(0, MOST)
        composed = itertools.chain(*map(delivery.queue, missed.games))
        for key in (*composed, *missed.mails):
            if key.person_id == self._viewer:
                delivery.deliver(key)

    def _look(self, *, seldom: bool = False) -> None:
        """Ask for all that is there to see, until the end tells it rightfully."""
        if (seldom and self.script.random() < 0.6) or not self.table.game.running:
            return
        self.tally["looks"] += 1
        for where, ask in self._channels():
            self.seen.append(Seen(self._step, where, self._canonical(ask())))

    def _channels(self) -> Iterator[tuple[str, Callable[[], str]]]:
        game = f"/v1/games/{self.table.id}"
        since = max(0, self._record - 5)
        for part in ("", "/view", "/seats", f"/events?after={since}"):
            for token in (None, self._token):
                asked = partial(self._got, game + part, token)
                yield f"{part} {token is None}", asked
        yield "/messages", partial(self._got, f"{game}/messages", self._token)
        yield "/turns", partial(self._got, "/v1/me/turns?view=true", self._token)
        yield "notices", self._notices
        if self.script.random() < 0.2:
            yield "page", partial(self._got, f"/g/{self.table.id}", None)
            yield "own page", self._own_page

    @property
    def _record(self) -> int:
        [(record,)] = run("SELECT record FROM game WHERE id = :g", {"g": self.table.id})
        return int(record)

    def _got(self, path: str, token: str | None) -> str:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        answer = self.app.test_client().get(path, headers=headers)
        told = sorted(each for each in answer.headers if each[0] not in DROPPED)
        return f"{answer.status} {answer.text} {told}"

    def _own_page(self) -> str:
        client = self.app.test_client()
        with transaction():
            token = self._remembered()
        client.set_cookie(f"seat_{self.table.id.hex}", token)
        return client.get(f"/g/{self.table.id}").text

    def _remembered(self) -> str:
        if not self._cookie:
            self._cookie = devices.remember(
                self.table.id, self._viewer, self.case.viewer
            )
        return self._cookie

    def _notices(self) -> str:
        """What the viewer is told by mail, and when."""
        found = run(
            """SELECT n.kind, n.decision, n.cause, n.created_at, n.due_at, m.state,
                m.settled_at FROM notice n LEFT JOIN mail m
                ON m.person_id = n.person_id AND m.id = n.mail_id
            WHERE n.person_id = :p ORDER BY n.created_at, n.key""",
            {"p": self._viewer},
        )
        return repr(found)

    def _canonical(self, text: str) -> str:
        """Text in which what is unique to a world stands by when it was first seen."""
        return _UNIQUE.sub(lambda found: self._name(found.group()), text)

    def _name(self, unique: str) -> str:
        return self._names.setdefault(unique, f"<{len(self._names)}>")


MOST_STEPS: Final = 400


def compare(
    app: Flask, wipe: Callable[[], None], folder: Path, number: int
) -> Counter[str]:
    """What twins of this number compared. Raises Differs for a leak."""
    worlds = []
    for side in (0, 1):
        wipe()
        world = TwinTable(app, folder, number, side)
        with app.app_context(), stopped_clock():
            world.play()
        worlds.append(world)
    left, right = worlds
    for ours, theirs in itertools.zip_longest(left.seen, right.seen):
        if ours != theirs:
            raise Differs(number, left.case, _around(ours, theirs))
    tally = left.tally + Counter(comparisons=len(left.seen), twins=1)
    tally["bytes"] += sum(len(seen.what) for seen in left.seen)
    return tally


def _around(ours: Seen | None, theirs: Seen | None) -> tuple[object, ...]:
    if ours is None or theirs is None or ours[:2] != theirs[:2]:
        return ours and ours[:2], theirs and theirs[:2]
    one, two = ours.what, theirs.what
    at = next(
        (n for n, pair in enumerate(zip(one, two, strict=False)) if pair[0] != pair[1]),
        min(len(one), len(two)),
    )
    parts = (each[max(at - 100, 0) : at + 100] for each in (one, two))
    return (*ours[:2], *parts)
