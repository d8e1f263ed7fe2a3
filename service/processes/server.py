"""Gunicorn's worker with threads, for clients who take their time.

Its main thread receives. A thread is given a request when all of it is there, and waits
for its client no more, but to send what the kernel can't hold. So whoever sends half a
head, half a body or nothing, keeps a connection open or doesn't read has a connection
until their time is up, and no thread.
"""

import errno
import selectors
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from gunicorn.http.errors import NoMoreData
from gunicorn.workers.gthread import STOP_KEEPALIVE_LINGER

from service.live.client_socket import ClientSocket
from service.live.concurrency import BODY_SECONDS
from service.processes.connection import SEND_SECONDS, TOO_LATE, TOO_MANY, Connection
from service.processes.liveness import Liveness
from service.processes.peers import Peers
from service.processes.pulse import Pulse
from service.processes.strangers import LOOK_SECONDS, Sharing

HEAD_SECONDS: Final = 10.0
"""How long a head may take, in all; on a new connection its first byte too."""

FORSAKEN_SECONDS: Final = 2.0
"""After how long in the queue nobody reads for a client who says no more."""

SEND_BYTES: Final = 512 * 1024
"""What the kernel is asked to hold of answers that nobody has read yet."""

_READING: Final = ("GET", "HEAD")
_LINGER_SECONDS: Final = 2.0
_LINGER_BYTES: Final = 64 * 1024
_PAUSE_SECONDS: Final = 0.05
_PASSING: Final = (errno.EAGAIN, errno.ECONNABORTED, errno.EWOULDBLOCK)
_FULL: Final = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
_MORE: Final = object()


