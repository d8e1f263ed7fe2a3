"""Long polls: a request that waits until there is what it asks for, or time is up."""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Final, TypeVar

from flask import request

from service import live
from service.live.client_socket import socket_of
from service.live.quota import Client
from service.live.subscriptions import Subscription

LOOK_SECONDS: Final = 15.0
"""How often one looks again without having been called, as a stream does."""

_REST: Final = 4
"""How long one rests after a look, in times of what it took.

Whoever plays so many games that they are called without end, and look for long, takes
no more than a fifth of a thread for it.
"""

_Found = TypeVar("_Found")


def until(
    enough: Callable[[_Found], bool],
    look: Callable[[], _Found],
    watching: AbstractContextManager[Subscription],
    client: Callable[[], Client],
    seconds: float,
) -> _Found:
    """What `look` finds as soon as it is enough, or once the seconds are over.

    Holds neither connection nor turn meanwhile. `client` tells whose slot it takes.
    Raises TooManyWaiting, TooManyStreams, and whatever `look` raises.
    """
    if not seconds or request.method == "HEAD":
        return look()
    here, line = live.current(), socket_of(request)
    # Patience is measured by the machine: a game's clock may be moved.
    end = time.monotonic() + seconds
    with watching as watch:
        began = time.monotonic()
        found = look()
        if enough(found):
            return found
        with here.room.slot(client(), line):
            while (left := end - (now := time.monotonic())) > 0:
                rest = min(left, _REST * (now - began))
                with here.gate.left():
                    here.hub.rest(rest)
                    watch.wait(min(left - rest, LOOK_SECONDS))
                began = time.monotonic()
                found = look()
                if enough(found) or here.hub.closed or line.gone:
                    break
            return found
