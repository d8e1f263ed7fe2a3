"""The printed rules of both editions once more, put down naively from their text.

It works on plain letters, places and cards, and knows none of our code.
"""

from collections import Counter
from dataclasses import dataclass

LETTERS = "ABCDEFGILMNOP"
DECK = [
    "".join(sorted(LETTERS[(i + step) % 13] for step in steps))
    for steps in ((1, 3, 4, 9, 10, 12), (2, 5, 6, 7, 8, 11))
    for i in range(13)
]

Castle = dict[str, str]
"""Where each character stands that has a place: "A" on "4", say."""


@dataclass(frozen=True)
class Book:
    """What one rulebook prints: tables by the number of players, and points."""

    name: str
    letters: str
    noes: dict[int, int]
    quota: dict[int, int]
    points: dict[str, int]
    start_score: int
    opening: Castle
    stomachaches: int

    def hand(self, players: int) -> list[str]:
        """The vote cards of one player, sorted."""
        noes = ["no"] * self.noes[players]
        return [*noes, *["stomachache"] * self.stomachaches, "yes"]

    def quotas(self, players: int, placement: str) -> list[int]:
        """How many characters each places, in turn order."""
        if placement != "compensated":
            return [self.quota[players]] * players
        return {7: [2, 2, 2, 2, 2, 2, 1], 8: [2, 2, 2, 2, 2, 1, 1, 1]}[players]

    def bonus(self, players: int, placement: str) -> list[int]:
        """What each gets beside the points of a round, in turn order."""
        if placement != "compensated":
            return [0] * players
        return {7: [0, 0, 0, 0, 0, 0, 3], 8: [0, 0, 0, 0, 0, 3, 3, 3]}[players]


_FLOORS = {"throne": 10, "5": 5, "4": 4, "3": 3, "2": 2, "1": 1, "0": 0}

CLASSIC = Book(
    name="classic",
    letters=LETTERS,
    noes={3: 4, 4: 3, 5: 2, 6: 2},
    quota={3: 4, 4: 3, 5: 2, 6: 2},
    points={**_FLOORS, "out": 0},
    start_score=0,
    opening={},
    stomachaches=0,
)

JESTER = Book(
    name="jester",
    letters=LETTERS + "J",
    noes={2: 4, 3: 4, 4: 3, 5: 2, 6: 2, 7: 2, 8: 2},
    quota={2: 6, 3: 4, 4: 3, 5: 2, 6: 2, 7: 1, 8: 1},
    points={
        **_FLOORS,
        "wc3": 0,
        "wc4": 0,
        "box": 0,
        "dungeon3": -3,
        "dungeon2": -2,
        "dungeon1": -1,
    },
    start_score=20,
    opening={"J": "3"},
    stomachaches=1,
)

BOOKS = {book.name: book for book in (CLASSIC, JESTER)}


def crowd(at: Castle, place: str) -> int:
    """How many stand there."""
    return list(at.values()).count(place)


def way(book: Book, at: Castle, letter: str) -> str | None:
    """Where a character goes if it is moved; None if it can't be."""
    place = at[letter]
    if place in ("wc3", "wc4"):
        return place[-1] if crowd(at, place[-1]) < 4 else None
    if place == "5":
        return "throne"
    if place not in ("0", "1", "2", "3", "4"):
        return None
    up = str(int(place) + 1)
    if crowd(at, up) < 4:
        return up
    beside = f"wc{up}"
    if book is JESTER and up in ("3", "4") and crowd(at, beside) == 0:
        return beside
    return None


def moves(book: Book, at: Castle) -> list[str]:
    """Every character that can be moved, by letter."""
    return [letter for letter in sorted(at) if way(book, at, letter) is not None]


def placements(book: Book, at: Castle) -> list[tuple[str, str]]:
    """Everybody not yet placed with every floor that has room, by letter and floor."""
    free = [floor for floor in "1234" if crowd(at, floor) < 4]
    beside = sorted(letter for letter in book.letters if letter not in at)
    return [(letter, floor) for letter in beside for floor in free]


def outcome(at: Castle, nominee: str, cards: list[str]) -> tuple[str, str]:
    """The verdict on a nominee of the jester edition and where it leads."""
    if "stomachache" in cards:
        return "cancelled", "5"
    if "no" not in cards:
        return "crowned", "throne"
    if nominee == "J":
        return "refused", "3"
    for dungeon in ("dungeon3", "dungeon2", "dungeon1"):
        if crowd(at, dungeon) == 0:
            return "refused", dungeon
    return "refused", "box"


def classic_outcome(cards: list[str]) -> tuple[str, str]:
    """The verdict on a nominee of the classic edition and where it leads."""
    return ("refused", "out") if "no" in cards else ("crowned", "throne")


def score(book: Book, at: Castle, six: str, round_number: int) -> int:
    """The points of six favourites at a coronation."""
    total = sum(book.points[at[letter]] for letter in six)
    if book is CLASSIC:
        return 33 if total == 0 and round_number == 3 else total
    return -total if at["J"] == "throne" else total


def winners(book: Book, totals: list[int], at: Castle, sixes: list[str]) -> list[int]:
    """Who has won: by points, in the classic edition then by favourites still in."""
    inside = [0] * len(totals)
    if book is CLASSIC:
        inside = [sum(at[letter] != "out" for letter in six) for six in sixes]
    order = sorted(zip(totals, inside, range(len(totals)), strict=True), reverse=True)
    return sorted(seat for t, i, seat in order if (t, i) == order[0][:2])


def check_castle(book: Book, at: Castle) -> None:
    """Assert that nobody stands where the rules have no place for it."""
    crowds = Counter(at.values())
    assert crowds.keys() <= book.points.keys()
    for place, standing in crowds.items():
        if place in ("0", "out", "box"):
            continue
        if place == "3" and at.get("J") == "3":
            assert standing <= 5
        elif place in ("1", "2", "3", "4", "5"):
            assert standing <= 4
        else:
            assert standing == 1
