"""A thousand simulated games, in parts that run alone; what was played isn't again."""

import hashlib
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from flask import Flask

from tests.rig.simulator import report, runs
from tests.rig.simulator.invariants import Outcome
from tests.rig.simulator.plans import Means, Plan, plan
from tests.rig.simulator.runs import Place

ROOT = Path(__file__).parents[2]
SIZE = 40
PARTS = [
    *((Means.HANDLERS, part) for part in range(20)),
    *((Means.HTTP, part) for part in range(5)),
]
AHEAD = 5
"""So many parts are played once more by people who answer ahead."""

MAILS_A_PERSON = 35
"""In a median classic game of four."""

"""Games that are played by the same code again are the same, and their figures kept."""


class Kept:
    """The figures of the parts that this very code has played, from run to run."""

    def __init__(self, folder: Path) -> None:
        code = hashlib.sha256()
        for room in ("engine", "service", "worker", "tests/rig/simulator"):
            for file in sorted((ROOT / room).rglob("*.py")):
                code.update(file.read_bytes())
        self._folder = folder / code.hexdigest()[:16]
        self._folder.mkdir(parents=True, exist_ok=True)

    def read(self, name: str) -> list[Outcome] | None:
        file = self._folder / f"{name}.json"
        if not file.exists():
            return None
        return msgspec.json.decode(file.read_bytes(), type=list[Outcome])

    def write(self, name: str, outcomes: list[Outcome]) -> None:
        draft = self._folder / f"{name}.draft"
        draft.write_bytes(msgspec.json.encode(outcomes))
        draft.rename(self._folder / f"{name}.json")


@pytest.fixture
def kept(request: pytest.FixtureRequest) -> Kept:
    return Kept(request.config.cache.mkdir("simulator"))


@pytest.mark.proof
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("means", "part"), PARTS)
def test_every_game_keeps_every_promise(
    app: Flask,
    database: str,
    environ: dict[str, str],
    kept: Kept,
    means: Means,
    part: int,
) -> None:
    place = Place(app, database, environ)
    plans = [plan(number, means) for number in numbers(part)]

    assert len(played(place, kept, f"{means}-{part}", plans)) == SIZE


@pytest.mark.proof
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("part", range(AHEAD))
def test_every_game_that_people_answer_ahead_keeps_every_promise(
    app: Flask, database: str, environ: dict[str, str], kept: Kept, part: int
) -> None:
    place = Place(app, database, environ)
    plans = [
        msgspec.structs.replace(plan(number, Means.HANDLERS), ahead=True)
        for number in numbers(part)
    ]

    assert len(played(place, kept, f"ahead-{part}", plans)) == SIZE


def numbers(part: int) -> range:
    return range(part * SIZE, (part + 1) * SIZE)


def played(
    place: Place, kept: Kept, name: str, plans: Sequence[Plan]
) -> Sequence[Outcome]:
    """What games came to, played now unless this code has played them before."""
    begun = time.monotonic()
    outcomes = kept.read(name)
    if outcomes is None:
        with place.app.app_context():
            outcomes = runs.play(place, plans, name)
        kept.write(name, outcomes)
    took = time.monotonic() - begun
    sys.stdout.write(f"\n{name}: {len(outcomes)} games in {took:.0f} s\n")
    return outcomes


@pytest.mark.proof
def test_the_figures_of_all_games(kept: Kept) -> None:
    names = [f"{means}-{part}" for means, part in PARTS]
    names += [f"ahead-{part}" for part in range(AHEAD)]
    parts = [kept.read(name) for name in names]
    outcomes = [outcome for part in parts if part for outcome in part]
    if None in parts:
        pytest.skip(f"{parts.count(None)} of {len(parts)} parts are yet to be played")

    sys.stdout.write("\n".join(["", *report.lines(outcomes), ""]))
    assert len(outcomes) == (len(PARTS) + AHEAD) * SIZE
    assert report.mails_a_person(outcomes) <= MAILS_A_PERSON
