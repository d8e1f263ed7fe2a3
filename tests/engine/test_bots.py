import ast
import random
from collections.abc import Iterator
from pathlib import Path
from time import process_time

import pytest

from engine import bots
from engine.board import Seat
from engine.bots import BOTS, Bot, shrewd
from engine.commands import PlacementOption
from engine.editions import EDITIONS
from engine.errors import BadTable
from tests.engine.tables import (
    RACHEL,
    SIMON,
    Table,
    chance,
    closed,
    options,
    settled,
    started,
)

QUICK = {**BOTS, "shrewd": shrewd.bot(playouts=4)}
"""The bots, with so small a budget that whole games take no time."""

FORBIDDEN = {"state", "decide", "evolve", "reveal", "legal", "events", "fairness"}
"""What of the engine holds a game with its secrets, or the means to get at them."""


def tables() -> Iterator[tuple[str, int, str, str]]:
    """Every edition, number of seats, placement and history that can be played."""
    for name, law in EDITIONS.items():
        for seats in law.seats:
            for placement in law.choices.placement:
                for history in law.choices.ballot_history:
                    try:
                        law.check_table(seats, 3, placement, history)
                    except BadTable:
                        continue
                    yield name, seats, placement.value, history.value


def play(table: Table, bot: Bot, rng: random.Random) -> int:
    """Let the bot play all seats to the end; how many answers that took."""
    answers = 0
    while table.game.running:
        if table.game.election_complete:
            table.resolve()
            continue
        seat = rng.choice(table.game.asked())
        answer = bot(table.view(seat), rng)
        assert answer in table.legal(seat)
        table.answer(answer, seat)
        answers += 1
    return answers


@pytest.mark.parametrize("bot", QUICK.values(), ids=list(QUICK))
@pytest.mark.parametrize(("edition", "seats", "placement", "history"), list(tables()))
def test_a_bot_answers_legally_until_the_end(
    bot: Bot, edition: str, seats: int, placement: str, history: str
) -> None:
    rng = chance(seats)
    chosen = options(placement=placement, history=history, first=None)
    table = started(seats, chosen, rng.randbytes(32), edition)

    answers = play(table, bot, rng)

    assert table.game.reason == "finished"
    least = 1 if chosen.placement is PlacementOption.RANDOM else seats
    assert answers >= 3 * least


@pytest.mark.parametrize("bot", QUICK.values(), ids=list(QUICK))
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("rounds", [1, 2])
def test_a_bot_plays_short_games_too(bot: Bot, edition: str, rounds: int) -> None:
    rng = chance(rounds)
    table = started(4, options(rounds=rounds), rng.randbytes(32), edition)

    play(table, bot, rng)

    assert len(table.game.scored) == rounds


@pytest.mark.parametrize("bot", QUICK.values(), ids=list(QUICK))
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_bot_answers_alike_to_the_same_view_and_chance(
    bot: Bot, edition: str
) -> None:
    for table in (started(edition=edition), settled(edition=edition)):
        for number in range(5):
            view = table.view(RACHEL)
            first = bot(view, chance(number))
            # Nothing is kept from one view for another.
            bot(settled(3, edition=edition).view(RACHEL), chance(1))

            assert bot(view, chance(number)) == first


@pytest.mark.parametrize("bot", QUICK.values(), ids=list(QUICK))
def test_a_bot_that_is_not_asked_has_no_answer(bot: Bot) -> None:
    table = started()

    for view in (table.view(SIMON), table.view(None), closed().view(None)):
        with pytest.raises(LookupError):
            bot(view, chance(1))


def test_no_bot_knows_more_than_its_view_tells() -> None:
    """None of their modules names one that holds a game."""
    modules = list(Path(bots.__path__[0]).glob("*.py"))
    names = {
        f"{node.module}.{alias.name}"
        if isinstance(node, ast.ImportFrom)
        else alias.name
        for module in modules
        for node in ast.walk(ast.parse(module.read_text()))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }

    assert "engine.views.View" in names
    of_the_engine = {name.split(".")[1] for name in names if name.startswith("engine.")}
    assert of_the_engine.isdisjoint(FORBIDDEN)


def test_random_gives_every_legal_answer_about_as_often() -> None:
    table = settled()
    legal = table.legal(RACHEL)

    given = [BOTS["random"](table.view(RACHEL), chance(n)) for n in range(1000)]

    counts = [given.count(answer) for answer in legal]
    assert sum(counts) == 1000
    assert min(counts) > 0.6 * 1000 / len(legal)


def share(edition: str, tested: Bot, others: Bot, games: int) -> float:
    """How many of these games a bot wins against three others."""
    won = 0.0
    for number in range(games):
        rng = chance(number)
        table = started(4, options(first=None), rng.randbytes(32), edition)
        own = Seat(number % 4)
        while table.game.running:
            if table.game.election_complete:
                table.resolve()
                continue
            seat = table.game.asked()[0]
            bot = tested if seat == own else others
            table.answer(bot(table.view(seat), rng), seat)
        winners = table.game.winners
        won += (own in winners) / len(winners)
    return won / games


@pytest.mark.parametrize("edition", EDITIONS)
def test_steady_wins_more_than_its_share_against_chance(edition: str) -> None:
    assert share(edition, BOTS["steady"], BOTS["random"], games=40) > 0.35


@pytest.mark.parametrize("edition", EDITIONS)
def test_shrewd_wins_more_than_its_share_against_steady(edition: str) -> None:
    assert share(edition, shrewd.bot(playouts=20), BOTS["steady"], games=16) > 0.35


def test_a_bot_answers_in_milliseconds() -> None:
    for bot in BOTS.values():
        for table in (started(), settled(edition="jester")):
            begun = process_time()
            for number in range(10):
                bot(table.view(RACHEL), chance(number))

            assert (process_time() - begun) / 10 < 0.1
