"""A naive referee: it follows the events by the printed rules, with none of our code.

It reads plain JSON: the record, beside it the ballots as they are laid, and the order
of the deck if it is told.
"""

from dataclasses import dataclass
from typing import Any

from tests.rig.engine.naive_rules import (
    BOOKS,
    DECK,
    JESTER,
    check_castle,
    classic_outcome,
    moves,
    outcome,
    placements,
    score,
    way,
    winners,
)

Json = dict[str, Any]


@dataclass(frozen=True)
class Seen:
    """A round that is over: its length, and what it brought."""

    moves: int
    elections: int
    points: list[int]
    bonus: list[int]
    zeros: int
    turned: bool


class Referee:
    """Sees every event in order and asserts that the rules allow it."""

    def __init__(self) -> None:
        self.at: dict[str, str] = {}
        self.held: list[list[str]] = []
        self.laid: dict[int, str] = {}
        self.spent: list[list[str]] = []
        self.election: tuple[int, str, int] | None = None
        self.opened: list[Json] = []
        self.totals: list[int] = []
        self.undealt: list[int] | None = None
        self.dealt: list[int] = []
        self.used: list[int] = []
        self.rounds: list[Seen] = []
        self.n = 0
        self.round = 0
        self.decision = 0
        self.answers = 0
        self.moves = 0
        self.to_place: list[int] = []
        self.turn = 0
        self.over = False
        self.crown: int | None = None
        self.latest: Json | None = None
        self.before: tuple[dict[str, str], list[int]] = ({}, [])
        self.reopened = 0

    def see(self, event: Json) -> None:
        assert not self.over
        getattr(self, "_" + event["type"])(event)
        if self.round:
            self._conserve()

    def _conserve(self) -> None:
        """Every character and every card is in exactly one place."""
        check_castle(self.book, self.at)
        assert set(self.at) <= set(self.book.letters)
        if not sum(self.to_place):
            assert len(self.at) == len(self.book.letters)
        whole = self.book.hand(self.n)
        for seat in range(self.n):
            laid = [self.laid[seat]] if seat in self.laid else []
            assert sorted([*self.held[seat], *laid, *self.spent[seat]]) == whole
        if self.undealt is not None:
            cards = [*self.undealt, *self.dealt, *self.used]
            assert sorted(cards) == list(range(26))

    def asked(self) -> list[int]:
        """Who owes an answer."""
        if self.over or not self.round:
            return []
        if self.election is None:
            return [self.turn]
        return [seat for seat in range(self.n) if seat not in self.laid]

    def legal(self, seat: int) -> list[Json]:
        """Every answer this seat may give now, in the order answers are sorted."""
        if seat not in self.asked():
            return []
        if self.election is not None:
            kinds = ("yes", "no", "stomachache")
            return [
                {"kind": "election", "card": card}
                for card in kinds
                if card in self.held[seat]
            ]
        if sum(self.to_place):
            return [
                {"kind": "placement", "character": letter, "place": floor}
                for letter, floor in placements(self.book, self.at)
            ]
        return [
            {"kind": "move", "character": letter}
            for letter in moves(self.book, self.at)
        ]

    def _game_created(self, event: Json) -> None:
        assert self.round == 0

    def _table_closed(self, event: Json) -> None:
        self.book = BOOKS[event["edition"]]
        self.n = len(event["seats"])
        self.options = event["options"]
        self.quotas = self.book.quotas(self.n, self.options["placement"])
        self.totals = [self.book.start_score] * self.n

    def _started(self, event: Json) -> None:
        if self.options["first"] is not None:
            assert event["first"] == self.options["first"]
        assert 0 <= event["first"] < self.n
        assert len(event["leaves"]) == len(set(event["leaves"])) == 26
        self.starter = event["first"]
        if "deck" in event:
            self.undealt = list(event["deck"])

    def _in_turn_order(self, by_turn: list[int]) -> list[int]:
        """By seat what is given by turn: the round's first seat comes first."""
        return [by_turn[(seat - self.first) % self.n] for seat in range(self.n)]

    def _round_started(self, event: Json) -> None:
        self.round += 1
        self.latest = None
        assert (event["round"], event["first"]) == (self.round, self.starter)
        self.first = self.turn = self.starter
        self.held = [self.book.hand(self.n) for _ in range(self.n)]
        self.laid, self.spent = {}, [[] for _ in range(self.n)]
        self.moves, self.opened = 0, []
        if self.undealt is not None:
            self.dealt = [self.undealt.pop(0) for _ in range(self.n)]
        self.at = dict(self.book.opening)
        if self.options["placement"] == "random":
            self.to_place = [0] * self.n
            self._place_by_lot([tuple(pair) for pair in event["placed"]])
        else:
            self.to_place = self._in_turn_order(self.quotas)
            assert list(event["placed"]) == []

    def _place_by_lot(self, placed: list[tuple[str, ...]]) -> None:
        opening = list(self.book.opening.items())
        count = sum(self.quotas)
        assert placed[len(placed) - len(opening) :] == opening
        for number, (letter, place) in enumerate(placed[:13]):
            if number < count:
                assert (letter, place) in placements(self.book, self.at)
            else:
                assert (letter in self.at, place) == (False, "0")
            self.at[letter] = place
        assert len(placed) == len(self.book.letters)

    def _question(self, event: Json) -> None:
        assert self.election is None
        self.decision += 1
        self.answers += 1
        assert event["decision"] == self.decision
        assert event["seat"] == self.turn
        self.latest, self.before = event, (dict(self.at), list(self.to_place))
        self.turn = (self.turn + 1) % self.n

    def _placed(self, event: Json) -> None:
        self._question(event)
        assert (event["character"], event["place"]) in placements(self.book, self.at)
        self.at[event["character"]] = event["place"]
        self.to_place[event["seat"]] -= 1
        assert self.to_place[event["seat"]] >= 0
        if sum(self.to_place):
            assert list(event["dropped"]) == []
            while not self.to_place[self.turn]:
                self.turn = (self.turn + 1) % self.n
            return
        rest = sorted(letter for letter in self.book.letters if letter not in self.at)
        assert list(event["dropped"]) == rest
        self.at.update(dict.fromkeys(rest, "0"))
        self.turn = self.first

    def _moved(self, event: Json) -> None:
        self._question(event)
        self.moves += 1
        assert not sum(self.to_place)
        letter = event["character"]
        assert event["from"] == self.at[letter]
        assert event["to"] == way(self.book, self.at, letter)
        self.at[letter] = event["to"]
        if event["to"] != "throne":
            assert event["election"] is None
            return
        self.decision += 1
        assert event["election"] == self.decision
        self.election = (self.decision, letter, event["seat"])
        self.crown = event["seat"]

    def _taken_back(self, event: Json) -> None:
        act = self.latest
        assert self.options.get("take_back")
        assert act is not None
        assert act["by"] == "seat"
        assert act.get("election") is None
        assert act["decision"] != self.reopened
        assert event["decision"] == act["decision"] == self.decision
        self.decision += 1
        self.reopened = self.decision + 1
        assert event["reopened"] == self.reopened
        self.at, self.to_place = self.before
        self.turn, self.latest = act["seat"], None
        self.answers -= 1
        self.moves -= act["type"] == "moved"

    def _ballot_cast(self, event: Json) -> None:
        self.answers += 1
        assert self.election is not None
        assert event["decision"] == self.election[0]
        assert event["seat"] not in self.laid
        self.held[event["seat"]].remove(event["card"])
        self.laid[event["seat"]] = event["card"]

    def _election_resolved(self, event: Json) -> None:
        assert self.election == (event["decision"], event["nominee"], event["mover"])
        cards = [self.laid[seat] for seat in range(self.n)]
        if self.book is JESTER:
            expected = outcome(self.at, event["nominee"], cards)
        else:
            expected = classic_outcome(cards)
        assert (event["verdict"], event["to"]) == expected
        self.turn = (event["mover"] + 1) % self.n
        crowned = expected[0] == "crowned"
        assert event["next"] == (None if crowned else self.turn)
        openly = self.options["ballot_history"] == "open"
        shown = event["cards"]
        assert (shown if shown is None else list(shown)) == (cards if openly else None)
        assert len(event["ballots"]) == self.n
        self.opened.append({"decision": event["decision"], "cards": cards})
        for seat, card in enumerate(cards):
            pile = self.held if card == "yes" else self.spent
            pile[seat].append(card)
        self.at[event["nominee"]] = event["to"]
        self.laid, self.election, self.latest = {}, None, None

    def _round_scored(self, event: Json) -> None:
        assert "throne" in self.at.values()
        favourites = list(event["favourites"])
        assert self.undealt is None or favourites == self.dealt
        self.dealt = []
        self.used += favourites
        assert len(set(self.used)) == len(self.used) == self.n * self.round
        self.sixes = [DECK[card] for card in favourites]
        points = [score(self.book, self.at, six, self.round) for six in self.sixes]
        bonus = self.book.bonus(self.n, self.options["placement"])
        extra = self._in_turn_order(bonus)
        assert (list(event["points"]), list(event["bonus"])) == (points, extra)
        gains = zip(self.totals, points, extra, strict=True)
        self.totals = [total + won + more for total, won, more in gains]
        assert list(event["totals"]) == self.totals
        shown = [
            {"decision": e["decision"], "cards": list(e["cards"])}
            for e in event["elections"]
        ]
        assert shown == self.opened
        seen = Seen(
            moves=self.moves,
            elections=len(self.opened),
            points=points,
            bonus=extra,
            zeros=self._zeros(),
            turned=self.at.get("J") == "throne",
        )
        self.rounds.append(seen)
        self.starter = self.turn

    def _zeros(self) -> int:
        """How many cards brought 0, whatever became of it."""
        return sum(
            sum(self.book.points[self.at[letter]] for letter in six) == 0
            for six in self.sixes
        )

    def _game_over(self, event: Json) -> None:
        self.over = True
        won = list(event["winners"])
        if event["reason"] == "cancelled":
            assert won == []
            return
        assert self.round == self.options["rounds"]
        assert won == winners(self.book, self.totals, self.at, self.sixes)
