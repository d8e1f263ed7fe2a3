"""Views and 304s per second, beside a bare endpoint that does one query."""

import statistics
from collections.abc import Callable, Iterator, Mapping
from itertools import cycle

import msgspec

from tests.bench import load, stage, tables
from tests.bench.load import Client

CLIENTS = 8
ROUNDS = 5
SECONDS = 3.0
_GAMES = 160
_SEATS = 4
_STEPS = 20


class Look(msgspec.Struct, frozen=True):
    """A view that somebody has seen before, and the mark it had then."""

    path: str
    token: str
    mark: str


def measure(environ: Mapping[str, str]) -> dict[str, float]:
    """Views a second as each way of asking has them, in alternating rounds.

    A view is asked for anew when no process has its text ready: there are more games
    and seats than are remembered. One of few is looked at over and over, as a table of
    spectators does, and `304` is what those get who say what they have.
    """
    with stage.kingup_web(environ) as ours, stage.bare_web(environ) as bare:
        looks = _looks(ours)
        few = looks[:: len(looks) // CLIENTS]
        ways: dict[str, Callable[[], float]] = {
            "bare/s": lambda: _rate(bare, few, known=False),
            "view/s": lambda: _rate(ours, few, known=False),
            "304/s": lambda: _rate(ours, few, known=True),
            "view of many/s": lambda: _rate(ours, looks, known=False),
        }
        rounds: dict[str, list[float]] = {way: [] for way in ways}
        for number in range(ROUNDS + 1):
            for way, ask in ways.items():
                found = ask()
                # The first round warms up.
                rounds[way] += [found] if number else []
    rates = {way: statistics.median(found) for way, found in rounds.items()}
    return rates | {
        f"{way.removesuffix('/s')} : bare": statistics.median(
            one / other for one, other in zip(found, rounds["bare/s"], strict=True)
        )
        for way, found in rounds.items()
        if way != "bare/s"
    }


def _looks(port: int) -> list[Look]:
    """Games some way into their first round, as each seat sees them."""
    looks = []
    people, tokens = tables.seated_people(_SEATS, 5000)
    client = load.Client(port)
    for _ in range(_GAMES):
        game_id = tables.started_game(people)
        for _, step in zip(range(_STEPS), tables.steps(game_id, tokens), strict=False):
            client.put(step)
        path = f"/v1/games/{game_id}/view"
        looks += [Look(path, each, client.get(path, each)[0]) for each in tokens]
    client.close()
    return looks


def _rate(port: int, looks: list[Look], *, known: bool) -> float:
    """Looks a second; each client begins at another one."""

    def supply(index: int) -> Iterator[Look]:
        start = index * len(looks) // CLIENTS
        return cycle(looks[start:] + looks[:start])

    supplies = [supply(index) for index in range(CLIENTS)]

    def ask(client: Client, index: int) -> None:
        look = next(supplies[index])
        client.get(look.path, look.token, look.mark if known else None)

    return load.rate(port, ask, CLIENTS, SECONDS)
