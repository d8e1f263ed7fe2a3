"""Server-sent events (HTML Living Standard, section 9.2): a feed sent as a stream."""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar

import msgspec
from flask import Flask
from sqlalchemy.exc import SQLAlchemyError

from engine.errors import UnreadableLog
from service import live
from service.live.client_socket import ClientSocket
from service.live.subscriptions import News, Subscription
from service.values.errors import Problem

RETRY_MS: Final = 2000
"""How long a browser waits before it comes back."""

BEGINNING: Final = f"retry: {RETRY_MS}\n\n".encode()
HEARTBEAT: Final = b": still here\n\n"

HEARTBEAT_SECONDS: Final = 15.0
"""The longest that a stream says nothing, and that a revoked token is believed."""

_SPREAD_SECONDS: Final = 4.0
_SPREAD: Final = 16
_SLOWEST_SECONDS: Final = 30.0
_AGAIN_SECONDS: Final = 2.0


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """What is sent at once.

    `mark` is that of what its reader has seen then, and `over` tells whether nothing
    comes after it.
    """

    mark: str
    messages: tuple[bytes, ...]
    over: bool = False


_Batch = TypeVar("_Batch", bound=Batch)


def message(event: str, data: bytes, number: int | str | None = None) -> bytes:
    """A message of one line of data, with an id if it has one."""
    head = f"event: {event}\n"
    if number is not None:
        head += f"id: {number}\n"
    return head.encode() + b"data: " + data + b"\n\n"


def follow(
    app: Flask,
    first: _Batch,
    read: Callable[[_Batch, Sequence[News]], _Batch],
    subscription: Subscription,
    client_socket: ClientSocket,
) -> Iterator[bytes]:
    """All messages from the first batch on, for as long as there are any.

    `read` finds the batch after another one, in the context of the app: with another
    mark if there is anything new. News of which nothing is shown to the reader sends
    them nothing, not even a heartbeat.

    Runs while the answer is being sent, outside of any request. Ends when nothing more
    will come, when `read` refuses what the reader may not see any more, or can't read
    it; when the client has hung up or reads too slowly; and when the process ends.
    Whoever comes back with the id of their last message has missed nothing. A database
    that is away is waited for.
    """
    yield BEGINNING
    for messages in _batches(app, first, read, subscription, client_socket):
        for each in messages:
            if not client_socket.ready(_SLOWEST_SECONDS):
                client_socket.hang_up()
                return
            yield each


def _batches(
    app: Flask,
    batch: _Batch,
    read: Callable[[_Batch, Sequence[News]], _Batch],
    subscription: Subscription,
    client_socket: ClientSocket,
) -> Iterator[tuple[bytes, ...]]:
    """What is to be sent at a time, from the first batch on; it may be nothing."""
    here = live.of(app)
    # Not all of them at the same moment.
    earlier = subscription.number % _SPREAD * _SPREAD_SECONDS / _SPREAD
    usual = HEARTBEAT_SECONDS - earlier
    due = time.monotonic() + usual
    yield batch.messages
    while not batch.over:
        news = subscription.wait(max(0.0, due - time.monotonic()))
        if here.subscriptions.closed or client_socket.gone:
            return
        before = batch
        messages: tuple[bytes, ...] = ()
        # Read by oneself, without the news: so a message that got lost is found, and a
        # token that was revoked ends. It keeps to its own time. A heartbeat that came
        # with news would tell somebody who is shown nothing that something happened.
        if time.monotonic() >= due:
            news, messages, due = (), (HEARTBEAT,), time.monotonic() + usual
        try:
            with here.concurrency.reading(), app.app_context():
                batch = read(before, news)
        # Ended, all streams would be back at once, at a database that has hardly begun.
        except SQLAlchemyError:
            messages, due = (HEARTBEAT,), time.monotonic() + _AGAIN_SECONDS
        # The head of the answer has gone out, so no problem can be told any more.
        # Whoever comes back is told it then.
        except (Problem, UnreadableLog):
            return
        yield messages if batch.mark == before.mark else batch.messages
