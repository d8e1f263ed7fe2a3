"""A naive referee: it follows the events by the printed rules, with none of our code.

It reads plain JSON: the record, and beside it the ballots as they are laid.
"""

from collections import Counter
from typing import Any

LETTERS = "ABCDEFGILMNOP"
LADDER = ["0", "1", "2", "3", "4", "5", "throne"]
POINTS = {"0": 0, "1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "throne": 10, "out": 0}
NO_CARDS = {3: 4, 4: 3, 5: 2, 6: 2}
QUOTA = {3: 4, 4: 3, 5: 2, 6: 2}
DECK = [
    "".join(sorted(LETTERS[(i + step) % 13] for step in steps))
    for steps in ((1, 3, 4, 9, 10, 12), (2, 5, 6, 7, 8, 11))
    for i in range(13)
]

Json = dict[str, Any]


def score(positions: dict[str, str], six: str, round_number: int) -> int:
    """The points of six letters in a round, the 33 of round three included."""
    total = sum(POINTS[positions[letter]] for letter in six)
    return 33 if total == 0 and round_number == 3 else total


def best(totals: list[int], inside: list[int]) -> list[int]:
    """The winners by points, then by favourites still in the castle."""
    order = sorted(zip(totals, inside, range(len(totals)), strict=True), reverse=True)
    return sorted(seat for t, i, seat in order if (t, i) == order[0][:2])


class Referee:
    """Sees every event in order and asserts that the rules allow it."""

    def __init__(self) -> None:
        self.at: dict[str, str] = {}
        self.hands: list[Counter[str]] = []
        self.laid: dict[int, str] = {}
        self.election: tuple[int, str, int] | None = None
        self.opened: list[Json] = []
        self.totals: list[int] = []
        self.dealt: list[int] = []
        self.round = 0
        self.decision = 0
        self.answers = 0
        self.moves = 0
        self.longest = 0
        self.over = False
        self.crown: int | None = None

    def see(self, event: Json) -> None:
        assert not self.over
        getattr(self, "_" + event["type"])(event)
        for floor in "12345":
            assert list(self.at.values()).count(floor) <= 4
        assert list(self.at.values()).count("throne") <= 1

    def _game_created(self, event: Json) -> None:
        assert self.round == 0

    def _table_closed(self, event: Json) -> None:
        self.n = len(event["seats"])
        self.options = event["options"]
        self.totals = [0] * self.n

    def _started(self, event: Json) -> None:
        if self.options["first"] is not None:
            assert event["first"] == self.options["first"]
        assert 0 <= event["first"] < self.n
        assert len(event["leaves"]) == len(set(event["leaves"])) == 26
        self.starter = event["first"]

    def _round_started(self, event: Json) -> None:
        self.round += 1
        assert (event["round"], event["first"]) == (self.round, self.starter)
        self.hands = [
            Counter({"yes": 1, "no": NO_CARDS[self.n]}) for _ in range(self.n)
        ]
        self.at = dict(event["placed"])
        self.turn = self.starter
        self.moves, self.opened = 0, []
        self.to_place = 0 if event["placed"] else QUOTA[self.n] * self.n
        if self.options["placement"] == "random":
            assert len(event["placed"]) == len(self.at) == 13
            servants = [letter for letter, place in event["placed"] if place == "0"]
            assert len(servants) == 13 - QUOTA[self.n] * self.n
            assert [letter for letter, _ in event["placed"][-len(servants) :]] == (
                servants
            )
        else:
            assert event["placed"] == []

    def _question(self, event: Json) -> None:
        self.decision += 1
        self.answers += 1
        assert event["decision"] == self.decision
        assert event["seat"] == self.turn
        self.turn = (self.turn + 1) % self.n

    def _placed(self, event: Json) -> None:
        self._question(event)
        assert self.to_place > 0
        self.to_place -= 1
        assert event["character"] in LETTERS
        assert event["character"] not in self.at
        assert event["place"] in ("1", "2", "3", "4")
        self.at[event["character"]] = event["place"]
        rest = [letter for letter in LETTERS if letter not in self.at]
        assert event["dropped"] == ([] if self.to_place else rest)
        self.at.update(dict.fromkeys(event["dropped"], "0"))
        if not self.to_place:
            assert len(self.at) == 13
            self.turn = self.starter

    def _moved(self, event: Json) -> None:
        self._question(event)
        self.moves += 1
        assert self.to_place == 0
        assert self.election is None
        letter = event["character"]
        assert event["from"] == self.at[letter]
        assert event["to"] == LADDER[LADDER.index(event["from"]) + 1]
        self.at[letter] = event["to"]
        if event["to"] != "throne":
            assert event["election"] is None
            return
        self.decision += 1
        assert event["election"] == self.decision
        self.election = (self.decision, letter, event["seat"])
        self.crown = event["seat"]
        self.laid = {}

    def _ballot_cast(self, event: Json) -> None:
        self.answers += 1
        assert self.election is not None
        assert event["decision"] == self.election[0]
        assert event["seat"] not in self.laid
        assert self.hands[event["seat"]][event["card"]] > 0
        self.laid[event["seat"]] = event["card"]

    def _election_resolved(self, event: Json) -> None:
        assert self.election == (event["decision"], event["nominee"], event["mover"])
        cards = [self.laid[seat] for seat in range(self.n)]
        crowned = "no" not in cards
        assert event["verdict"] == ("crowned" if crowned else "refused")
        assert event["to"] == ("throne" if crowned else "out")
        assert event["next"] == (None if crowned else (event["mover"] + 1) % self.n)
        openly = self.options["ballot_history"] == "open"
        assert event["cards"] == (cards if openly else None)
        assert len(event["ballots"]) == self.n
        self.opened.append({"decision": event["decision"], "cards": cards})
        for hand, card in zip(self.hands, cards, strict=True):
            hand["no"] -= card == "no"
        self.at[event["nominee"]] = event["to"]
        self.turn = (event["mover"] + 1) % self.n
        self.election = None

    def _round_scored(self, event: Json) -> None:
        assert "throne" in self.at.values()
        self.dealt += event["favourites"]
        assert len(set(self.dealt)) == len(self.dealt) == self.n * self.round
        self.sixes = [DECK[card] for card in event["favourites"]]
        points = [score(self.at, six, self.round) for six in self.sixes]
        assert event["points"] == points
        assert all(0 <= won <= 33 for won in points)
        assert event["bonus"] == [0] * self.n
        totals = zip(self.totals, points, strict=True)
        self.totals = [total + won for total, won in totals]
        assert event["totals"] == self.totals
        shown = [
            {"decision": e["decision"], "cards": e["cards"]} for e in event["elections"]
        ]
        assert shown == self.opened
        self.longest = max(self.longest, self.moves)
        self.starter = self.turn

    def _game_over(self, event: Json) -> None:
        self.over = True
        if event["reason"] == "cancelled":
            assert event["winners"] == []
            return
        assert self.round == self.options["rounds"]
        inside = [sum(self.at[c] != "out" for c in six) for six in self.sixes]
        assert event["winners"] == best(self.totals, inside)
