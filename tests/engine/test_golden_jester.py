"""The worked examples of golden_jester.json, played through the engine."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from engine import deck
from engine.board import Card
from engine.editions import EDITIONS
from engine.events import ElectionResolved
from engine.state import Phase
from tests.rig.engine import golden
from tests.rig.engine.golden import Case
from tests.rig.engine.naive_rules import JESTER, score
from tests.rig.engine.tables import fill, options, settled

GOLDEN = golden.load("jester")


DUNGEONS = ("dungeon3", "dungeon2", "dungeon1")


def cases(kind: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", GOLDEN[kind], ids=lambda case: case["id"])


@pytest.fixture
def printed(request: pytest.FixtureRequest) -> Iterator[list[str]]:
    """The case's cards, printed over the first of the deck: it hasn't all of them."""
    cards = list(request.getfixturevalue("case")["points"])
    with pytest.MonkeyPatch.context() as patched:
        others = deck.CARDS[len(cards) :]
        patched.setattr(deck, "CARDS", (*map(frozenset, cards), *others))
        yield cards


@cases("scores")
@pytest.mark.parametrize("number", [1, 3])
def test_golden_round_scores(number: int, case: Case, printed: list[str]) -> None:
    table = settled(4, edition="jester")
    for _ in range(number - 1):
        table.crown("A")
        fill(table)
    golden.before_the_coronation(table, case)
    dealt = (number - 1) * 4
    rest = [card for card in range(26) if card not in range(len(printed))]
    cards = (*rest[:dealt], *range(len(printed)), *rest[dealt:])
    table.game = replace(table.game, deck=cards)

    table.crown(case["king"])

    scored = golden.last_score(table)
    assert dict(zip(printed, scored.points, strict=True)) == case["points"]
    board = table.game.scored[-1].board
    for card, won in case["points"].items():
        assert score(JESTER, dict(board.at), card, number) == won


@cases("elections")
def test_golden_elections(case: Case) -> None:
    table = settled(2, edition="jester")
    taken = dict(zip(DUNGEONS, case["dungeons"], strict=False))
    others = set("ABCDEFGILMNOPJ") - {case["nominee"], *case["dungeons"]}
    table.arrange({"5": case["nominee"], "0": others, **taken})
    before = table.game.hands
    mover = table.turn
    table.move(case["nominee"])

    resolved = table.vote(*case["votes"])[0]

    assert isinstance(resolved, ElectionResolved)
    assert (resolved.verdict, resolved.to) == (case["verdict"], case["to"])
    if case["verdict"] == "crowned":
        assert table.game.phase is Phase.PLACEMENT
        assert (table.game.round, table.turn) == (2, (mover + 1) % 2)
        return
    board = table.game.board
    assert board.at[case["nominee"]] == case["to"]
    inside = "".join(c for dungeon in DUNGEONS for c in board.on(dungeon))
    assert inside == case["dungeons_after"]
    assert table.turn == (mover + 1) % 2
    hands = zip(before, table.game.hands, case["votes"], strict=True)
    for old, new, card in hands:
        lost = [] if card == "yes" else [Card(card)]
        assert sorted([*new, *lost]) == sorted(old)


@pytest.mark.parametrize("nominee", ["A", "J"])
def test_golden_crowned_jester_reverses_and_another_king_does_not(nominee: str) -> None:
    table = settled(2, options(rounds=1), edition="jester")
    table.arrange({"5": f"{nominee}B", "0": "CDEFGILMNOP", "1": set("AJ") - {nominee}})
    table.deal("BCDEIO", "EFIMOP")

    table.crown(nominee)

    assert golden.last_score(table).points == ((-5, 0) if nominee == "J" else (5, 0))


@cases("moves")
def test_golden_moves(case: Case) -> None:
    table = settled(edition="jester")
    table.arrange(case["castle"])

    golden.move_as_told(table, case)


@cases("fifth")
def test_golden_jester_squeezes_in_as_a_fifth(case: Case) -> None:
    table = settled(edition="jester")
    table.arrange(case["castle"])
    table.move("J")

    table.vote("no", "yes", "yes", "yes")

    assert table.game.board.on("3") == tuple("ABCDJ")
    assert not any(table.game.board.count(dungeon) for dungeon in DUNGEONS)
    golden.move_as_told(table, case)


@cases("games")
def test_golden_totals_and_winners(case: Case) -> None:
    people = case["table"]
    table = settled(len(people), edition="jester")
    for _ in range(2):
        table.crown("A")
        fill(table)
    golden.before_the_coronation(table, case)

    golden.crown_after(table, case, 20)

    assert list(golden.last_score(table).points) == case["last_points"]
    golden.check_end(table, case)


@cases("bonus")
def test_golden_bonus_is_never_reversed(case: Case) -> None:
    table = settled(case["seats"], options(placement="compensated"), edition="jester")
    last = case["turn"] - 1
    golden.before_the_coronation(table, case)
    others = ["".join(deck.favourites(n)) for n in range(26)]
    others.remove(case["favourites"])
    table.deal(*others[:last], case["favourites"])

    table.crown("J")

    scored = golden.last_score(table)
    assert (scored.points[last], scored.bonus[last]) == (case["points"], case["bonus"])
    assert scored.totals[last] == 20 + case["round_score"]


def test_golden_values_of_the_places() -> None:
    law = EDITIONS["jester"]

    assert {place.key: place.value for place in law.places} == GOLDEN["values"]


@pytest.mark.parametrize("seats", range(2, 9))
def test_golden_setup(seats: int) -> None:
    expected = GOLDEN["setup"][str(seats)]

    table = settled(seats, edition="jester")

    noes = [Card.NO] * expected["no_cards"]
    assert table.view().hand == (Card.YES, *noes, Card.STOMACHACHE)
    assert table.game.placed == (expected["placed_each"],) * seats
    assert table.game.board.count("0") == expected["servants"]


@pytest.mark.parametrize("seats", [7, 8])
@pytest.mark.parametrize("first", [0, 3])
def test_golden_compensated_setup(seats: int, first: int) -> None:
    expected = GOLDEN["compensated"][str(seats)]
    chosen = options(placement="compensated", first=first)
    table = settled(seats, chosen, edition="jester")
    placed = table.game.placed
    assert table.game.board.count("0") == expected["servants"]

    table.crown("A")

    in_turn = [(first + turn) % seats for turn in range(seats)]
    assert [placed[seat] for seat in in_turn] == expected["placed"]
    bonus = golden.last_score(table).bonus
    assert [bonus[seat] for seat in in_turn] == expected["bonus"]
