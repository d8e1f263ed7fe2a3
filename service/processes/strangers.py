"""Two kinds of web processes: one for strangers, and others for whoever is known.

A request that comes to the wrong kind goes on in the other, with its connection.
"""

import selectors
import socket
import time
from abc import abstractmethod
from collections import Counter, deque
from collections.abc import Callable
from typing import Any, Final

from gunicorn.workers.gthread import ThreadWorker

from service import config
from service.live.client_socket import ClientSocket
from service.processes.connection import Connection
from service.processes.holders import Holders
from service.processes.intake import MOST_BYTES, Intake
from service.values import public_urls, signed_tokens

MOST_LATER: Final = 200
"""How many connections may wait here for room elsewhere."""

MOST_GUESTS: Final = 16
"""How many requests are worked on here that belong elsewhere, where nobody is; and how
many that ask for the service's health."""

MOST_AT_ONCE: Final = 40
"""How many requests that show one proof, or tokens of one person, may be worked on or
wait for news here."""

LATER_SECONDS: Final = 10.0
"""How long a connection waits for room."""

LOOK_SECONDS: Final = 0.5
"""How often those who wait are looked at."""

_STRANDED: Final = "stranded"


# What a crowd of strangers costs isn't taken from the interpreter in which somebody
# known answers. Known is whoever shows a proof signed for a mailbox: to tell that,
# nothing else is read.
class Sharing(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """A web process that leaves to the other kind what is theirs.

    Whoever forks it sets for whom it is, and what takes connections for both kinds.
    """

    for_strangers: bool
    intake: Intake
    elsewhere: Intake

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.settings = config.load()
        self._signer = signed_tokens.signer(self.settings.secret_key)
        self._taking = False
        self._later: deque[Connection] = deque()
        self._watches = False
        self._guests: Counter[str] = Counter()
        self._next_look = 0.0
        self._at_once: Counter[str] = Counter()

    @abstractmethod
    def begin(self, conn: Connection, then: Callable[[Connection], None]) -> None:
        """Have one more connection, unless its peer has its share."""

    @abstractmethod
    def go_on(self, conn: Connection) -> None:
        """Do what can be done with what has come on a connection."""

    @abstractmethod
    def refuse(self, conn: Connection) -> None:
        """Answer that there is no room now."""

    @abstractmethod
    def drop(self, conn: Connection) -> None:
        """Be done with a connection; if it was handed on, it is open still."""

    def load_wsgi(self) -> None:
        """Load the app, and ask it whose tokens are."""
        super().load_wsgi()
        self._holders = Holders(self.wsgi)

    def notify(self) -> None:
        """Tell the arbiter and the other kind that this process is alive."""
        super().notify()
        if self.alive:
            self.set_accept_enabled(self.nr_conns < self.worker_connections)
            self.intake.beat()
        # What was left to those who take no more is left to nobody.
        while not self.elsewhere.is_alive() and (taken := self.elsewhere.take()):
            self._resume(*taken, ours=False)
        now = time.monotonic()
        while self._later and self._later[0].deadline <= now:
            self.refuse(self._later.popleft())
        self._hand_on()

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
        """Leave a request to a process of the other kind, if it is theirs to serve.

        It waits here while there is no room in theirs: no thread of ours waits for it.
        What asks for too much at once is refused.
        """
        if conn.request is not None or conn.received.lack:
            return False
        shown = conn.shows()
        if self._asks_for_health(conn, shown["PATH_INFO"]):
            return False
        proof = self._signer.mailbox_proof(shown)
        if not conn.handed and (proof is None) != self.for_strangers:
            self._leave_to_others(conn)
            return True
        if proof is not None and not self._admit(conn, proof):
            self.refuse(conn)
            return True
        return False

    def _admit(self, conn: Connection, proof: str) -> bool:
        """Count one more by what it shows, and by whose that is, if it may be."""
        person = self._holders.of(proof)
        counted = (proof,) if person is None else (proof, person)
        if any(self._at_once[each] >= MOST_AT_ONCE for each in counted):
            return False
        self._at_once.update(counted)
        conn.counted = counted
        return True

    def _asks_for_health(self, conn: Connection, path: str) -> bool:
        """Whether a request is served here, whoever's it is.

        Whoever asks would else restart us because others have to wait. Whoever plainly
        asks whether we are alive has been answered already.
        """
        asks = path in (public_urls.READY, public_urls.ALIVE)
        if asks and self._guests[path] < MOST_GUESTS:
            self._have_guest(conn, path)
            return True
        return False

    def _leave_to_others(self, conn: Connection) -> None:
        if len(self._later) >= MOST_LATER:
            self._let_go()
        if len(self._later) >= MOST_LATER or len(conn.received.data) > MOST_BYTES:
            self.refuse(conn)
            return
        conn.deadline = time.monotonic() + LATER_SECONDS
        self._later.append(conn)
        self._hand_on()

    def _let_go(self) -> None:
        """Let those go who have hung up while they waited; look once in a while."""
        now = time.monotonic()
        if now >= self._next_look:
            self._next_look = now + LOOK_SECONDS
            waiting, self._later = self._later, deque()
            for conn in waiting:
                if ClientSocket(conn.sock).gone:
                    self.drop(conn)
                else:
                    self._later.append(conn)

    def _have_guest(self, conn: Connection, kind: str) -> None:
        conn.guest = kind
        self._guests[kind] += 1

    def hand(self, conn: Connection) -> bool:
        """Let a process of the other kind go on with a connection, if one will."""
        handed = self.elsewhere.put(conn.sock, conn.received.data)
        if handed:
            self.drop(conn)
        return handed

    def see_off(self, conn: Connection) -> None:
        """Have room for another: a request was worked on."""
        for each in conn.counted:
            self._at_once[each] -= 1
            if not self._at_once[each]:
                del self._at_once[each]
        conn.counted = ()
        if conn.guest is not None:
            self._guests[conn.guest] -= 1
            conn.guest = None
            self._hand_on()

    def _hand_on(self, _: object = None) -> None:
        """Hand on who waits for it, in order; serve a few where nobody is there."""
        there = self.elsewhere.is_alive()
        while self._later:
            conn = self._later[0]
            if there and not self.hand(conn):
                break
            if not there and self._guests[_STRANDED] >= MOST_GUESTS:
                break
            self._later.popleft()
            if not there:
                conn.handed = True
                self._have_guest(conn, _STRANDED)
                self.enqueue_req(conn)
        self._watch_entrance(there and bool(self._later))

    def _watch_entrance(self, full: bool) -> None:
        """Be told, or not, when there is room again elsewhere."""
        if full != self._watches:
            self._watches = full
            if full:
                self.poller.register(
                    self.elsewhere.entrance, selectors.EVENT_WRITE, self._hand_on
                )
            else:
                self.poller.unregister(self.elsewhere.entrance)

    def _take(self, intake: Intake) -> None:
        """Take what was left to this process, if no other was faster."""
        intake.beat()
        taken = intake.take()
        if taken is not None:
            self._resume(*taken, ours=True)

    def _resume(self, sock: socket.socket, data: bytes, *, ours: bool) -> None:
        """Go on with a connection on which a request has come, or none yet.

        It is `ours` to serve if it was left to us.
        """
        try:
            conn = Connection(self.cfg, sock, sock.getpeername(), sock.getsockname())
        except OSError:
            sock.close()
            return
        conn.kept = True
        conn.handed = ours and bool(data)
        conn.received.data += data
        self.begin(conn, self.go_on)
        if conn.idle:
            conn.deadline = time.monotonic() + self.cfg.keepalive

    def retire(self) -> None:
        """Tell that this process takes no more; what was left to it before is taken."""
        self.intake.retire()
        while taken := self.intake.take():
            self._resume(*taken, ours=True)
