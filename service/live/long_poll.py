"""Long polls: a request that waits until there is what it asks for, or time is up."""

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Final, TypeVar

from flask import request

from service import live
from service.live.client_socket import socket_of
from service.live.quota import Client
from service.live.subscriptions import News, Subscription

LOOK_SECONDS: Final = 15.0
"""How often one looks again without news, as a stream does."""

_REST: Final = 4
"""How long one rests after a look, in times of what it took.

Whoever plays so many games that there is news without end, and looks for long, takes no
more than a fifth of a thread for it.
"""

_Found = TypeVar("_Found")


def until(
    enough: Callable[[_Found], bool],
    read: Callable[[Sequence[News]], _Found],
    watching: AbstractContextManager[Subscription],
    client: Callable[[], Client],
    seconds: float,
) -> _Found:
    """What `read` finds as soon as it is enough, or once the seconds are over.

    Holds neither connection nor turn meanwhile. `read` is given the news of which it
    was called, if any; `client` tells whose slot it takes. Raises TooManyWaiting,
    TooManyStreams, and whatever `read` raises.
    """
    if not seconds or request.method == "HEAD":
        return read(())
    here, client_socket = live.current(), socket_of(request)
    # How long one waits is measured by the machine: a game's clock may be moved.
    end = time.monotonic() + seconds
    # Watched first and read then, so that nothing is missed that is committed in
    # between.
    with watching as subscription:
        began = time.monotonic()
        found = read(())
        if enough(found):
            return found
        # Only now: whoever has an answer at once takes nobody's slot, and isn't refused
        # one.
        with here.connections.slot(client(), client_socket):
            while (left := end - (now := time.monotonic())) > 0:
                rest = min(left, _REST * (now - began))
                with here.concurrency.left():
                    here.subscriptions.rest(rest)
                    news = subscription.wait(min(left - rest, LOOK_SECONDS))
                began = time.monotonic()
                found = read(news)
                if enough(found) or here.subscriptions.closed or client_socket.gone:
                    break
            return found
