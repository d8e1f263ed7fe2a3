"""Schemathesis with all its checks, stateful, with tokens of each scope: no failure."""

import json
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from service.auth import bearer
from tests.rig import house
from tests.rig.house import ROOT, House
from tests.rig.parts import wait_until
from tests.rig.service.programs import Api, Table

EXAMPLES = 60
"""For each operation and phase, and each of the eight kinds of tokens."""

LEAST_CASES = 5000

ENDLESS = 1
"""How many operations have answers without an end, and are left out."""

CONFIG = """
seed = 1
continue-on-failure = true
request-timeout = 20

[generation]
max-examples = {examples}
database = "none"

# Valid to a schema, and yet refused: an address that no mail can reach, a name that
# somebody could mistake, a cursor that we never gave away: 422, and the contract has
# its codes. Or a mark that is the newest no more: 412.
[checks.positive_data_acceptance]
expected-statuses = ["2xx", "3xx", 401, 403, 404, 409, 412, 422, 429]

# It never ends: its own tests hold it to the contract.
[[operations]]
include-path = "/v1/me/stream"
enabled = false
"""

SCOPES: dict[str, tuple[str, ...] | None] = {
    "every scope": bearer.SCOPES,
    **{scope: (scope,) for scope in bearer.SCOPES},
    "no token": None,
}


@pytest.fixture
def served(tmp_path: Path, environ: dict[str, str], database: str) -> Iterator[House]:
    """A house whose worker is at work."""
    del database
    built = House(tmp_path / "house", environ, webs=1, workers=1)
    with house.running(built):
        ready = partial(house.answers, built.ports[0], "/readyz")
        wait_until(ready, "the worker's first word")
        yield built


def seated(folder: Path, app: Flask, scopes: tuple[str, ...] | None) -> str | None:
    """A token of a fresh player, whose games the hooks are told of."""
    running, over = (Table(Api(app), 3, rounds=1) for _ in range(2))
    over.inside("finish")
    known = {"running": str(running.id), "over": str(over.id)}
    (folder / "known.json").write_text(json.dumps(known))
    if scopes is None:
        return None
    with app.app_context():
        return running.token(0, scopes=scopes)


def fuzz(folder: Path, origin: str, token: str | None) -> dict[str, Any]:
    """What Schemathesis reports of one run."""
    (folder / "schemathesis.toml").write_text(CONFIG.format(examples=EXAMPLES))
    proof = [] if token is None else ["-H", f"Authorization: Bearer {token}"]
    ran = subprocess.run(
        [
            *(sys.executable, "-m", "schemathesis.cli", "run"),
            *(str(ROOT / "openapi.yaml"), "--url", origin, *proof),
            *("--checks", "all", "--no-color", "--report-json-path", "report.json"),
        ],
        cwd=folder,
        env={
            "PATH": "/usr/bin:/bin",
            "PYTHONPATH": str(ROOT),
            "SCHEMATHESIS_HOOKS": "tests.rig.fuzzing",
            "LC_ALL": "C.UTF-8",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    sys.stdout.write(ran.stdout if ran.returncode else "")
    found: dict[str, Any] = json.loads((folder / "report.json").read_text())
    return found


@pytest.mark.proof
@pytest.mark.timeout(3600)
def test_every_answer_is_as_the_contract_says(
    tmp_path: Path, served: House, app: Flask
) -> None:
    cases, failures = 0, []
    for name, scopes in SCOPES.items():
        token = seated(tmp_path, app, scopes)
        report = fuzz(tmp_path, served.urls[0], token)

        assert report["complete"], report["stop_reason"]
        operations = report["operations"]
        assert operations["tested"] == operations["total"] - ENDLESS
        assert report["errors"] == []
        cases += report["test_cases"]["generated"]
        failures += [(name, each) for each in report["failures"]]
        sys.stdout.write(f"\n{name}: {report['test_cases']}\n")

    sys.stdout.write(f"\n{cases} cases with {len(SCOPES)} kinds of tokens\n")
    assert failures == []
    assert cases >= LEAST_CASES
