"""Stream tickets: stand-ins for a token, for a browser that follows something.

A browser sends no header with a stream it opens, and an address is no place for a
token: it stands in logs and histories. A ticket is good for one connection, and for a
moment. It lies in Valkey until then, which forgets it by itself; what comes of it is
held to the token it stands for, as long as the stream lasts.
"""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final
from uuid import UUID

import msgspec
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from service.values import signed_tokens
from service.values.errors import Busy
from service.values.signed_tokens import Origin, Signer

SECONDS: Final = 30
"""How long a ticket waits for its connection."""

_PREFIX: Final = "kingup:ticket:"
_TIMEOUT_SECONDS: Final = 1.0


class Holder(msgspec.Struct, frozen=True):
    """For which stream a ticket is good, and for what token it stands.

    Without a game that is the stream of the turns of the token's owner.
    """

    game_id: UUID | None
    token_hash: bytes


class Tickets:
    """The tickets of one instance, for all its processes."""

    def __init__(self, redis_url: str, secret: str) -> None:
        self._signer: Signer = signed_tokens.signer(secret)
        self._key = hashlib.sha256(f"tickets {secret}".encode()).digest()
        self._valkey = redis.Redis.from_url(
            redis_url,
            socket_timeout=_TIMEOUT_SECONDS,
            socket_connect_timeout=_TIMEOUT_SECONDS,
            retry=Retry(NoBackoff(), 0),
        )

    def issue(self, holder: Holder, token: str) -> str:
        """A fresh ticket, for whoever has shown `token`.

        Strangers' tickets are known from those of a proved mailbox as their tokens are.
        Raises Busy while Valkey is away.
        """
        known = self._signer.origin(token) is Origin.MAILBOX
        ticket = self._signer.make(Origin.MAILBOX if known else Origin.ANYBODY)
        kept = msgspec.msgpack.encode(holder)
        with _asking():
            # Losing tickets loses nothing, and reading a game shall write no row.
            self._valkey.set(self._hidden(ticket), kept, ex=SECONDS)
        return ticket

    def take(self, ticket: str) -> Holder | None:
        """Whose a ticket is, which is good no more; None if it wasn't any more.

        Raises Busy while Valkey is away.
        """
        # One command reads and deletes: of two who show it at once only one gets in.
        return self._find(ticket, self._valkey.getdel)

    def holder(self, ticket: str) -> Holder | None:
        """The same of a ticket that stays good."""
        return self._find(ticket, self._valkey.get)

    def _find(self, ticket: str, find: Callable[[str], object]) -> Holder | None:
        # A ticket that we haven't signed is made up, and costs Valkey nothing.
        if self._signer.origin(ticket) is None:
            return None
        with _asking():
            kept = find(self._hidden(ticket))
        if not isinstance(kept, bytes):
            return None
        return msgspec.msgpack.decode(kept, type=Holder)

    def _hidden(self, ticket: str) -> str:
        """A key by which nobody who reads Valkey could take the ticket."""
        hashed = hashlib.blake2b(ticket.encode(), key=self._key, digest_size=16)
        return f"{_PREFIX}{hashed.hexdigest()}"


@contextmanager
def _asking() -> Iterator[None]:
    try:
        yield
    except (redis.RedisError, OSError) as error:
        raise Busy from error
