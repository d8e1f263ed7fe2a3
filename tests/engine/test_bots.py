from collections.abc import Callable
from statistics import mean
from time import process_time

import pytest

from engine.board import Card, Seat
from engine.bots import BOTS, Bot
from engine.commands import Answer, Ballot, Move, Placement
from engine.deck import favourites
from tests.engine.soak import whim
from tests.engine.tables import (
    RACHEL,
    SIMON,
    Table,
    chance,
    options,
    settled,
    started,
)

steady = BOTS["steady"]


def often(table: Table, seat: Seat, wanted: Callable[[Answer], bool]) -> float:
    """How often, of a hundred chances, the bot gives such an answer."""
    answers = [steady(table.view(seat), chance(number)) for number in range(100)]
    return sum(map(wanted, answers)) / 100


def game_of(bots: set[int], seats: int, number: int) -> Table:
    rng = chance(number)
    table = started(seats, options(placement="random"), rng.randbytes(32))
    while table.game.running:
        if table.game.election_complete:
            table.resolve()
            continue
        seat = table.game.asked()[0]
        if seat in bots:
            table.answer(steady(table.view(seat), rng), seat)
        else:
            table.answer(whim(table, seat, rng), seat)
    return table


@pytest.mark.parametrize("bot", BOTS.values(), ids=list(BOTS))
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_a_bot_answers_legally_until_the_end(bot: Bot, seats: int) -> None:
    for number in range(5):
        rng = chance(number)
        table = started(seats, options(first=None), rng.randbytes(32))
        while table.game.running:
            if table.game.election_complete:
                table.resolve()
                continue
            seat = rng.choice(table.game.asked())
            answer = bot(table.view(seat), rng)
            assert answer in table.legal(seat)
            table.answer(answer, seat)


@pytest.mark.parametrize("bot", BOTS.values(), ids=list(BOTS))
def test_a_bot_answers_alike_to_the_same_view_and_chance(bot: Bot) -> None:
    for table in (started(), settled()):
        for number in range(20):
            first = bot(table.view(RACHEL), chance(number))

            assert bot(table.view(RACHEL), chance(number)) == first


@pytest.mark.parametrize("bot", BOTS.values(), ids=list(BOTS))
def test_a_bot_that_is_not_asked_has_no_answer(bot: Bot) -> None:
    table = started()

    for view in (table.view(SIMON), table.view(None)):
        with pytest.raises(LookupError):
            bot(view, chance(1))


@pytest.mark.parametrize("bot", BOTS.values(), ids=list(BOTS))
def test_a_bot_answers_in_milliseconds(bot: Bot) -> None:
    table = started()
    view, rng = table.view(RACHEL), chance(1)

    begun = process_time()
    for _ in range(100):
        bot(view, rng)

    assert (process_time() - begun) / 100 < 0.005


def test_steady_places_its_favourites_high_and_others_low() -> None:
    table = started()
    own = favourites(table.game.deck[RACHEL])

    def sensible(answer: Answer) -> bool:
        assert isinstance(answer, Placement)
        return (answer.character in own) == (answer.place in "34")

    assert often(table, RACHEL, sensible) > 0.9


def test_steady_mostly_lifts_favourites_but_not_by_rote() -> None:
    table = settled()
    table.deal("BCDEIO", "ADEFGM", "EFIMOP", "ACEFNO")
    table.arrange({"0": "BCDEIO", "1": "AFG", "2": "LMNP"})

    lifted = often(
        table, RACHEL, lambda a: isinstance(a, Move) and a.character in "BCDEIO"
    )

    assert lifted > 0.7
    answers = {steady(table.view(RACHEL), chance(n)) for n in range(100)}
    assert len(answers) > 3


def test_steady_without_a_no_does_not_put_up_a_stranger() -> None:
    table = settled(5)
    table.deal("BCDEIO", "ADEFGM", "EFIMOP", "ACEFNO", "AEILMN")
    for letter in "AB":
        table.nominate(letter)
        table.vote("no", "yes", "yes", "yes", "yes")
    table.ask(RACHEL)
    table.arrange({"5": "ALM", "0": "BCDEIONP", "out": "FG"})
    assert table.game.hands[RACHEL] == (Card.YES,)

    assert often(table, RACHEL, lambda a: a in {Move(c) for c in "ALM"}) == 0


def test_steady_puts_up_no_stranger_even_when_its_own_are_stuck() -> None:
    table = settled(5)
    table.deal("BCDEIO", "ADEFGM", "EFIMOP", "ACEFNO", "AEILMN")
    for letter in "AB":
        table.nominate(letter)
        table.vote("no", "yes", "yes", "yes", "yes")
    table.ask(RACHEL)
    table.arrange({"5": "AL", "4": "MFNP", "3": "BCDE", "2": "IO", "out": "G"})

    assert often(table, RACHEL, lambda a: a in {Move("A"), Move("L")}) < 0.1


def vote(own: dict[str, str], nominee: str) -> float:
    """How often seat 0, with the card BCDEIO, says Yes."""
    table = settled()
    table.deal("BCDEIO", "ADEFGM", "EFIMOP", "ACEFNO")
    table.arrange(own)
    table.nominate(nominee)
    return often(table, RACHEL, lambda a: a == Ballot(Card.YES))


def test_steady_says_yes_to_a_king_that_suits_it() -> None:
    assert vote({"5": "BC", "4": "DEIO", "0": "AFGLMNP"}, "B") == 1


def test_steady_says_no_to_a_stranger_while_its_own_stand_low() -> None:
    assert vote({"5": "A", "0": "BCDEIO", "1": "FGLM", "2": "NP"}, "A") == 0


def test_steady_says_yes_when_nobody_of_its_own_is_left() -> None:
    assert vote({"5": "A", "out": "BCDEIO", "1": "FGLM", "2": "NP"}, "A") == 1


def test_steady_keeps_its_last_no_for_something_worth_it() -> None:
    """A king that is a little poor is refused with many No cards, not with one."""
    yes = {}
    for spent in (0, 2):
        table = settled()
        table.deal("BCDEIO", "ADEFGM", "EFIMOP", "ACEFNO")
        for letter in "AF"[:spent]:
            table.nominate(letter)
            table.vote("no", "yes", "yes", "yes")
        table.arrange({"5": "G", "4": "BCD", "3": "E", "0": "IOLMNPAF"})
        table.nominate("G")
        assert table.game.hands[RACHEL].count(Card.NO) == 3 - spent
        yes[spent] = often(table, RACHEL, lambda a: a == Ballot(Card.YES))

    assert yes[0] < 0.3
    assert yes[2] > 0.7


@pytest.mark.parametrize("seats", [3, 4])
def test_steady_beats_chance(seats: int) -> None:
    games = [game_of({RACHEL, SIMON}, seats, number) for number in range(30)]

    bots = mean(total for table in games for total in table.game.totals[:2])
    chances = mean(total for table in games for total in table.game.totals[2:])

    assert bots > chances + 2
