"""Programs that play whole tables over HTTP and keep every receipt they are given."""

import json
import random
import threading
import time
from typing import NamedTuple

from service.auth import bearer
from tests.rig.api import Json, Program
from tests.rig.house import House
from tests.rig.service import seated
from tests.rig.service.seated import run


class Receipt(NamedTuple):
    """What an answer was acknowledged with."""

    game_id: str
    decision: int
    seat: int
    answer: Json
    body: bytes


class Company:
    """One table, whose seats one thread plays until it is told to stop."""

    def __init__(self, house: House, number: int, seats: int = 3) -> None:
        table = seated.started(seats)
        self.game_id = str(table.id)
        self.receipts: list[Receipt] = []
        self.refusals: list[tuple[int, bytes]] = []
        self.programs = [
            Program(house.urls, bearer.issue_token(address))
            for (address,) in run(
                "SELECT p.address FROM seat s JOIN person p ON p.id = s.person_id"
                " WHERE s.game_id = :g ORDER BY s.number",
                {"g": table.id},
            )
        ]
        self._mind = random.Random(number)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._play, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(60)
        assert not self._thread.is_alive()

    def close(self) -> None:
        for program in self.programs:
            program.hang_up()

    def _play(self) -> None:
        while not self._stop.is_set():
            for seat, program in enumerate(self.programs):
                view = program.view(self.game_id)
                if view["legal"]:
                    self._answer(seat, view)
            time.sleep(0.005)

    def _answer(self, seat: int, view: Json) -> None:
        number = view["decision"]["number"]
        given = self._mind.choice(view["legal"])["answer"]
        status, body = self.programs[seat].insist(self.game_id, number, given)
        if status == 200:
            self.receipts.append(Receipt(self.game_id, number, seat, given, body))
        else:
            self.refusals.append((status, body))

    def check(self) -> None:
        """Each acknowledged answer is in the log once, and answered the same again."""
        assert self.refusals == []
        rows = run(
            "SELECT decision, seat, receipt FROM answer WHERE game_id = :g",
            {"g": self.game_id},
        )
        kept = {(row[0], row[1]): bytes(row[2]) for row in rows}
        sent = {(each.decision, each.seat): each.body for each in self.receipts}
        assert len(sent) == len(self.receipts)
        assert sent == kept
        assert sorted(self._logged()) == sorted(sent)
        for each in self.receipts:
            program = self.programs[each.seat]
            again = program.insist(self.game_id, each.decision, each.answer)
            assert again == (200, each.body)

    def _logged(self) -> list[tuple[int, int]]:
        """Decision and seat of every answer in the log."""
        rows = run(
            "SELECT coalesce(public, secret) FROM event WHERE game_id = :g"
            " AND type IN ('placed', 'moved', 'ballot_cast')",
            {"g": self.game_id},
        )
        events = [json.loads(bytes(row[0])) for row in rows]
        return [(event["decision"], event["seat"]) for event in events]
