"""Elections whose ballots arrive together, through every web process at once."""

import json
import random
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from engine.board import Card
from engine.commands import PlacementOption
from engine.state import Kind
from service.auth import bearer
from service.store import event_log
from tests.rig.api import Program
from tests.rig.house import House
from tests.rig.service import seated
from tests.rig.service.seated import Seated, run

PATIENCE = 10.0


class Voting(NamedTuple):
    """One election: seconds from the last ballot to the resolution, both recorded."""

    seconds: float
    spread: float


class Election(NamedTuple):
    """An election that is open, and the card that each seat will lay."""

    number: int
    mover: int
    cards: list[str]


class Club:
    """People with programs of their own, who play game after game."""

    def __init__(
        self, house: House, seats: int = 6, *, edition: str = "classic"
    ) -> None:
        self.house = house
        self.seats = seats
        self.edition = edition
        self.mind = random.Random(6)
        self.pool = ThreadPoolExecutor(seats)
        self.table = self._new_table()
        self.programs = self._programs()

    def _new_table(self) -> Seated:
        return seated.started(
            self.seats, edition=self.edition, placement=PlacementOption.RANDOM
        )

    def _programs(self) -> list[Program]:
        """A token for each seat; even seats use one web process, odd ones the other."""
        addresses = run(
            "SELECT p.address FROM seat s JOIN person p ON p.id = s.person_id"
            " WHERE s.game_id = :g ORDER BY s.number",
            {"g": self.table.id},
        )
        urls = self.house.urls
        return [
            Program([urls[(seat + at) % len(urls)] for at in range(len(urls))], token)
            for seat, (address,) in enumerate(addresses)
            for token in [bearer.issue_token(address)]
        ]

    def close(self) -> None:
        self._hang_up()
        self.pool.shutdown()

    def _hang_up(self) -> None:
        for program in self.programs:
            program.hang_up()

    def nominate(self) -> Election:
        """Raise somebody onto the throne; which cards everybody will lay."""
        if not self.table.game.running:
            self._hang_up()
            self.table = self._new_table()
            self.programs = self._programs()
        self.table.nominate()
        decision = self.table.game.decision
        assert decision is not None
        assert decision.kind is Kind.ELECTION
        assert decision.mover is not None
        return Election(decision.number, decision.mover, self._cards())

    def lay(self, election: Election, seat: int) -> tuple[int, bytes]:
        """One ballot; status and receipt."""
        ballot = {"kind": "election", "card": election.cards[seat]}
        program, game_id = self.programs[seat], str(self.table.id)
        return program.insist(game_id, election.number, ballot)

    def vote(self) -> Voting:
        """Nominate, lay all ballots at the same moment, wait for the end; check it."""
        election = self.nominate()
        barrier = threading.Barrier(self.seats)

        def lay(seat: int) -> tuple[int, bytes]:
            self.programs[seat].reconnect()
            barrier.wait(PATIENCE)
            return self.lay(election, seat)

        laid = list(self.pool.map(lay, range(self.seats)))
        assert [status for status, _ in laid] == [200] * self.seats, laid
        self.wait(election)
        self.check(election, [body for _, body in laid])
        return self._voting(election.number)

    def _cards(self) -> list[str]:
        """A No or two as long as somebody holds one, now and then none.

        Where there are Stomachaches, one is laid as long as there is one.
        """
        cards = ["yes"] * self.seats
        for seat in self._some(Card.NO, self.mind.choice((0, 1, 1, 1, 1, 1, 2))):
            cards[seat] = "no"
        for seat in self._some(Card.STOMACHACHE, 1):
            cards[seat] = "stomachache"
        return cards

    def _some(self, card: Card, count: int) -> list[int]:
        """So many of those who hold a card, or all of them."""
        hands = self.table.game.hands
        holders = [seat for seat in range(self.seats) if card in hands[seat]]
        return self.mind.sample(holders, min(len(holders), count))

    def wait(self, election: Election, seconds: float = PATIENCE) -> float:
        """Wait for the resolution; how many seconds it took."""
        started = time.monotonic()
        while not self.resolved(election.number):
            assert time.monotonic() - started < seconds, f"{election} is stuck"
            time.sleep(0.005)
        return time.monotonic() - started

    def resolved(self, number: int) -> int:
        statement = "SELECT count(*) FROM event WHERE game_id = :g AND decision = :d"
        return int(run(statement, {"g": self.table.id, "d": number})[0][0])

    def check(self, election: Election, receipts: list[bytes]) -> None:
        """Each ballot counted once, each card spent once, one set of notices."""
        number, mover, cards = election
        values = {"g": self.table.id, "d": number}
        rows = run(
            "SELECT seat, source, answer, receipt FROM answer"
            " WHERE game_id = :g AND decision = :d ORDER BY seat",
            values,
        )
        assert [(row[0], row[1]) for row in rows] == [
            (seat, "person") for seat in range(self.seats)
        ]
        assert [json.loads(bytes(row[2]))["card"] for row in rows] == cards
        assert [bytes(row[3]) for row in rows] == receipts
        assert self.resolved(number) == 1
        game = self.table.game
        if set(cards) != {"yes"}:
            assert game.asked() == ((mover + 1) % self.seats,)
            notices = run(
                "SELECT kind FROM notice WHERE game_id = :g AND cause ="
                " (SELECT record FROM event WHERE game_id = :g AND decision = :d)"
                " AND kind <> 'reminder'",
                values,
            )
            kinds = Counter(kind for (kind,) in notices)
            assert kinds == {"result": self.seats - 1, "your_turn": 1}, kinds
        assert event_log.replayed(self.table.id) == game

    def _voting(self, number: int) -> Voting:
        [(first, last, resolved)] = run(
            """SELECT min(b.recorded_at), max(b.recorded_at), max(e.recorded_at)
            FROM event b JOIN event e ON e.game_id = b.game_id AND e.decision = :d
            WHERE b.game_id = :g AND b.type = 'ballot_cast'
            AND convert_from(b.secret, 'UTF8')::json->>'decision' = CAST(:d AS text)""",
            {"g": self.table.id, "d": number},
        )
        return Voting((resolved - last).total_seconds(), (last - first).total_seconds())


def quantile(figures: list[float], share: float) -> float:
    """The figure that so many of them don't exceed."""
    ordered = sorted(figures)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
