"""One short transaction: committed at its end, rolled back by whatever is raised."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import psycopg
from sqlalchemy import PoolProxiedConnection
from sqlalchemy.exc import OperationalError, TimeoutError

from service.store import commit_guard, pool
from service.values.errors import Busy


class Transaction:
    """One that is open. It has a connection from its first statement on."""

    def __init__(self) -> None:
        self.before_commit: list[Callable[[], None]] = []
        self.after_commit: list[Callable[[], None]] = []
        self._pooled: PoolProxiedConnection | None = None

    def connection(self) -> PoolProxiedConnection:
        """The connection on which all of it runs."""
        if self._pooled is None:
            self._pooled = pool.take()
        return self._pooled

    def commit(self) -> None:
        """Commit what was done. Raises Busy, and what SQLAlchemy does."""
        if self._pooled is None:
            return
        line = pool.driver(self._pooled)
        try:
            commit_guard.commit(line)
        except psycopg.Error as error:
            raise pool.wrapped(error, closed=line.closed) from error

    def end(self) -> None:
        """Undo what isn't committed, and let go of the connection."""
        if self._pooled is not None:
            pool.give_back(self._pooled)


_current: ContextVar[Transaction | None] = ContextVar("transaction", default=None)


@contextmanager
def transaction() -> Iterator[None]:
    """Commit what is done inside, or nothing of it.

    Inside another one it is a part of that: the outermost commits, or rolls back, all.
    Raises Busy for a row or a connection that is not to be had in time, and for a
    database that doesn't answer; then it may be committed all the same.
    """
    # A creating request with an Idempotency-Key opens one around all that it does: its
    # key, the stored answer and what was made are there together or not at all.
    if _current.get() is not None:
        yield
        return
    opened = Transaction()
    before = _current.set(opened)
    try:
        yield
        for act in opened.before_commit:
            act()
        opened.commit()
    except (OperationalError, TimeoutError) as error:
        raise Busy from error
    finally:
        _current.reset(before)
        opened.end()
    # The connection is back in the pool by now: what follows may take one itself, and
    # must not wait for the one its own thread holds.
    for act in opened.after_commit:
        act()


def current() -> Transaction | None:
    """The open one, if any is."""
    return _current.get()


def before_commit(act: Callable[[], None]) -> None:
    """Act last in the open transaction, which fails with it; without one at once.

    For what others wait for: it is held for the moment of the commit alone.
    """
    opened = _current.get()
    if opened is None:
        act()
    else:
        opened.before_commit.append(act)


def after_commit(act: Callable[[], None]) -> None:
    """Act once the open transaction is committed, never if it isn't; else at once."""
    opened = _current.get()
    if opened is None:
        act()
    else:
        opened.after_commit.append(act)
