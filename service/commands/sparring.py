"""The command `kingup spar`: a bot's file against our bots, with nothing but memory."""

import random
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean
from time import thread_time
from typing import Final
from uuid import UUID

import click
import msgspec

from engine import rehearsal, views
from engine.board import Seat
from engine.bots import BOTS
from engine.commands import Answer, Chair
from engine.editions import EDITIONS
from engine.rehearsal import Rehearsal
from engine.state import Game
from service.api.http import replies
from service.api.replies import game_view
from service.api.replies.view_reply import ViewReply
from service.commands import bot_file, standings
from service.commands.bot_file import (
    BotRaised,
    Choose,
    IllegalAnswer,
    JsonObject,
    NoBot,
)
from service.commands.standings import GameOutcome
from service.store.games import GameReadModel
from service.store.seats import SeatRow
from service.values import entropy, names
from service.values.enums import GameStatus, SeatState, Visibility

_NO_BOT: Final = 2
_SEEDS: Final = 10**6
_LONG_AGO: Final = datetime(2000, 1, 1, tzinfo=UTC)
"""A game's moments, which no view shows."""


class Bout(msgspec.Struct, frozen=True):
    """What is played: whose bot, against which of ours, at which table."""

    file: Path
    edition: str
    seats: int
    against: str
    games: int
    seed: int


class Lost(Exception):
    """A game that a bot couldn't play on; the text says where, and what went wrong."""


@click.command("spar")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--edition", type=click.Choice(list(EDITIONS)), default="classic", show_default=True
)
@click.option("--seats", default=4, show_default=True, help="Yours and ours.")
@click.option("--games", type=click.IntRange(1), default=20, show_default=True)
@click.option(
    "--against",
    type=click.Choice(list(BOTS)),
    default="steady",
    show_default=True,
    help="Our bot, on every other seat.",
)
@click.option("--seed", type=int, help="The same games again.  [default: drawn]")
@click.pass_context
def spar(
    ctx: click.Context,
    file: Path,
    edition: str,
    seats: int,
    games: int,
    against: str,
    seed: int | None,
) -> None:
    """Play the bot in FILE against ours, here and now, and count its wins.

    FILE is a Python file with a function `choose`: it gets the view of its seat, as
    the API shows it, and returns one of the answers in view["legal"]. Its seat goes
    round. Ends with 1 when the bot fails or answers against the rules, 2 when there is
    no bot in FILE.
    """
    law = EDITIONS[edition]
    if seats not in law.seats:
        few, many = law.seats[0], law.seats[-1]
        raise click.BadParameter(
            f"{edition} has {few} to {many}.", param_hint="--seats"
        )
    drawn = entropy.dice().randrange(_SEEDS) if seed is None else seed
    bout = Bout(file, edition, seats, against, games, drawn)
    click.echo(_headline(bout))
    try:
        choose = bot_file.load(file)
    except NoBot as error:
        click.echo(error, err=True)
        ctx.exit(_NO_BOT)
    try:
        outcomes = [play(bout, choose, number) for number in range(1, games + 1)]
    except Lost as error:
        click.echo(error, err=True)
        ctx.exit(1)
    click.echo(_summary(bout, outcomes))


def play(bout: Bout, choose: Choose, number: int) -> GameOutcome:
    """One game, the same one for the same seed and number. Raises Lost."""
    text = f"{bout.edition} {bout.seed} {number}"
    # Games that nobody keeps, to be repeated: no chance of the service's.
    chance = random.Random(text)  # noqa: S311 - no secrets
    # What the bot draws itself shall come again as well.
    random.seed(text)
    game_id = str(UUID(bytes=chance.randbytes(16), version=4))
    tested = Seat((number - 1) % bout.seats)
    chairs = [Chair("bot", bout.against)] * bout.seats
    chairs[tested] = Chair("person")
    table = rehearsal.begun(game_id, bout.edition, tuple(chairs), chance)
    seconds: list[float] = []
    while table.game.running:
        seat = table.game.asked()[0]
        if seat == tested:
            answer, took = _asked(bout, choose, number, table, seat)
            seconds.append(took)
        else:
            answer = BOTS[bout.against](views.view(table.game, seat), chance)
        table = rehearsal.answered(table, seat, answer)
    return standings.outcome(table.game, tested, seconds)


def _asked(
    bout: Bout, choose: Choose, number: int, table: Rehearsal, seat: Seat
) -> tuple[Answer, float]:
    """What the bot answers, and the processor seconds it took. Raises Lost."""
    seen = shown_to(table, seat)
    view = as_json(seen)
    begun_at = thread_time()
    try:
        chosen = bot_file.ask(choose, view, bout.file)
    except (BotRaised, IllegalAnswer) as error:
        asked = view["decision"]
        raise Lost(
            f"Game {number}, round {view['round']}, decision {asked['number']}"
            f" ({asked['kind']}): {asked['question']}\n{error}"
        ) from error
    return seen.legal[chosen].answer, thread_time() - begun_at


def shown_to(table: Rehearsal, seat: Seat) -> ViewReply:
    """A running game in memory, as the API shows it to a seat."""
    game = table.game
    seen = GameReadModel(
        id=UUID(game.id),
        game=game,
        status=GameStatus.RUNNING,
        edition=game.edition,
        options=msgspec.to_builtins(game.table),
        practice=False,
        visibility=Visibility.LINK,
        record=table.record,
        head=table.head,
        opened_at=None,
        deadline=None,
        laid=None,
        paused_at=None,
        seats=_seats(game),
        created_at=_LONG_AGO,
        started_at=_LONG_AGO,
        ended_at=None,
        proved=True,
        seat=seat,
    )
    return game_view.now(seen)


def as_json(seen: ViewReply) -> JsonObject:
    """A view as a bot gets it: read from what the API would answer."""
    return msgspec.json.decode(replies.encode(seen), type=JsonObject)


def _seats(game: Game) -> tuple[SeatRow, ...]:
    return tuple(
        SeatRow(number, names.of_seat(number), chair.bot, SeatState.JOINED)
        for number, chair in enumerate(game.seats)
    )


def _headline(bout: Bout) -> str:
    others = bout.seats - 1
    return (
        f"{bout.file.name} against {others} {bout.against}, {bout.edition},"
        f" {bout.games} games, seed {bout.seed}"
    )


def _summary(bout: Bout, outcomes: Sequence[GameOutcome]) -> str:
    share = mean(outcome.share for outcome in outcomes)
    low, high = standings.wilson(share, len(outcomes))
    even = f"even is {1 / bout.seats:.0%}"
    seconds, game = max(
        (max(outcome.seconds), number) for number, outcome in enumerate(outcomes, 1)
    )
    return "\n".join(
        (
            f"wins     {share * len(outcomes):.1f} of {len(outcomes)}, {share:.0%}"
            f" (95% interval {max(low, 0):.0%} to {high:.0%}; {even})",
            f"points   {mean(o.own for o in outcomes):.1f}, the others"
            f" {mean(o.others for o in outcomes):.1f}",
            f"slowest  {1000 * seconds:.1f} ms of processor time for a decision,"
            f" in game {game}",
        )
    )
