from collections.abc import Callable, Iterable, Mapping

import pytest
from msgspec.structs import replace

from engine.board import Board, Card, Seat, Verdict
from engine.bots import BOTS
from engine.commands import Answer, Ballot, Move, Placement
from engine.deck import favourites
from engine.editions import EDITIONS
from engine.editions.base import Edition
from tests.rig.engine.tables import RACHEL, Table, chance, options, settled, started

steady = BOTS["steady"]

SIXES = ("BCDEIO", "ADEFGM", "EFIMOP", "ACEFNO")


def often(table: Table, wanted: Callable[[Answer], bool], seat: Seat = RACHEL) -> float:
    """How often, of a hundred chances, the bot gives such an answer."""
    answers = [steady(table.view(seat), chance(number)) for number in range(100)]
    return sum(map(wanted, answers)) / 100


def lifted(table: Table, letters: str) -> float:
    """How often it moves one of these characters."""
    return often(table, lambda a: isinstance(a, Move) and a.character in letters)


def arranged(places: Mapping[str, Iterable[str]], edition: str = "classic") -> Table:
    """Rachel, with the card BCDEIO, is to move in this castle."""
    table = settled(chosen=options(history="open"), edition=edition)
    table.deal(*SIXES)
    table.arrange(places)
    return table


def spend(table: Table, letters: str) -> None:
    """Let every seat lay a No against each of these, and Rachel be in turn again."""
    for letter in letters:
        rest = "".join(c for c in table.game.law.characters if c != letter)
        table.arrange({"5": letter, "0": rest})
        table.nominate(letter)
        table.vote("no", "no", "no", "no")
    table.ask(RACHEL)


def test_steady_places_its_favourites_high_and_others_low() -> None:
    table = started()
    own = favourites(table.game.deck[RACHEL])

    def sensible(answer: Answer) -> bool:
        assert isinstance(answer, Placement)
        return (answer.character in own) == (answer.place in "34")

    assert often(table, sensible) > 0.9


def test_steady_mostly_lifts_favourites_but_not_by_rote() -> None:
    table = arranged({"0": "BCDEIO", "1": "AFG", "2": "LMNP"})

    assert lifted(table, "BCDEIO") > 0.7
    answers = {steady(table.view(RACHEL), chance(n)) for n in range(100)}
    assert len(answers) > 3


def test_steady_does_not_end_a_round_that_promises_more() -> None:
    """Nobody holds a veto any more: who is put up now is king."""
    table = arranged({})
    spend(table, "ALM")
    table.arrange({"5": "ALM", "0": "BCDEIONP", "out": "FG"})
    assert table.game.hands[RACHEL] == (Card.YES,)

    assert lifted(table, "ALM") == 0


def test_steady_puts_up_a_favourite_that_nobody_can_refuse() -> None:
    table = arranged({})
    spend(table, "ALM")
    table.arrange({"5": "BCD", "4": "EIO", "0": "AFGLMNP"})

    assert lifted(table, "BCD") == 1


def test_steady_lifts_no_favourite_into_a_wc() -> None:
    table = arranged({"4": "BCDA", "3": "EIFG", "2": "OLMN", "1": "PJ"}, "jester")

    assert lifted(table, "EIO") == 0


def test_steady_takes_a_favourite_out_of_a_wc() -> None:
    table = arranged({"wc4": "B", "0": "CDEIO", "2": "AFGL", "3": "JMNP"}, "jester")

    assert lifted(table, "B") > 0.4


def vote(own: dict[str, str], nominee: str, edition: str = "classic") -> float:
    """How often seat 0, with the card BCDEIO, says Yes."""
    table = arranged(own, edition)
    table.nominate(nominee)
    return often(table, lambda a: a == Ballot(Card.YES))


def test_steady_says_yes_to_a_king_that_suits_it() -> None:
    assert vote({"5": "BC", "4": "DEIO", "0": "AFGLMNP"}, "B") == 1


def test_steady_says_no_to_a_stranger_while_its_own_stand_low() -> None:
    assert vote({"5": "A", "0": "BCDEIO", "1": "FGLM", "2": "NP"}, "A") == 0


def test_steady_says_yes_when_nobody_of_its_own_is_left() -> None:
    assert vote({"5": "A", "out": "BCDEIO", "1": "FGLM", "2": "NP"}, "A") == 1


def test_steady_says_no_to_a_jester_who_would_turn_high_points_round() -> None:
    castle = {"5": "JB", "4": "CDEI", "3": "O", "0": "AFGLMNP"}

    assert vote(castle, "J", "jester") == 0


def test_steady_says_yes_to_a_jester_who_turns_its_dungeons_round() -> None:
    castle = {
        "5": "JAF",
        "4": "GLMNP",
        "0": "EIO",
        "dungeon3": "B",
        "dungeon2": "C",
        "dungeon1": "D",
    }

    assert vote(castle, "J", "jester") == 1


def test_steady_keeps_a_favourite_from_the_dungeon_with_a_stomachache() -> None:
    """The others have spent their No cards, so it is for this one to say."""
    table = arranged({}, "jester")
    spend(table, "AFG")
    table.arrange({"5": "B", "0": "CDEIO", "3": "AFGL", "4": "JMNP"})
    table.nominate("B")

    assert often(table, lambda a: a == Ballot(Card.STOMACHACHE)) > 0.7


def test_steady_says_yes_to_any_king_when_its_own_nothing_counts_33() -> None:
    table = arranged({"5": "A", "out": "BCDEI", "0": "OFGLM", "2": "NP"})
    table.game = replace(table.game, round=3)
    table.deal(*SIXES)
    table.nominate("A")

    assert often(table, lambda a: a == Ballot(Card.YES)) == 1


def test_steady_keeps_its_last_no_for_something_worth_it() -> None:
    """A king that is rather poor is refused with many No cards, not with one."""
    yes = {}
    for held in (3, 1):
        table = arranged({"5": "G", "1": "BCD", "0": "AEIOFLMNP"})
        hand = (Card.YES, *(Card.NO,) * held)
        table.game = replace(table.game, hands=(hand, *table.game.hands[1:]))
        table.nominate("G")
        yes[held] = often(table, lambda a: a == Ballot(Card.YES))

    assert yes[3] < 0.3
    assert yes[1] > 0.7


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_ballot_is_weighed_as_long_whatever_the_hand_holds(
    edition: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    law = type(EDITIONS[edition])
    weighed: list[Verdict] = []
    aftermath = law.aftermath

    def noted(self: Edition, board: Board, nominee: str, verdict: Verdict) -> str:
        weighed.append(verdict)
        return aftermath(self, board, nominee, verdict)

    monkeypatch.setattr(law, "aftermath", noted)
    rest = [c for c in EDITIONS[edition].characters if c != "A"]
    table = arranged({"5": "A", "0": rest}, edition)
    table.nominate("A")
    seen = []
    for hand in (EDITIONS[edition].hand(4), (Card.YES,)):
        table.game = replace(table.game, hands=(hand, *table.game.hands[1:]))
        weighed.clear()

        steady(table.view(RACHEL), chance(1))

        seen.append(tuple(weighed))

    assert seen[0] == seen[1]
    assert len(seen[0]) == len(EDITIONS[edition].cards)
