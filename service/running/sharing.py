"""Two kinds of web processes: one for strangers, and others for whoever is known.

A request that comes to the wrong kind goes on in the other, with its connection.
"""

import selectors
import socket
import time
from abc import abstractmethod
from collections.abc import Callable
from typing import Any

from gunicorn.workers.gthread import ThreadWorker

from service import config, proofs
from service.running.connection import Connection
from service.running.intake import Intake


class Sharing(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """A web process that leaves to the other kind what is theirs.

    Whoever forks it sets for whom it is, and what takes connections for both kinds.
    """

    for_strangers: bool
    intake: Intake
    elsewhere: Intake

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._signer = proofs.signer(config.load().secret_key)
        self._taking = False

    @abstractmethod
    def begin(self, conn: Connection, then: Callable[[Connection], None]) -> None:
        """Have one more connection, unless its peer has its share."""

    @abstractmethod
    def go_on(self, conn: Connection) -> None:
        """Do what can be done with what has come on a connection."""

    @abstractmethod
    def drop(self, conn: Connection) -> None:
        """Be done with a connection; if it was handed on, it is open still."""

    def notify(self) -> None:
        """Tell the arbiter and the other kind that this process is alive."""
        super().notify()
        if self.alive:
            self.set_accept_enabled(self.nr_conns < self.worker_connections)
        if self._taking:
            self.intake.beat()
        # What was left to those who take no more is left to nobody.
        while not self.elsewhere.is_alive() and (taken := self.elsewhere.take()):
            self._resume(*taken)

    def set_accept_enabled(self, enabled: bool) -> None:
        """Have more connections or don't; strangers' own only while nobody else does.

        Gunicorn asks for it whenever it may have changed.
        """
        if enabled != self._taking:
            self._taking = enabled
            if enabled:
                self.poller.register(self.intake, selectors.EVENT_READ, self._take)
            else:
                self.poller.unregister(self.intake)
        spared = self.for_strangers and self.elsewhere.is_alive()
        super().set_accept_enabled(enabled and not spared)

    def leave(self, conn: Connection) -> bool:
        """Leave a request to a process of the other kind, if it is theirs to serve."""
        if conn.request is not None or conn.received.lack or conn.handed:
            return False
        if self._signer.has_mailbox(conn.shows()) != self.for_strangers:
            return False
        return self.hand(conn)

    def hand(self, conn: Connection) -> bool:
        """Let a process of the other kind go on with a connection, if one will."""
        handed = self.elsewhere.put(conn.sock, conn.received.data)
        if handed:
            self.drop(conn)
        return handed

    def _take(self, intake: Intake) -> None:
        """Take what was left to this process, if no other was faster."""
        intake.beat()
        taken = intake.take()
        if taken is not None:
            self._resume(*taken)

    def _resume(self, sock: socket.socket, data: bytes) -> None:
        """Go on with a connection on which a request has come, or none yet."""
        try:
            conn = Connection(self.cfg, sock, sock.getpeername(), sock.getsockname())
        except OSError:
            sock.close()
            return
        conn.kept = True
        conn.handed = bool(data)
        conn.received.data += data
        self.begin(conn, self.go_on)
        if conn.idle:
            conn.deadline = time.monotonic() + self.cfg.keepalive

    def retire(self) -> None:
        """Tell that this process takes no more; what was left to it before is taken."""
        self.intake.retire()
        while taken := self.intake.take():
            self._resume(*taken)
