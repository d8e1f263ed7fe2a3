"""Twenty supervisors killed with every core busy: how long anything of them runs on."""

import os
import statistics
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.rig.served import GONE_SECONDS, Service

KILLS = 20

pytestmark = [pytest.mark.proof, pytest.mark.timeout(3600)]


def test_twenty_killed_supervisors_leave_nothing_behind(
    tmp_path: Path, free_port: int
) -> None:
    service = Service(tmp_path / "home", free_port)
    with ExitStack() as stack:
        stack.callback(service.kill)
        for _ in range(os.cpu_count() or 1):
            burner = subprocess.Popen([sys.executable, "-c", "while True: pass"])
            stack.callback(burner.wait)
            stack.callback(burner.kill)
        early = [service.killed_early(0.5 * n) for n in range(1, KILLS // 2 + 1)]
        busy = [service.killed_under_load() for _ in range(KILLS // 2)]

    waited = early + busy
    sys.stdout.write(
        f"\n{len(waited)} supervisors killed, {len(early)} of them while starting:"
        f" nothing left after {statistics.median(waited):.2f} s (median),"
        f" {max(waited):.2f} s (longest)\n"
    )
    assert max(waited) < GONE_SECONDS