# Granian serves views 1.5 times as often, but doesn't show us its sockets: half a body
# is told nothing in twice the time, a stream whose reader has hung up keeps its slot,
# and open streams hold up the end of the process until it is killed.
class GunicornWorker(Sharing):
    """One web process. Every connection is worked on by a thread, or waits here."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Behind a proxy all come from it, and it counts them itself.
        behind = self.settings.trusted_proxies
        self._peers = Peers(0 if behind else self.settings.connections_a_peer)
        self._waiting: dict[Connection, None] = {}
        self._next_murder = 0.0

    def init_process(self) -> None:
        """Ask for room for answers: a connection has it of its listener."""
        for listener in self.sockets:
            with suppress(OSError):
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BYTES)
        super().init_process()

    def load_wsgi(self) -> None:
        """Load the app, ask it what it says of being alive, and have it say so."""
        super().load_wsgi()
        self._liveness = Liveness(self.wsgi)
        self._pulse = Pulse(self.wsgi)
        self._pulse.start()

    def notify(self) -> None:
        """Tell whoever watches that connections are looked after."""
        super().notify()
        self._pulse.feel()

    def accept(self, listener: Any) -> bool:
        """Have one more connection, if one has come, in place of the idlest if need be.

        Tells whether another may have come.
        """
        try:
            sock, client = listener.accept()
        except OSError as error:
            if error.errno in _FULL:
                self._make_room()
                # Else, if nobody waits, this would be tried again without a pause.
                time.sleep(_PAUSE_SECONDS)
            elif error.errno not in _PASSING:
                raise
            return False
        conn = Connection(self.cfg, sock, client, listener.getsockname())
        self.begin(conn, self._receive)
        return True

    def begin(self, conn: Connection, then: Callable[[Connection], None]) -> None:
        """Have one more connection, unless its peer has its share."""
        if not self._peers.come(conn.peer):
            if conn.received.data:
                conn.says(TOO_MANY)
            conn.sock.close()
            return
        self.nr_conns += 1
        conn.inbound_secret = self.settings.inbound_secret
        conn.deadline = time.monotonic() + HEAD_SECONDS
        then(conn)
        if self.nr_conns >= self.worker_connections:
            self._make_room(but=conn)

    def refuse(self, conn: Connection) -> None:
        """Answer that there is no room now."""
        conn.says(TOO_MANY)
        self._linger(conn)

    def _make_room(self, but: Connection | None = None) -> None:
        """Give up whoever has waited longest, if anybody does."""
        longest = next(iter(self._waiting), None)
        if longest is not None and longest is not but:
            self.drop(longest)

    def _receive(self, conn: Connection) -> None:
        """Take what has come; a whole request is worked on, else more is waited for."""
        data = conn.read()
        if data is None:
            self._wait(conn)
        elif conn.lingers:
            self._ignore(conn, data)
        elif not data:
            self._hear_the_end(conn)
        else:
            if conn.idle and conn.kept:
                conn.deadline = time.monotonic() + HEAD_SECONDS
            conn.received.data += data
            self.go_on(conn)

    def go_on(self, conn: Connection) -> None:
        """Give a thread whatever one can do; an answer must find room on it."""
        if not conn.is_whole():
            self._wait(conn)
        elif conn.kept and not ClientSocket(conn.sock).ready(0):
            conn.stuck = True
            conn.deadline = time.monotonic() + SEND_SECONDS
            self._wait(conn, selectors.EVENT_WRITE, self.go_on)
        else:
            conn.stuck = False
            self._leave_off(conn)
            alive = None if conn.request else self._liveness.answer(conn)
            if alive is not None:
                self._answered(conn, goes_on=alive)
            elif not self.leave(conn):
                self.enqueue_req(conn)

    def _hear_the_end(self, conn: Connection) -> None:
        """A client says no more: of half a request only a body is told so."""
        if conn.request is None:
            self.drop(conn)
        else:
            conn.received.lack = ConnectionResetError()
            self.go_on(conn)

    def _wait(
        self,
        conn: Connection,
        event: int = selectors.EVENT_READ,
        then: Callable[[Connection], None] | None = None,
    ) -> None:
        """Come back to a connection when it is ready, or its time is up."""
        awaits = (event, then)
        if conn in self._waiting and conn.awaits == awaits:
            return
        self._leave_off(conn)
        call = then or self._receive
        # It may have been given up since it was polled, in favour of another.
        self.poller.register(
            conn.sock, event, lambda _: call(conn) if conn in self._waiting else None
        )
        self._waiting[conn], conn.awaits = None, awaits

    def _leave_off(self, conn: Connection) -> None:
        if conn in self._waiting:
            del self._waiting[conn]
            self.poller.unregister(conn.sock)

    def enqueue_req(self, conn: Connection) -> None:
        """Let a thread work on it as soon as one can."""
        conn.since = time.monotonic()
        super().enqueue_req(conn)

    def handle(self, conn: Connection) -> object:
        """Work on a request, in a thread; tells whether the connection goes on."""
        request = None
        try:
            if not conn.begin():
                return _MORE
            request, is_delimited = conn.finish()
            if self._is_forsaken(conn, request):
                return False
            goes_on = self.handle_request(request, conn) and is_delimited
            # What the app left of a body isn't the next request's.
            return bool(goes_on and conn.parser.finish_body())
        except (StopIteration, NoMoreData, ConnectionError):
            return False
        except TimeoutError:
            conn.stuck = True
        except OSError:
            self.log.exception("Socket error processing request.")
        except Exception as error:
            self.handle_error(request, conn.sock, conn.client, error)
        return False

    def _is_forsaken(self, conn: Connection, request: Any) -> bool:
        """Whether a client has hung up while their wish to read waited for a thread.

        One that hears on may have said all it has to say: it has some seconds. What was
        to be written is written, as whoever sent it and went away believes.
        """
        late = time.monotonic() - conn.since > FORSAKEN_SECONDS
        return late and request.method in _READING and ClientSocket(conn.sock).gone

    def finish_request(self, conn: Connection, fs: Any) -> None:
        """Go on after a thread's work: with more of it, the next, or the end."""
        result = False if fs.cancelled() or fs.exception() else fs.result()
        if result is _MORE:
            conn.deadline = time.monotonic() + BODY_SECONDS
            self._receive(conn)
        else:
            self.see_off(conn)
            self._answered(conn, goes_on=bool(result))

    def _answered(self, conn: Connection, *, goes_on: bool) -> None:
        """Go on after an answer: with the next request, or the end."""
        if not goes_on:
            self._linger(conn)
            return
        conn.kept, conn.handed = True, False
        # Whoever speaks next on it may be known.
        if conn.idle and self.for_strangers and self.hand(conn):
            return
        seconds = self.cfg.keepalive if conn.idle else HEAD_SECONDS
        conn.deadline = time.monotonic() + (
            seconds if self.alive else min(seconds, STOP_KEEPALIVE_LINGER)
        )
        if conn.idle:
            self._wait(conn)
        else:
            self.go_on(conn)

    def _linger(self, conn: Connection) -> None:
        """Say that nothing more comes, and let the client have read it all first.

        One that is closed before what comes on it was taken breaks off (RFC 9112, 9.6).
        """
        conn.lingers = True
        conn.deadline = time.monotonic() + _LINGER_SECONDS
        try:
            conn.sock.shutdown(socket.SHUT_WR)
        except OSError:
            self.drop(conn)
        else:
            self._receive(conn)

    def _ignore(self, conn: Connection, data: bytes) -> None:
        conn.ignored += len(data)
        if data and conn.ignored < _LINGER_BYTES:
            self._wait(conn)
        else:
            self.drop(conn)

    def drop(self, conn: Connection) -> None:
        """Be done with a connection; if it was handed on, it is open still."""
        self._leave_off(conn)
        self._peers.go(conn.peer)
        self.nr_conns -= 1
        conn.close()
        self.see_off(conn)

    def murder_keepalived(self, force: bool = False) -> None:
        """Let those go whose time is up, or all who wait."""
        now = time.monotonic()
        if not force and now < self._next_murder:
            return
        self._next_murder = now + LOOK_SECONDS
        for conn in [each for each in self._waiting if force or each.deadline <= now]:
            if not force and self._came_in_time(conn):
                continue
            if conn.request is not None and not (conn.received.lack or force):
                conn.received.lack = TimeoutError()
                self.go_on(conn)
            else:
                if not (conn.idle or conn.lingers):
                    conn.says(TOO_LATE)
                self.drop(conn)

    def _came_in_time(self, conn: Connection) -> bool:
        """Whether what was awaited is there, though this process was held up."""
        idle = conn.idle
        data = None if conn.lingers or conn.stuck else conn.read()
        if not data:
            return False
        conn.received.data += data
        if idle:
            conn.deadline = time.monotonic() + HEAD_SECONDS
        self.go_on(conn)
        return idle or conn not in self._waiting

    def murder_pending(self) -> None:
        """There are no others."""

    def _cap_keepalive(self, deadline: float) -> None:
        """Let whoever has asked for nothing yet go soon: this is the end."""
        self.retire()
        for listener in self.sockets:
            # Whoever is let in by the kernel already isn't hung up on.
            for _ in range(self.cfg.backlog):
                if not self.accept(listener):
                    break
            listener.close()
        for conn in self._waiting:
            if conn.idle:
                conn.deadline = min(conn.deadline, deadline)
