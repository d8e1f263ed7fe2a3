"""Intakes: how web processes leave each other's requests to each other."""

import mmap
import socket
import time
from typing import Final

import structlog

MOST_BYTES: Final = 64 * 1024
"""The most that may have come on a connection that is left to others."""

ALIVE_SECONDS: Final = 5.0
"""How long a heartbeat counts."""

_log = structlog.get_logger()


class Intake:
    """Takes connections for the processes of one kind: whichever looks next has it.

    It is made before they are forked, and what is in it survives each of them. There is
    room in it while its `entrance` can be written to.
    """

    def __init__(self) -> None:
        # Each connection comes whole, with its bytes: those of several would run
        # together in a stream.
        kind = socket.SOCK_SEQPACKET
        self.entrance, self._out = socket.socketpair(socket.AF_UNIX, kind)
        self.entrance.setblocking(False)
        self._out.setblocking(False)
        # Memory that forks share costs no call to read, and the monotonic clock is the
        # same for all processes of a machine.
        self._heartbeat = memoryview(mmap.mmap(-1, 8)).cast("d")
        self.retire()

    def close(self) -> None:
        """Be no more, for this process."""
        self.entrance.close()
        self._out.close()

    def fileno(self) -> int:
        """What to poll for connections to take."""
        return self._out.fileno()

    def beat(self) -> None:
        """Tell that somebody takes what is left here."""
        self._heartbeat[0] = time.monotonic()

    def retire(self) -> None:
        """Take that back. Others who take go on telling it."""
        self._heartbeat[0] = -ALIVE_SECONDS

    def is_alive(self) -> bool:
        """Whether somebody has lately told that they take what is left here."""
        return time.monotonic() - self._heartbeat[0] < ALIVE_SECONDS

    def put(self, sock: socket.socket, data: bytes | bytearray) -> bool:
        """Leave a connection with what has come on it, if somebody will take it."""
        if not self.is_alive() or len(data) > MOST_BYTES:
            return False
        try:
            socket.send_fds(self.entrance, [data], [sock.fileno()])
        except OSError:
            return False
        return True

    def take(self) -> tuple[socket.socket, bytes] | None:
        """The connection that has waited longest, if there is one still."""
        try:
            data, files, _, _ = socket.recv_fds(self._out, MOST_BYTES, 1)
        except OSError:
            return None
        if not files:
            _log.warning("connection_lost", reason="too many open files")
            return None
        sock = socket.socket(fileno=files[0])
        # It comes without close-on-exec.
        sock.set_inheritable(False)
        return sock, data
