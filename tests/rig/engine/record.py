"""Records a set of games for a release: `python -m tests.rig.engine.record rules-2`.

Every game is played by chance until one shows what it is kept for. A set that exists
already is left alone: what was recorded stays what it was.
"""

import itertools
import random
import sys
from typing import Final
from uuid import UUID

from engine import legal
from engine.board import Seat
from engine.commands import (
    EXTENSIONS,
    Answer,
    Ballot,
    CancelGame,
    Chair,
    CloseTable,
    CreateGame,
    ExtendDecision,
    Move,
    PauseGame,
    ResumeGame,
    SeatBot,
    SeatPerson,
    Source,
    StartGame,
)
from tests.rig.engine import random_games, recordings
from tests.rig.engine.record_plans import Plan, Player, plans
from tests.rig.engine.recordings import End, Recording, Title
from tests.rig.engine.tables import Table

_DAY: Final = 86_400


def play(plan: Plan, seed: int) -> Table:
    """One game by the plan, the same for the same seed."""
    rng = random.Random(f"{plan.edition} {plan.seats} {plan.name} {seed}")
    table = Table(str(UUID(bytes=rng.randbytes(16), version=4)), rng.randbytes(32))
    word = rng.randbytes(32) if rng.random() < 0.5 else b""
    table.do(CreateGame(table.seed, word))
    people = [True, *(rng.random() < 0.8 for _ in range(plan.seats - 1))]
    table.do(
        CloseTable(
            edition=plan.edition,
            options=plan.chosen,
            seats=tuple(
                Chair("person") if person else Chair("bot", "steady")
                for person in people
            ),
            words=(
                word,
                *(
                    rng.randbytes(32) if person and rng.random() < 0.5 else b""
                    for person in people[1:]
                ),
            ),
        )
    )
    if not plan.stops(table):
        table.do(StartGame(table.sealed))
    while table.game.running and not plan.stops(table):
        step(table, plan.player, rng)
    if plan.cancelled and plan.stops(table):
        table.do(CancelGame(table.seed))
    return table


def step(table: Table, player: Player, rng: random.Random) -> None:
    """One answer of a seat that is asked, of the clock, or an election's end."""
    if player.away and rng.random() < player.away:
        _change_hands(table, rng)
    if player.stops and rng.random() < player.stops:
        _change_clock(table, rng)
    game = table.game
    if player.regrets and rng.random() < player.regrets:
        random_games.take_back(table)
    elif game.election_complete:
        table.resolve()
    elif rng.random() < player.late:
        table.clock()
    else:
        seat = rng.choice(game.asked())
        person = game.seats[seat].kind == "person"
        source = Source.PERSON if person else Source.BOT
        table.answer(_answer(table, seat, player, rng), seat, source)


def _change_hands(table: Table, rng: random.Random) -> None:
    """Somebody leaves, or comes back if they may."""
    game = table.game
    seat = Seat(rng.randrange(len(game.seats)))
    if not game.has_bot(seat):
        table.do(SeatBot(seat, "steady"))
    elif 0 < game.kept[seat] < game.round:
        table.do(SeatPerson(seat))


def _change_clock(table: Table, rng: random.Random) -> None:
    """The clock is stopped or goes on, or the open decision waits for longer."""
    game, number = table.game, table.game.last_decision
    longer = len(game.extended) < EXTENSIONS and number not in game.extended
    if longer and rng.random() < 1 / 2:
        table.do(ExtendDecision(number, _DAY))
    else:
        table.do(ResumeGame() if game.paused else PauseGame())


def _answer(table: Table, seat: Seat, player: Player, rng: random.Random) -> Answer:
    answers, game = legal.answers(table.game, seat), table.game
    if isinstance(answers[0], Ballot):
        calm = game.round <= player.calm
        if calm or rng.random() < player.agrees:
            return answers[0]
        return rng.choice(answers[1:] or answers)
    moves = {a.character: a for a in answers if isinstance(a, Move)}
    if player.hero in moves and rng.random() < player.hasty:
        return moves[player.hero]
    if moves and rng.random() < player.hasty:
        return max(moves.values(), key=lambda a: game.board.at[a.character])
    return rng.choice(answers)


def recording(plan: Plan) -> Recording:
    """The first game by the plan that shows what it is kept for."""
    tables = (play(plan, seed) for seed in itertools.count())
    table = next(table for table in tables if plan.shows(table))
    return Recording(
        title=Title(table.game.id, table.seed.hex(), plan.kept_for),
        rows=tuple(table.rows),
        end=End(
            head=f"{len(table.heads) - 1}:{table.heads[-1].hex()}",
            state=recordings.in_plain_words(table.game),
        ),
    )


def main(names: list[str]) -> str | None:
    """Record the set of that name; what is wrong, or None."""
    if len(names) != 1:
        return "Name the set to record, rules-2 for example."
    folder = recordings.FOLDER / names[0]
    if folder.exists():
        return f"{folder} is there already, and recorded games are never rewritten."
    folder.mkdir(parents=True)
    for plan in plans():
        path = folder / f"{plan.edition}-{plan.seats}-{plan.name}.jsonl"
        recordings.write(path, recording(plan))
        sys.stdout.write(f"{path.name}\n")
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
