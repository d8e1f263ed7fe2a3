from collections import Counter
from collections.abc import Sequence

import pytest

from engine.board import Card, Seat
from engine.bots import BOTS, shrewd
from engine.bots.playout import Round
from engine.bots.tabulated import tables
from engine.bots.worlds import World, Worlds
from engine.commands import Ballot, Move
from engine.deck import favourites
from engine.editions import EDITIONS
from tests.rig.engine.playouts import counted
from tests.rig.engine.tables import RACHEL, Table, chance, options, settled, started

SIXES = ("BCDEIO", "ADEFGM", "EFIMOP", "ACEFNO")


def worlds(table: Table, count: int = 200) -> list[World]:
    """What Rachel thinks possible."""
    view, game = table.view(RACHEL), table.game
    assert view.own is not None
    law = tables(game.edition, game.rules, len(game.seats), game.round, 3)
    return Worlds(law, view, view.own, chance(1)).sample(count)


def six(card: Sequence[int], edition: str = "classic") -> str:
    letters = sorted(EDITIONS[edition].characters)
    return "".join(c for c, on in zip(letters, card, strict=True) if on)


def test_no_card_is_dealt_twice_in_a_world() -> None:
    for world in worlds(started(6)):
        assert len(set(world.cards)) == 6


def test_worlds_hold_no_card_of_an_earlier_round() -> None:
    table = settled()
    table.crown("A")
    over = {"".join(favourites(card)) for card in table.game.scored[0].favourites}

    dealt = {six(card) for world in worlds(table) for card in world.cards}

    assert dealt.isdisjoint(over)
    assert len(dealt) > 10


@pytest.mark.parametrize("history", ["table", "open"])
def test_hands_are_those_that_the_shown_cards_left(history: str) -> None:
    table = settled(chosen=options(history=history))
    table.nominate("A")
    table.vote("yes", "no", "yes", "no")

    for world in worlds(table):
        assert world.hands == [[3], [2], [3], [2]]


def test_a_refusal_whose_cards_are_covered_was_somebodys_no() -> None:
    table = settled()
    for letter in "AB":
        table.nominate(letter)
        table.vote("yes", "no", "yes", "yes")

    hands = [world.hands for world in worlds(table)]

    assert all(hand[0] == [3] and hand[1][0] <= 2 for hand in hands)
    spent = Counter(12 - sum(held for (held,) in hand) for hand in hands)
    assert min(spent) == 2
    assert len(spent) > 1


def test_own_spending_can_explain_a_refusal_by_itself() -> None:
    table = settled()
    for letter, card in (("A", "no"), ("B", "yes")):
        table.nominate(letter)
        table.vote(card, "no", "yes", "yes")

    hands = [world.hands for world in worlds(table)]

    assert any(sum(held for (held,) in hand) == 12 - 2 for hand in hands)


def test_who_refuses_a_character_is_thought_not_to_favour_it() -> None:
    table = settled(chosen=options(history="open"))
    table.nominate("A")
    table.vote("yes", "no", "yes", "yes")

    fans = [0, 0, 0, 0]
    for world in worlds(table, 1000):
        for seat, card in enumerate(world.cards):
            fans[seat] += "A" in six(card)

    assert fans[1] < 0.7 * min(fans[2], fans[3])


def best(table: Table, seat: Seat = RACHEL) -> Counter[object]:
    """What the bot answers, of twenty chances."""
    bot = shrewd.bot(playouts=60)
    return Counter(bot(table.view(seat), chance(number)) for number in range(20))


def last_round(places: dict[str, str], spare: int = 0) -> Table:
    """Rachel is to move in a last round; all have spent their No cards and show it.

    She alone keeps `spare` of them.
    """
    table = settled(chosen=options(rounds=1, history="open"))
    table.deal(*SIXES)
    for number, letter in enumerate("AFN"):
        rest = "".join(c for c in "ABCDEFGILMNOP" if c != letter)
        table.arrange({"5": letter, "0": rest})
        table.nominate(letter)
        table.vote("yes" if number < spare else "no", "no", "no", "no")
    table.ask(RACHEL)
    table.arrange(places)
    return table


def test_shrewd_crowns_its_favourite_before_another_is_crowned() -> None:
    """All of hers stand as high as they will; A, F or G could be next."""
    table = last_round({"5": "BAFG", "4": "CDEI", "3": "O", "1": "MNLP"})

    assert best(table)[Move("B")] >= 18


def test_shrewd_refuses_a_king_that_loses_the_game() -> None:
    """Only one No is left in the game, and it is Rachel's."""
    table = last_round({"5": "M", "4": "AFG", "1": "BCDE", "0": "IOLNP"}, spare=1)
    table.nominate("M")

    assert best(table)[Ballot(Card.NO)] >= 15


def test_shrewd_lets_a_king_pass_that_wins_the_game() -> None:
    table = settled(chosen=options(rounds=1))
    table.deal(*SIXES)
    table.arrange({"5": "BCD", "4": "EIO", "0": "AFGLMNP"})
    table.nominate("B")

    assert best(table)[Ballot(Card.YES)] == 20


@pytest.mark.parametrize("nos", [0, 2])
def test_a_ballot_takes_as_long_whatever_the_hand_holds(
    nos: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = last_round({"5": "M", "4": "AFG", "1": "BCDE", "0": "IOLNP"}, spare=nos)
    table.nominate("M")
    played = counted(monkeypatch, Round)

    shrewd.bot(playouts=40)(table.view(RACHEL), chance(1))

    assert len(played) == 40


@pytest.mark.parametrize(
    ("name", "seats"), [(law.id, n) for law in EDITIONS.values() for n in law.seats]
)
def test_a_decision_takes_no_more_playouts_than_the_budget(
    name: str, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = settled(seats, edition=name)
    views = [table.view(RACHEL)]
    rest = [c for c in table.game.law.characters if c not in "ABCDEFGI"]
    table.arrange({"5": "ABCD", "4": "EFGI", "0": rest})
    views.append(table.view(RACHEL))
    table.nominate("A")
    views.append(table.view(RACHEL))
    for view in views:
        played = counted(monkeypatch, Round)

        BOTS["shrewd"](view, chance(1))

        assert shrewd.PLAYOUTS / 2 < len(played) <= shrewd.PLAYOUTS
