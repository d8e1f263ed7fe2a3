"""A cap on the connections of one peer, on a network where peers have addresses."""

import json
import subprocess
import sys

import pytest

from tests.rig import alone
from tests.rig.house import ROOT

CAP = 5


def trial(environ: dict[str, str], port: int, **settings: str) -> dict[str, object]:
    done = subprocess.run(
        (sys.executable, "-m", "tests.rig.alone", str(port)),
        env={**environ, "PYTHONPATH": str(ROOT), **settings},
        stdout=subprocess.PIPE,
        check=False,
    )
    if done.returncode == alone.NO_NETWORK:
        pytest.skip("the kernel gives no network of one's own")
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_a_peer_at_its_cap_is_refused_and_nobody_else(
    environ: dict[str, str], database: str, free_port: int
) -> None:
    found = trial(environ, free_port, KINGUP_CONNECTIONS_A_PEER=str(CAP))

    assert found == {
        "here kept": 8,
        "here answered": True,
        "other than here answered": True,
        "peer kept": CAP,
        "peer answered": False,
        "other than peer answered": True,
    }


@pytest.mark.parametrize(
    "settings",
    [
        {"KINGUP_CONNECTIONS_A_PEER": str(CAP), "TRUSTED_PROXIES": "1"},
        {"KINGUP_CONNECTIONS_A_PEER": "0"},
        {},
    ],
    ids=["behind a proxy", "no cap", "the usual"],
)
def test_a_proxy_has_no_cap_and_others_usually_a_wide_one(
    environ: dict[str, str], database: str, free_port: int, settings: dict[str, str]
) -> None:
    found = trial(environ, free_port, **settings)

    assert found["peer kept"] == 8
    assert found["peer answered"]
