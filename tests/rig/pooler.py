"""A pooler between us and the database, as strict or as careless as one can be.

It drops what a connection wants at its start. By transaction it gives the same session
to all, each for a transaction at a time.
"""

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

from psycopg.conninfo import conninfo_to_dict

_NAME: Final = ".s.PGSQL.5432"
_VERSION: Final = 196_608
_AUTHENTICATED: Final = b"R" + struct.pack("!II", 8, 0)
_KEY: Final = b"K" + struct.pack("!III", 12, 4711, 4711)
_READY: Final = b"Z" + struct.pack("!I", 5) + b"I"


class _Session:
    """One session of the server."""

    def __init__(self, path: str, user: str, database: str) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(path)
        self.file = self.sock.makefile("rb")
        self.lock = threading.Lock()
        wanted = b"\0".join(
            (b"user", user.encode(), b"database", database.encode(), b"\0")
        )
        head = struct.pack("!II", len(wanted) + 8, _VERSION)
        self.sock.sendall(head + wanted)
        self.parameters = b""
        while (found := message(self.file))[:1] != b"Z":
            if found[:1] == b"S":
                self.parameters += found

    def answer(self, client: socket.socket) -> bool:
        """Pass on all that comes until it is ready; whether a transaction is over."""
        while True:
            found = message(self.file)
            client.sendall(found)
            if found[:1] == b"Z":
                return found[-1:] == b"I"


def message(file: BinaryIO) -> bytes:
    """The next message, whole. Raises EOFError."""
    head = file.read(5)
    if len(head) < 5:
        raise EOFError
    return head + file.read(struct.unpack("!I", head[1:])[0] - 4)


class Pooler:
    """Serves on a socket in a folder, in front of a private server."""

    def __init__(self, folder: Path, server: str, *, by_transaction: bool) -> None:
        folder.mkdir()
        parts = conninfo_to_dict(server)
        self._server = (f"{parts['host']}/{_NAME}", "kingup", "kingup")
        self._shared = _Session(*self._server) if by_transaction else None
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / _NAME))
        self._listener.listen()
        self.url = f"postgresql://kingup@/kingup?host={folder}&port=5432"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(
                    target=self._serve, args=(client,), daemon=True
                ).start()

    def _serve(self, client: socket.socket) -> None:
        file = client.makefile("rb")
        (length,) = struct.unpack("!I", file.read(4))
        file.read(length - 4)
        session = self._shared or _Session(*self._server)
        client.sendall(_AUTHENTICATED + session.parameters + _KEY + _READY)
        with suppress(OSError, EOFError, ValueError), client:
            if self._shared is None:
                self._by_session(client, file, session)
            else:
                self._by_transaction(client, file, self._shared)

    def _by_session(
        self, client: socket.socket, file: BinaryIO, session: _Session
    ) -> None:
        def back() -> None:
            with suppress(OSError, EOFError):
                while True:
                    client.sendall(message(session.file))

        threading.Thread(target=back, daemon=True).start()
        with session.sock:
            while True:
                session.sock.sendall(message(file))

    def _by_transaction(
        self, client: socket.socket, file: BinaryIO, session: _Session
    ) -> None:
        while True:
            found = message(file)
            if found[:1] == b"X":
                return
            with session.lock:
                while True:
                    session.sock.sendall(found)
                    if found[:1] in b"QS" and session.answer(client):
                        break
                    found = message(file)

    def stop(self) -> None:
        self._listener.close()


@contextmanager
def pooling(folder: Path, server: str, *, by_transaction: bool) -> Iterator[Pooler]:
    """A pooler for a while."""
    pooler = Pooler(folder, server, by_transaction=by_transaction)
    try:
        yield pooler
    finally:
        pooler.stop()
