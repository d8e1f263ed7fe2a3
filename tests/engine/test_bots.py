import ast
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import bots
from engine.bots import BOTS, Bot, shrewd
from engine.commands import PlacementOption
from engine.editions import EDITIONS
from engine.errors import BadTable
from tests.rig import pairwise
from tests.rig.engine.tables import (
    RACHEL,
    SIMON,
    Table,
    chance,
    closed,
    options,
    settled,
    started,
)

QUICK = {**BOTS, "shrewd": shrewd.bot(playouts=1)}
"""The bots, with so small a budget that whole games take no time."""

ALLOWED = {"board", "bots", "commands", "deck", "editions", "views"}
"""What of the engine a bot may know: the rules, and what a view shows."""

PURE = {"collections", "functools", "itertools", "math", "msgspec", "random", "typing"}
"""What it may know besides: nothing that reads files, or other modules' memory."""


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


@pytest.mark.parametrize(
    ("name", "edition", "seats", "placement", "history"),
    pairwise.params([(name, *table) for name in QUICK for table in tables()]),
)
def test_a_bot_answers_legally_until_the_end(
    name: str, edition: str, seats: int, placement: str, history: str
) -> None:
    bot = QUICK[name]
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


def imported(module: Path) -> set[str]:
    """The full names of what a module imports."""
    return {
        f"{node.module}.{alias.name}"
        if isinstance(node, ast.ImportFrom)
        else alias.name
        for node in ast.walk(ast.parse(module.read_text()))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }


def test_no_bot_knows_more_than_its_view_tells() -> None:
    """None of their modules names one that holds a game."""
    modules = list(Path(bots.__path__[0]).rglob("*.py"))

    names = set().union(*map(imported, modules))

    assert "engine.views.View" in names
    assert "engine" not in names
    ours = [name.split(".") for name in names if name.startswith("engine.")]
    assert {parts[1] for parts in ours} <= ALLOWED
    assert {name.partition(".")[0] for name in names} <= {"engine", *PURE}


def test_random_gives_every_legal_answer_about_as_often() -> None:
    table = settled()
    legal = table.legal(RACHEL)

    given = [BOTS["random"](table.view(RACHEL), chance(n)) for n in range(1000)]

    counts = [given.count(answer) for answer in legal]
    assert sum(counts) == 1000
    assert min(counts) > 0.6 * 1000 / len(legal)
