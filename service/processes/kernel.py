"""What Kingup asks of the operating system's kernel: locks, and an end in company."""

import ctypes
import fcntl
import os
import signal
import sys
import time
from pathlib import Path
from typing import BinaryIO

_CLONE_NEWUSER = 0x10000000
_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None, use_errno=True)


def die_with_parent(number: int, parent: int) -> None:
    """Have the kernel send this process signal `number` when its parent dies.

    `parent` is the starter's process id as the starter knows it: if that has died
    before it could be asked for, this process ends at once. Works on Linux and does
    nothing elsewhere. The kernel means the *thread* that started the process: start
    processes from a thread that lives as long as they should.
    """
    if sys.platform != "linux":
        return
    _LIBC.prctl(_PR_SET_PDEATHSIG, number)
    if os.getppid() != parent:
        os._exit(1)


def let_no_fork_outlive_us() -> None:
    """Have whatever this process forks from now on killed when its parent dies.

    What it was promised itself isn't inherited by a fork. It holds for the forks of
    its forks, too, whoever calls `os.fork`.
    """
    parent = os.getpid()

    def bind() -> None:
        nonlocal parent
        die_with_parent(signal.SIGKILL, parent)
        parent = os.getpid()

    os.register_at_fork(after_in_child=bind)


def give_way() -> None:
    """Let other processes go before the calling thread, and those it starts.

    It interrupts nobody, and gets a quarter of a processor that others want for
    themselves.
    """
    os.nice(5)
    if sys.platform == "linux":
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def leave_root() -> None:
    """Appear as user 1000 from here on, without a new user on the machine.

    Postgres refuses to run as root. In a user namespace of its own it sees another
    number, while files and sockets stay the caller's. Raises OSError where the kernel
    refuses namespaces.
    """
    if sys.platform != "linux" or _LIBC.unshare(_CLONE_NEWUSER) != 0:
        raise OSError(ctypes.get_errno(), "no user namespace")
    # Before that the kernel refuses the map of groups (user_namespaces(7)).
    Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
    Path("/proc/self/uid_map").write_text("1000 0 1", encoding="ascii")
    Path("/proc/self/gid_map").write_text("1000 0 1", encoding="ascii")


def take_lock(path: Path, *, seconds: float = 0) -> BinaryIO:
    """Lock the file at `path` and return it, waiting up to `seconds` for it.

    The lock ends when the last process that has the returned file open is gone or has
    closed it. Raises BlockingIOError while somebody else keeps it.
    """
    deadline = time.monotonic() + seconds
    file = path.open("ab")
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                file.close()
                raise
            time.sleep(0.05)
        else:
            return file
