"""Inboxes: connections that one web process leaves to another."""

import mmap
import socket
import struct
import time
from typing import Final

MOST_BYTES: Final = 64 * 1024
"""The most that may have come on a connection that is left to others."""

_TENDED_SECONDS: Final = 3.0
_MOMENT: Final = struct.Struct("d")


class Inbox:
    """Takes connections for the processes of one kind: the next that looks has it.

    It is made before they are forked, and what is in it survives each of them.
    """

    def __init__(self) -> None:
        self._into, self._out = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._into.setblocking(False)
        self._out.setblocking(False)
        self._tended = mmap.mmap(-1, _MOMENT.size)

    def close(self) -> None:
        """Be no more, for this process."""
        self._into.close()
        self._out.close()
        self._tended.close()

    def fileno(self) -> int:
        """What to poll for connections to take."""
        return self._out.fileno()

    def tend(self) -> None:
        """Promise to look into it, for some seconds."""
        _MOMENT.pack_into(self._tended, 0, time.monotonic())

    def neglect(self) -> None:
        """Take back the promise. Others who look into it renew theirs."""
        _MOMENT.pack_into(self._tended, 0, -_TENDED_SECONDS)

    @property
    def tended(self) -> bool:
        """Whether somebody looks into it."""
        (moment,) = _MOMENT.unpack_from(self._tended)
        return bool(time.monotonic() - moment < _TENDED_SECONDS)

    def put(self, sock: socket.socket, data: bytes | bytearray) -> bool:
        """Leave a connection with what has come on it, if somebody will take it."""
        if not self.tended or len(data) > MOST_BYTES:
            return False
        try:
            socket.send_fds(self._into, [data], [sock.fileno()])
        except OSError:
            return False
        return True

    def take(self) -> tuple[socket.socket, bytes] | None:
        """The connection that has waited longest, if there is one still."""
        try:
            data, files, _, _ = socket.recv_fds(self._out, MOST_BYTES, 1)
        except OSError:
            return None
        # Without a file this process has no room for one more.
        return (socket.socket(fileno=files[0]), data) if files else None
