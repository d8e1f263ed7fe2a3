"""Games whose every answer is cut, and creating requests that are."""

import random

import msgspec

from engine import views
from engine.board import Seat
from engine.commands import Answer
from service.auth import bearer
from tests.rig import cuts
from tests.rig.cuts import Whole
from tests.rig.house import House
from tests.rig.service import seated
from tests.rig.service.seated import Seated, run

SIZE = 480
"""About how many bytes a receipt's answer has, headers and all."""

SIZE_OF_GAME = 1100
"""The same for a game that was made."""


class Figures:
    """What was cut, and what came of it."""

    def __init__(self) -> None:
        self.answers = 0
        self.cuts = 0
        self.games = 0

    def __str__(self) -> str:
        return f"{self.answers} answers in {self.games} games, {self.cuts} cuts"


def play(house: House, chance: random.Random, most: int) -> Figures:
    """Play games to their ends, so many answers in all, each of them cut.

    Every repeat gets the receipt that is kept, and the log has each answer once.
    """
    figures = Figures()
    while figures.answers < most:
        _play_one(house, chance, most, figures)
    return figures


def _play_one(house: House, chance: random.Random, most: int, figures: Figures) -> None:
    table = seated.started(chance.choice([3, 4, 5]), rounds=1)
    known, receipts = tokens(table), dict[tuple[int, int], bytes]()
    while figures.answers < most and (game := table.game).running:
        if game.election_complete:
            table.resolve()
            continue
        seat = chance.choice(game.asked())
        number = table.decision
        receipts[number, seat] = _cut(house, chance, table, known[seat], seat, figures)
    figures.games += 1
    _check(table, receipts)


def _cut(
    house: House,
    chance: random.Random,
    table: Seated,
    token: str,
    seat: int,
    figures: Figures,
) -> bytes:
    """The receipt of an answer that was cut and given again."""
    own = views.view(table.game, Seat(seat)).own
    assert own is not None
    given = chance.choice(own.legal).answer
    raw = answering(str(table.id), table.decision, token, given)
    first, cut = cuts.insist(house.urls, raw, SIZE, chance)
    again = cuts.sent(chance.choice(house.urls), raw)
    assert first.status == 200, first.body
    assert again.same == first.same
    figures.answers += 1
    figures.cuts += cut
    return first.body


def _check(table: Seated, receipts: dict[tuple[int, int], bytes]) -> None:
    """Each answer is kept with its receipt, and is in the log once."""
    rows = run(
        "SELECT decision, seat, receipt FROM answer WHERE game_id = :g",
        {"g": table.id},
    )
    assert {(row[0], row[1]): bytes(row[2]) for row in rows} == receipts
    assert sorted(logged(table)) == sorted(receipts)


def logged(table: Seated) -> list[tuple[int, int]]:
    """Decision and seat of every answer in the log, twice if it is there twice."""
    rows = run(
        "SELECT coalesce(public, secret) FROM event WHERE game_id = :g"
        " AND type IN ('placed', 'moved', 'ballot_cast')",
        {"g": table.id},
    )
    events = [msgspec.json.decode(bytes(row[0])) for row in rows]
    return [(event["decision"], event["seat"]) for event in events]


def tokens(table: Seated) -> list[str]:
    """A token for each person at a table, in seat order."""
    rows = run(
        "SELECT p.address FROM seat s JOIN person p ON p.id = s.person_id"
        " WHERE s.game_id = :g ORDER BY s.number",
        {"g": table.id},
    )
    return [bearer.issue_token(address) for (address,) in rows]


def answering(
    game_id: str, decision: int, token: str, given: Answer, **headers: str
) -> bytes:
    """A request that answers a decision."""
    path = f"/v1/games/{game_id}/decisions/{decision}/answer"
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return cuts.request("PUT", path, token, msgspec.to_builtins(given), named)


def create(
    house: House, chance: random.Random, path: str, token: str | None, count: int
) -> list[tuple[Whole, Whole]]:
    """Make games, each with a key and each cut; the answer, and that to a repeat."""
    made = []
    for number in range(count):
        body: dict[str, object] = {"name": "Rita"}
        if token is not None:
            body = {"seats": [{"kind": "bot"}, {"kind": "bot"}]}
        key = {"Idempotency-Key": f"key {number} {chance.random()}"}
        raw = cuts.request("POST", path, token, body, key)
        first, _ = cuts.insist(house.urls, raw, SIZE_OF_GAME, chance)
        made.append((first, cuts.sent(chance.choice(house.urls), raw)))
    return made
