"""Bots against bots at one table: who wins how often, and how long they think."""

import argparse
import random
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from statistics import mean
from time import process_time

import msgspec

from engine import rehearsal, views
from engine.board import Seat
from engine.bots import BOTS, Bot, shrewd
from engine.commands import Chair
from engine.editions import EDITIONS
from service.commands import standings
from service.commands.standings import GameOutcome


class Row(msgspec.Struct, frozen=True):
    """A bot, and what sits on the other seats; no playouts are shrewd's own budget."""

    edition: str
    bot: str
    against: str
    games: int
    playouts: int = 0
    seats: int = 4


def seated(name: str, playouts: int) -> Bot:
    """The bot of that name; `playouts` is shrewd's budget, 0 for its own."""
    return shrewd.bot(playouts) if name == "shrewd" and playouts else BOTS[name]


def play(row: Row, number: int) -> GameOutcome:
    """One game, the same one for the same number; the bot's seat goes round."""
    chance = random.Random(f"{row.edition} {number}")
    chairs = (Chair("bot"),) * row.seats
    table = rehearsal.begun("arena", row.edition, chairs, chance)
    tested = Seat(number % row.seats)
    bot, other = seated(row.bot, row.playouts), BOTS[row.against]
    seconds: list[float] = []
    while table.game.running:
        seat = table.game.asked()[0]
        view = views.view(table.game, seat)
        begun_at = process_time()
        answer = (bot if seat == tested else other)(view, chance)
        if seat == tested:
            seconds.append(process_time() - begun_at)
        table = rehearsal.answered(table, seat, answer)
    return standings.outcome(table.game, tested, seconds)


def line(row: Row, outcomes: Sequence[GameOutcome]) -> str:
    """A row's figures, to be read by people."""
    share = mean(outcome.share for outcome in outcomes)
    low, high = standings.wilson(share, len(outcomes))
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
