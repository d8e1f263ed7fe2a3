"""Bots against bots at one table: who wins how often, and how long they think."""

import argparse
import math
import random
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from statistics import mean
from time import process_time

import msgspec

from engine import views
from engine.board import Seat
from engine.bots import BOTS, Bot, shrewd
from engine.commands import (
    Chair,
    CloseTable,
    CreateGame,
    GiveAnswer,
    Options,
    ResolveElection,
    Sealed,
    Source,
    StartGame,
)
from engine.decide import decide
from engine.editions import EDITIONS
from engine.evolve import evolve
from engine.state import Game

_95_PERCENT = 1.96


class Row(msgspec.Struct, frozen=True):
    """A bot, and what sits on the other seats; no playouts are shrewd's own budget."""

    edition: str
    bot: str
    against: str
    games: int
    playouts: int = 0
    seats: int = 4


class Outcome(msgspec.Struct, frozen=True):
    """What one game brought the bot under test: a win shared by k counts 1/k.

    `seconds` are the processor's, of each of its decisions.
    """

    share: float
    own: int
    others: float
    seconds: tuple[float, ...]


def seated(name: str, playouts: int) -> Bot:
    """The bot of that name; `playouts` is shrewd's budget, 0 for its own."""
    return shrewd.bot(playouts) if name == "shrewd" and playouts else BOTS[name]


def begun(edition: str, seats: int, chance: random.Random) -> tuple[Game, Sealed]:
    """A game at its first decision, by the edition's own default options."""
    choices = EDITIONS[edition].choices
    options = Options(
        rounds=choices.rounds[0],
        placement=choices.placement[0],
        ballot_history=choices.ballot_history[0],
        first=None,
        decision_time=None,
    )
    sealed = Sealed(chance.randbytes(32), chance.randbytes(32))
    game = Game(id="arena")
    for command in (
        CreateGame(sealed.seed, b""),
        CloseTable(edition, options, (Chair("bot"),) * seats, (b"",) * seats),
        StartGame(sealed),
    ):
        for event in decide(game, command):
            game = evolve(game, event)
    return game, sealed


def play(row: Row, number: int) -> Outcome:
    """One game, the same one for the same number; the bot's seat goes round."""
    chance = random.Random(f"{row.edition} {number}")
    game, sealed = begun(row.edition, row.seats, chance)
    tested = Seat(number % row.seats)
    bot, other = seated(row.bot, row.playouts), BOTS[row.against]
    seconds: list[float] = []
    while game.running and game.decision is not None:
        question = game.decision.number
        if game.election_complete:
            for event in decide(game, ResolveElection(question, sealed)):
                game = evolve(game, event)
            continue
        seat = game.asked()[0]
        view = views.view(game, seat)
        begun_at = process_time()
        answer = (bot if seat == tested else other)(view, chance)
        if seat == tested:
            seconds.append(process_time() - begun_at)
        given = GiveAnswer(question, seat, answer, Source.BOT)
        for event in decide(game, given):
            game = evolve(game, event)
    rest = [total for seat, total in enumerate(game.totals) if seat != tested]
    share = 1 / len(game.winners) if tested in game.winners else 0.0
    return Outcome(share, game.totals[tested], mean(rest), tuple(seconds))


def wilson(share: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a share of wins (Wilson's score interval)."""
    z2 = _95_PERCENT**2
    middle = (share + z2 / (2 * games)) / (1 + z2 / games)
    spread = math.sqrt(share * (1 - share) / games + z2 / (4 * games**2))
    reach = _95_PERCENT * spread / (1 + z2 / games)
    return middle - reach, middle + reach


def line(row: Row, outcomes: Sequence[Outcome]) -> str:
    """A row's figures, to be read by people."""
    share = mean(outcome.share for outcome in outcomes)
    low, high = wilson(share, len(outcomes))
    times = [1000 * one for outcome in outcomes for one in outcome.seconds]
    return (
        f"{row.edition:8} {row.bot:7} against {row.seats - 1} {row.against:7}"
        f" {len(outcomes):4} games  wins {share:6.1%}  [{low:.1%}, {high:.1%}]"
        f"  {mean(times):6.2f} ms a decision, {max(times):.0f} the longest"
        f"  points {mean(o.own for o in outcomes):5.1f}"
        f" against {mean(o.others for o in outcomes):5.1f}"
    )


def main() -> None:
    """Play the rows in two processes and print them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=400, help="a row")
    parser.add_argument("--playouts", type=int, default=0, help="0: the bot's own")
    parser.add_argument("--bots", nargs="*", default=["steady", "shrewd"])
    parser.add_argument("--editions", nargs="*", default=list(EDITIONS))
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--first", type=int, default=0, help="number of the first game")
    chosen = parser.parse_args()
    against = {"steady": "random", "shrewd": "steady"}
    sitting = [e for e in chosen.editions if chosen.seats in EDITIONS[e].seats]
    table = (chosen.games, chosen.playouts, chosen.seats)
    numbers = range(chosen.first, chosen.first + chosen.games)
    with ProcessPoolExecutor(2) as pool:
        for bot in chosen.bots:
            for edition in sitting:
                row = Row(edition, bot, against[bot], *table)
                outcomes = list(pool.map(play, [row] * chosen.games, numbers))
                sys.stdout.write(line(row, outcomes) + "\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
