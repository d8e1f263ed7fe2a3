"""Processes that end with those who have started them, whoever is the faster."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from service import config
from tests.rig.parts import wait_until

# Each tells its own id and then waits for ever.
_WAIT = """
def wait(place):
    pathlib.Path(place).write_text(str(os.getpid()))
    time.sleep(60)
"""
_FORKS = f"""
import os, pathlib, sys, time
from service.processes import kernel
{_WAIT}
slowly, child, grandchild = sys.argv[1:]
if slowly == "slowly":
    def dawdle():
        pathlib.Path(child).write_text(str(os.getpid()))
        while os.getppid() == us:
            time.sleep(0.01)
    us = os.getpid()
    os.register_at_fork(after_in_child=dawdle)
kernel.let_no_fork_outlive_us()
if os.fork() == 0:
    if os.fork() == 0:
        wait(grandchild)
    wait(child)
time.sleep(60)
"""
_STARTS = f"""
import functools, os, pathlib, signal, subprocess, sys, time
from service.processes import kernel
slowly, child, grandchild = sys.argv[1:]
us = os.getpid()
def bind():
    if slowly == "slowly":
        pathlib.Path(child).write_text(str(os.getpid()))
        while os.getppid() == us:
            time.sleep(0.01)
    kernel.die_with_parent(signal.SIGKILL, us)
script = '''
import os, pathlib, sys, time
from service.processes import kernel
{_WAIT}
kernel.let_no_fork_outlive_us()
if os.fork() == 0:
    wait(sys.argv[2])
wait(sys.argv[1])
'''
command = (sys.executable, "-c", script, child, grandchild)
subprocess.Popen(command, preexec_fn=bind).wait()
"""


@pytest.mark.parametrize("script", [_FORKS, _STARTS], ids=["forked", "started"])
@pytest.mark.parametrize("pace", ["swiftly", "slowly"])
def test_the_family_of_a_killed_process_ends_even_before_it_knew_of_it(
    tmp_path: Path, script: str, pace: str
) -> None:
    child, grandchild = tmp_path / "child", tmp_path / "grandchild"
    command = (sys.executable, "-c", script, pace, str(child), str(grandchild))
    parent = subprocess.Popen(command, env=config.child_environ({}))
    known = [child] if pace == "slowly" else [child, grandchild]
    wait_until(
        lambda: all(process_id(place) for place in known), "the start of the family"
    )

    parent.send_signal(signal.SIGKILL)
    parent.wait()

    family = [process_id(place) for place in known]
    wait_until(lambda: not any(map(runs, family)), "the end of the family", 5)
    assert pace == "swiftly" or not grandchild.exists()


def process_id(place: Path) -> int:
    """The process id in a file; 0 as long as there is none."""
    return int(place.read_text() or "0") if place.exists() else 0


def runs(number: int) -> bool:
    """Whether a process is there, and not only its memory."""
    try:
        stat = Path(f"/proc/{number}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


@pytest.mark.skipif(sys.platform != "linux", reason="Linux has such processes")
def test_whoever_gives_way_interrupts_nobody_nor_do_its_threads() -> None:
    script = """
import os, threading
from service.processes import kernel
kernel.give_way()
def tell():
    print(os.sched_getscheduler(0) == os.SCHED_BATCH, os.nice(0) > 0)
tell()
thread = threading.Thread(target=tell)
thread.start()
thread.join()
"""
    ended = subprocess.run(
        (sys.executable, "-c", script), check=True, capture_output=True, text=True
    )

    assert ended.stdout.split() == ["True"] * 4
