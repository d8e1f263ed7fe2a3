"""A database that is stopped where it is: its sockets are open, nobody answers."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.rig.parts import processes


@contextmanager
def stopped(data: Path) -> Iterator[None]:
    """Stop the Postgres of a folder, all of it, and let it go on in the end."""
    postmaster = pid(data)
    send(postmaster, signal.SIGSTOP)
    try:
        yield
    finally:
        send(postmaster, signal.SIGCONT)


def pid(data: Path) -> int:
    """The process that all others of a Postgres descend from."""
    return int((data / "postmaster.pid").read_text().split("\n")[0])


def send(postmaster: int, number: signal.Signals) -> None:
    """Send a signal to a server, and to all it has started."""
    for each in (postmaster, *_children(postmaster)):
        with suppress(ProcessLookupError):
            os.kill(each, number)


def _children(parent: int) -> list[int]:
    """The processes that one has started."""

    def ours(folder: Path) -> bool:
        # The name, in brackets, may hold anything.
        return (
            int((folder / "stat").read_text().rpartition(")")[2].split()[1]) == parent
        )

    return processes(ours)
