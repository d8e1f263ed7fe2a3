"""The engine and the naive referee side by side, a machine that Hypothesis drives."""

from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from engine.board import Card, Seat
from engine.commands import (
    Answer,
    AnswerByClock,
    Ballot,
    CancelGame,
    Command,
    CreateGame,
    GiveAnswer,
    Move,
    Placement,
    ResolveElection,
    Sealed,
    Source,
    StartGame,
)
from engine.errors import ElectionNotComplete, Refusal
from tests.rig.engine.bounds import TABLES, Figures
from tests.rig.engine.soak import Watched, check_proof, check_record, plain
from tests.rig.engine.tables import chance, closing, options

LETTERS = st.sampled_from("ABCDEFGILMNOPJHa")


PLACES = st.sampled_from(["0", "1", "2", "3", "4", "5", "throne", "wc3", "out", ""])


ANYTHING: st.SearchStrategy[Answer] = st.one_of(
    st.builds(Placement, LETTERS, PLACES),
    st.builds(Move, LETTERS),
    st.builds(Ballot, st.sampled_from(Card)),
)


HANDS = st.sampled_from([Source.PERSON, Source.BOT, Source.STANDING])


CHANCES = st.integers(0, 2**32 - 1)


def read(answer: dict[str, Any]) -> Answer:
    """What the referee allows, as the engine takes it."""
    match answer["kind"]:
        case "placement":
            return Placement(answer["character"], answer["place"])
        case "move":
            return Move(answer["character"])
        case _:
            return Ballot(Card(answer["card"]))


class SideBySide(RuleBasedStateMachine):
    """Every step is taken by the engine and followed by the referee, or refused."""

    def __init__(self) -> None:
        super().__init__()
        self.table = Watched(bytes(32))

    @initialize(
        size=st.sampled_from(TABLES),
        rounds=st.integers(1, 3),
        placement=st.sampled_from(["choose", "random", "compensated"]),
        history=st.sampled_from(["table", "open"]),
        first=st.integers(-1, 7),
        seed=st.binary(min_size=32, max_size=32),
        patience=st.sampled_from([1000, 1000, 1000, 100, 30, 0]),
    )
    def start(
        self,
        size: tuple[str, int],
        rounds: int,
        placement: str,
        history: str,
        first: int,
        seed: bytes,
        patience: int,
    ) -> None:
        edition, seats = size
        self.patience = patience
        self.table = Watched(seed)
        self.table.do(CreateGame(seed, b""))
        self.refuse(StartGame(Sealed(seed, seed)))
        begins = None if first < 0 else first % seats
        chosen = options(rounds, placement, history, begins)
        if placement == "compensated" and (edition == "classic" or seats < 7):
            self.refuse(closing(seats, chosen, edition))
            chosen = options(rounds, "choose", history, begins)
        self.table.do(closing(seats, chosen, edition))
        self.table.do(StartGame(self.table.sealed))
        self.refuse(StartGame(self.table.sealed))
        self.figures = Figures(edition, seats)

    def refuse(self, command: Command) -> Refusal:
        """Assert that a command is refused and changes nothing; the refusal."""
        game, rows = self.table.game, len(self.table.rows)
        with pytest.raises(Refusal) as caught:
            self.table.do(command)
        assert self.table.game is game
        assert len(self.table.rows) == rows
        return caught.value

    def running(self) -> bool:
        return self.table.game.running

    def waiting(self) -> bool:
        return bool(self.table.referee.asked())

    def voting(self) -> bool:
        return self.running() and self.table.referee.election is not None

    def tired(self) -> bool:
        return self.running() and self.table.referee.answers > self.patience

    @precondition(waiting)
    @rule(data=st.data(), by=HANDS)
    def answer(self, data: st.DataObject, by: Source) -> None:
        """Anybody who is asked gives any answer the referee allows."""
        referee = self.table.referee
        seat = data.draw(st.sampled_from(referee.asked()))
        answer = read(data.draw(st.sampled_from(referee.legal(seat))))

        self.table.answer(answer, Seat(seat), by)

    @rule(answer=ANYTHING, seat=st.integers(-1, 8), late=st.integers(-2, 2))
    def try_anything(self, answer: Answer, seat: int, late: int) -> None:
        """What the referee doesn't allow, or to another question, is refused."""
        referee = self.table.referee
        number = self.table.game.last_decision + late
        legal = not late and plain((answer,))[0] in referee.legal(seat)
        command = GiveAnswer(number, Seat(seat), answer, Source.PERSON)

        if legal:
            self.table.do(command)
        else:
            self.refuse(command)

    @precondition(voting)
    @rule(mixed=CHANCES, kind=st.sampled_from([None, *Card]))
    def lay_the_rest(self, mixed: int, kind: Card | None) -> None:
        """In any order; before the last card is in nothing is turned over."""
        rng, referee = chance(mixed), self.table.referee
        missing = referee.asked()
        rng.shuffle(missing)
        for seat in missing:
            resolve = ResolveElection(self.table.number, self.table.sealed)
            assert isinstance(self.refuse(resolve), ElectionNotComplete)
            held = [read(answer) for answer in referee.legal(seat)]
            answer = Ballot(kind) if kind is not None else rng.choice(held)

            self.table.answer(answer if answer in held else held[0], Seat(seat))
        assert self.table.game.election_complete

    @precondition(running)
    @rule()
    def resolve(self) -> None:
        """An election is turned over when, and only when, every card is in."""
        complete = self.voting() and not self.waiting()
        command = ResolveElection(self.table.game.last_decision, self.table.sealed)

        if complete:
            self.table.do(command)
        else:
            assert isinstance(self.refuse(command), ElectionNotComplete)

    @precondition(running)
    @rule(late=st.sampled_from([0, 0, -1, 1]))
    def run_out(self, late: int) -> None:
        """The clock answers the open question alone: Yes for all who are missing."""
        missing = self.table.referee.asked()
        voting, number = self.voting(), self.table.number
        if late:
            self.refuse(AnswerByClock(number + late, self.table.sealed))
            return

        happened = plain(self.table.clock())

        laid = [e for e in happened if e["type"] == "ballot_cast"]
        cast = [(e["seat"], e["card"], e["source"]) for e in laid]
        assert cast == [(seat, "yes", "clock") for seat in missing if voting]
        assert voting or happened[0]["by"] == "clock"

    @precondition(tired)
    @rule()
    def cancel(self) -> None:
        self.table.do(CancelGame(self.table.seed))

    @precondition(running)
    @rule(mixed=CHANCES, steps=st.integers(1, 60))
    def play_on(self, mixed: int, steps: int) -> None:
        """Many steps at once, so that late rounds are reached."""
        rng, referee = chance(mixed), self.table.referee
        for _ in range(steps):
            if not self.table.game.running:
                return
            if not referee.asked():
                self.table.resolve()
                continue
            seat = rng.choice(referee.asked())
            self.table.answer(read(rng.choice(referee.legal(seat))), Seat(seat))

    @invariant()
    def both_agree(self) -> None:
        self.table.compare_pieces()
        self.table.compare_question()
        over = self.table.referee.over
        assert over == (self.table.game.reason is not None)
        assert not over or not self.table.game.asked()

    def teardown(self) -> None:
        if not self.table.referee.over:
            return
        check_record(self.table)
        self.refuse(CancelGame(self.table.seed))
        if self.table.game.reason == "finished":
            self.figures.add(self.table.referee)
            check_proof(self.table)
