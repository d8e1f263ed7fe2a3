"""What a process does that runs on a copy of the engine: plays, records, goes on.

`python -m tests.rig.engine.copied DOING …` prints what it did as JSON.
"""

import random
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

import engine
from engine import notation, views
from engine.bots import BOTS
from engine.commands import Chair, CloseTable, CreateGame, StartGame
from engine.editions import EDITIONS
from engine.evolve import replay
from engine.export import Export
from engine.state import Game
from tests.rig.engine import record, recordings
from tests.rig.engine.loading import load
from tests.rig.engine.record_plans import Plan, Player, missing
from tests.rig.engine.recordings import restored
from tests.rig.engine.tables import Table, chance, options

STUBBORN = Player(agrees=0.1, hasty=0.95)
"""Refuses whoever it can, so that many places are stood on."""


class Played(msgspec.Struct, frozen=True):
    """A game as it went on or ended, for the test to compare.

    `most` is the highest number of characters that each place ever held.
    """

    engine: str
    game: str
    edition: str
    rules: int
    seats: int
    reason: str | None
    hand: int
    most: dict[str, int]
    totals: tuple[int, ...]


def whole(name: str) -> Iterable[Played]:
    """A game of the edition for each number of players, to its end, as bots play."""
    for seats in EDITIONS[name].seats:
        table = Table()
        table.do(CreateGame(table.seed, b""))
        chairs = (Chair("person"), *(Chair("bot", "steady"),) * (seats - 1))
        chosen = options(rounds=3, first=None)
        table.do(CloseTable(name, chosen, chairs, (b"",) * seats))
        table.do(StartGame(table.sealed))
        games, rng = [table.game], chance(seats)
        while table.game.running:
            _bots_answer(table, rng)
            games.append(table.game)
        _check(table)
        yield _told(games)


def _bots_answer(table: Table, rng: random.Random) -> None:
    """The next answer; everybody who is asked looks first, and so does a passer-by."""
    for viewer in (None, *table.game.asked()):
        seen = views.view(table.game, viewer)
        standing = sum(len(place.characters) for place in seen.places)
        if standing + len(seen.unplaced) != len(table.game.law.characters):
            raise ValueError(seen)
    if table.game.election_complete:
        table.resolve()
        return
    seat = table.game.asked()[0]
    table.answer(BOTS["steady"](table.view(seat), rng), seat)


def _check(table: Table) -> None:
    """The log replays to the state, and the record is written down place by place."""
    game, rows = table.game, table.rows
    if replay(game.id, (load(game.id, row) for row in rows)) != game:
        raise ValueError(game)
    versions = tuple(row.version for row in rows if row.public is not None)
    names = ("",) * len(game.seats)
    text = notation.write(Export(game.id, names, versions, tuple(table.record)))
    if game.edition not in text:
        raise ValueError(text)


def begin(name: str, path: str) -> Iterable[Played]:
    """A game that waits for one card in a ballot, kept as a file."""
    chosen = options(rounds=2, placement="random", history="open", first=0)
    waits = missing(1)
    plan = Plan("", name, 3, "", chosen, STUBBORN, shows=waits, stops=waits)
    kept = record.recording(plan)
    recordings.write(Path(path), kept)
    yield _told([restored(kept).game])


def go_on(*paths: str) -> Iterable[Played]:
    """Games from files, read and played to their end by whoever this engine is."""
    for path in paths:
        kept = recordings.read(Path(path))
        table = restored(kept)
        if recordings.in_plain_words(table.game) != kept.end.state:
            raise ValueError(path)
        if not table.heads or not kept.end.head.endswith(table.heads[-1].hex()):
            raise ValueError(path)
        games, rng = [table.game], chance(1)
        if not table.game.deck and table.game.reason is None:
            table.do(StartGame(table.sealed))
        while table.game.running:
            record.step(table, STUBBORN, rng)
            games.append(table.game)
        yield _told(games)


def _told(games: list[Game]) -> Played:
    last = games[-1]
    most: dict[str, int] = {}
    for game in games:
        for place in game.board.at.values():
            most[place] = max(most.get(place, 0), game.board.count(place))
    return Played(
        engine=str(Path(engine.__file__).parent),
        game=last.id,
        edition=last.edition,
        rules=last.rules,
        seats=len(last.seats),
        reason=last.reason,
        hand=len(last.law.hand(len(last.seats))) if last.seats else 0,
        most=most,
        totals=last.totals,
    )


DOINGS: dict[str, Callable[..., Iterable[Played]]] = {
    "whole": whole,
    "begin": begin,
    "go_on": go_on,
}

if __name__ == "__main__":
    done = DOINGS[sys.argv[1]](*sys.argv[2:])
    sys.stdout.buffer.write(msgspec.json.encode(list(done)))
