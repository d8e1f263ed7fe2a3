"""The worked examples of golden_classic.json, played through the engine."""

import pytest

from engine.board import Card, Seat
from engine.deck import CARDS, favourites
from engine.editions import EDITIONS
from engine.events import ElectionResolved
from engine.state import Phase
from tests.rig.engine import golden
from tests.rig.engine.golden import Case
from tests.rig.engine.naive_rules import CLASSIC, score
from tests.rig.engine.tables import Table, fill, options, settled

GOLDEN = golden.load("classic")


def cases(kind: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", GOLDEN[kind], ids=lambda case: case["id"])


def before_the_coronation(case: Case, seats: int, number: int, rounds: int) -> Table:
    """A table of that round with the castle set out and the king on floor 5."""
    table = settled(seats, options(rounds=rounds))
    for _ in range(number - 1):
        table.crown("A")
        fill(table)
    golden.before_the_coronation(table, case)
    return table


@cases("scores")
def test_golden_round_scores(case: Case) -> None:
    expected: dict[str, int] = case["points"]
    dealt = [card for card in expected if frozenset(card) in CARDS]
    others = ["".join(favourites(n)) for n in range(26)]
    hands = [*dealt, *(card for card in others if card not in dealt)][:4]
    table = before_the_coronation(case, 4, case["round"], rounds=3)
    table.deal(*hands)
    table.nominate(case["king"])
    board = table.game.board

    table.vote("yes", "yes", "yes", "yes")

    points = dict(zip(hands, golden.last_score(table).points, strict=True))
    assert {card: points[card] for card in dealt} == {
        card: expected[card] for card in dealt
    }
    law = table.game.law
    for card, won in expected.items():
        assert law.round_points(board, card, case["round"], 3) == won
        assert score(CLASSIC, dict(board.at), card, case["round"]) == won


@cases("scores")
def test_golden_scores_of_the_other_players_are_some_cards_scores(case: Case) -> None:
    places = {c: place for place, letters in case["castle"].items() for c in letters}

    possible = [
        score(CLASSIC, places, "".join(favourites(n)), case["round"]) for n in range(26)
    ]

    assert set(case["others"]) <= set(possible)


@cases("elections")
def test_golden_elections(case: Case) -> None:
    people: list[str] = case["table"]
    table = settled(len(people))
    others = "ABCDEFGILMNOP".replace(case["nominee"], "")
    table.arrange({"5": case["nominee"], "0": others})
    mover = people.index(case["mover"])
    table.ask(Seat(mover))
    before = table.game.hands
    table.move(case["nominee"])
    assert table.game.crown == mover

    resolved = table.vote(*case["votes"])[0]

    assert isinstance(resolved, ElectionResolved)
    assert resolved.verdict == case["verdict"]
    if case["next"] is not None:
        assert people[table.turn] == case["next"]
    if case["verdict"] == "refused":
        assert table.game.board.at[case["nominee"]] == "out"
        assert people[table.turn] == people[(mover + 1) % len(people)]
        spent = [
            name for name, v in zip(people, case["votes"], strict=True) if v == "no"
        ]
        assert case["spent"] in (None, sorted(spent))
        for name, old, new in zip(people, before, table.game.hands, strict=True):
            lost = [Card.NO] if name in spent else []
            assert sorted([*new, *lost]) == sorted(old)
    else:
        assert table.game.phase is Phase.PLACEMENT
        assert table.game.round == 2


@cases("moves")
def test_golden_moves(case: Case) -> None:
    table = settled()
    table.arrange(case["castle"])

    golden.move_as_told(table, case)


@cases("games")
def test_golden_totals_and_winners(case: Case) -> None:
    people, number = case["table"], case["rounds"]
    table = before_the_coronation(case, len(people), number, rounds=number)

    golden.crown_after(table, case, 0)

    raw = [
        won if won or number < 3 else 33 for won in case["last_points"]
    ]  # RULES §1.10
    assert list(golden.last_score(table).points) == raw
    golden.check_end(table, case)


def test_golden_cards_are_the_deck() -> None:
    assert sorted("".join(favourites(n)) for n in range(26)) == GOLDEN["cards"]


def test_golden_values_of_the_floors() -> None:
    law = EDITIONS["classic"]

    assert {key: law.place(key).value for key in GOLDEN["values"]} == GOLDEN["values"]
    assert law.place("out").value == 0


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_golden_setup(seats: int) -> None:
    expected = GOLDEN["setup"][str(seats)]

    table = settled(seats)

    assert table.view().hand.count(Card.NO) == expected["no_cards"]
    assert table.game.placed == (expected["placed_each"],) * seats
    assert table.game.board.count("0") == expected["servants"]
