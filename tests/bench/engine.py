"""The rules engine beside python-chess, both by the second of processor time."""

import random
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import chess
import msgspec

from engine import events, legal, replay_codec
from engine.commands import CreateGame, GiveAnswer, ResolveElection, Source, StartGame
from engine.decide import decide
from engine.editions import EDITIONS
from engine.evolve import evolve, replay
from engine.state import Game
from engine.views import View, view
from tests.rig.engine import tables
from tests.rig.engine.tables import GAME, Table

_EDITIONS = ("classic", "jester")
_ROUNDS = 15
_GAMES = 28
_CHESS_GAMES = 8
_SEATS = 4
_SEEDS = 51
_REPLAYS = 40
_PLIES = 80


@dataclass(frozen=True)
class Stretch:
    """A state, and the answers from there until an election is turned over."""

    before: Game
    answers: Sequence[GiveAnswer]


def measure() -> dict[str, float]:
    """Answers and replays a second, ours and theirs, and microseconds of a view."""
    return {**_answers(), **_replays(), **_views()}


def _answers() -> dict[str, float]:
    """An answer is `legal.answers`, `decide`, `evolve`; theirs legal moves, `push`."""
    ours = {
        name: [s for game in _games(name) for s in _stretches(game)]
        for name in _EDITIONS
    }
    theirs = [_chess_game(seed) for seed in range(_CHESS_GAMES)]
    counts = {n: sum(len(s.answers) for s in played) for n, played in ours.items()}
    rates = _rates(
        {
            "classic": lambda: _answer_all(ours["classic"]),
            "jester": lambda: _answer_all(ours["jester"]),
            "chess": lambda: _list_and_push_all(theirs),
        },
        {**counts, "chess": sum(len(moves) for moves in theirs)},
    )
    return _rows("answers", "moves", rates)


def _replays() -> dict[str, float]:
    """From stored bytes, the game with the median number of answers; theirs push."""
    rows = {name: _median_game(name).rows for name in _EDITIONS}
    openings = [moves[:_PLIES] for moves in map(_chess_game, range(_SEEDS))]
    openings = [moves for moves in openings if len(moves) == _PLIES]
    works: dict[str, Callable[[], None]] = {
        "classic": lambda: _replay_often(rows["classic"]),
        "jester": lambda: _replay_often(rows["jester"]),
        "chess": lambda: _push_all(openings),
    }
    rates = _rates(works, {**dict.fromkeys(works, _REPLAYS), "chess": len(openings)})
    return _rows("replays", "games of 80 plies", rates)


def _views() -> dict[str, float]:
    """Of the seat asked, all through games of both editions."""
    tabled = [s.before for n in _EDITIONS for g in _games(n) for s in _stretches(g)]
    shown = [view(game, game.asked()[0]) for game in tabled]
    works: dict[str, Callable[[], None]] = {
        "view": lambda: _view_all(tabled),
        "JSON": lambda: _encode_all(shown),
    }
    rates = _rates(works, dict.fromkeys(works, len(shown)))
    return {"view, us": 1e6 / rates["view"], "its JSON, us": 1e6 / rates["JSON"]}


def _rows(ours: str, theirs: str, rates: Mapping[str, float]) -> dict[str, float]:
    return {
        f"classic {ours}/s": rates["classic"],
        f"jester {ours}/s": rates["jester"],
        f"chess {theirs}/s": rates["chess"],
        f"classic {ours} : chess": rates["classic"] / rates["chess"],
        f"jester {ours} : chess": rates["jester"] / rates["chess"],
    }


def _rates(
    works: Mapping[str, Callable[[], None]], counts: Mapping[str, int]
) -> dict[str, float]:
    """How many of its things each work does in a second of processor time.

    The works take turns, so that whatever else the machine does hits them all; the
    median of the rounds counts.
    """
    seconds: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(_ROUNDS):
        for name, work in works.items():
            start = time.process_time()
            work()
            seconds[name].append(time.process_time() - start)
    return {n: counts[n] / statistics.median(spent) for n, spent in seconds.items()}


def _games(edition: str) -> Iterator[Table]:
    """Tables of every size of an edition, at the first decision."""
    sizes = EDITIONS[edition].seats
    return (_started(edition, sizes[n % len(sizes)], n) for n in range(_GAMES))


def _started(edition: str, seats: int, number: int) -> Table:
    """A table of three rounds with the edition's usual options."""
    history = EDITIONS[edition].choices.ballot_history[0]
    chosen = tables.options(history=history, first=None)
    table = Table(seed=tables.chance(number).randbytes(32))
    table.do(CreateGame(table.seed, b""))
    table.do(tables.closing(seats, chosen, edition))
    table.do(StartGame(table.sealed))
    return table


def _stretches(table: Table) -> Iterator[Stretch]:
    """A game of any legal answers, played to its end while it is read."""
    chance = random.Random(table.seed)
    while table.game.running:
        before, answers = table.game, []
        while table.game.running and not table.game.election_complete:
            seat = chance.choice(table.game.asked())
            answer = chance.choice(legal.answers(table.game, seat))
            command = GiveAnswer(table.number, seat, answer, Source.PERSON)
            table.do(command)
            answers.append(command)
        yield Stretch(before, answers)
        table.do(ResolveElection(table.number, table.sealed))


def _answer_all(stretches: Sequence[Stretch]) -> None:
    for stretch in stretches:
        game = stretch.before
        for command in stretch.answers:
            legal.answers(game, command.seat)
            for event in decide(game, command):
                game = evolve(game, event)


def _median_game(edition: str) -> Table:
    """The four-seat game with the median number of answers of many."""
    found = []
    for number in range(_SEEDS):
        table = _started(edition, _SEATS, number)
        length = sum(len(stretch.answers) for stretch in _stretches(table))
        found.append((length, number, table))
    return sorted(found)[_SEEDS // 2][2]


def _replay_often(rows: Sequence[events.Stored]) -> None:
    for _ in range(_REPLAYS):
        replay(GAME, replay_codec.read(GAME, rows))


def _view_all(games: Sequence[Game]) -> None:
    for game in games:
        view(game, game.asked()[0])


def _encode_all(views: Sequence[View]) -> None:
    for shown in views:
        msgspec.json.encode(shown)


def _chess_game(number: int) -> list[chess.Move]:
    """Any legal moves to the end of a game, draws by rule among the ends."""
    chance = tables.chance(number)
    board = chess.Board()
    while not board.is_game_over():
        board.push(chance.choice(list(board.legal_moves)))
    return board.move_stack


def _list_and_push_all(games: Sequence[Sequence[chess.Move]]) -> None:
    for moves in games:
        board = chess.Board()
        for move in moves:
            list(board.legal_moves)
            board.push(move)


def _push_all(openings: Sequence[Sequence[chess.Move]]) -> None:
    for moves in openings:
        board = chess.Board()
        for move in moves:
            board.push(move)
