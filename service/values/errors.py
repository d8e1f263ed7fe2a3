"""What can go wrong with a request, each with a stable code and a status."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, TypeAlias

from msgspec import UnsetType

from engine.errors import Fact, Refusal


class Problem(Exception):
    """A request that changes nothing. `code` is public and stable.

    `facts` are told to whoever asked; `tells` are their names and types, those that may
    be missing with UnsetType. `status` is the HTTP status.
    """

    code: ClassVar[str] = "problem"
    status: ClassVar[int] = 400
    tells: ClassVar[Mapping[str, Any]] = {}

    def __init__(self, **facts: Fact) -> None:
        super().__init__(facts)
        self.facts: Mapping[str, Fact] = facts


class Unauthorized(Problem):
    """No proof of who asks, or one that is unknown, revoked or expired."""

    code = "unauthorized"
    status = 401
    tells: ClassVar = {"reason": str}


class Forbidden(Problem):
    """The proof is good, but not for this."""

    code = "forbidden"
    status = 403
    tells: ClassVar = {"reason": str, "scope": str | UnsetType}


class NotFound(Problem):
    """There is no such thing, or none for whoever asks."""

    code = "not-found"
    status = 404
    tells: ClassVar = {
        "what": str | UnsetType,
        "at": int | UnsetType,
        "revision": int | UnsetType,
    }


class InvitationOver(NotFound):
    """An invitation that can't be answered any more."""

    code = "invitation-over"
    tells: ClassVar = {}


class Conflict(Problem):
    """Understood, but at odds with how things stand."""

    code = "conflict"
    status = 409


class TooManyRequests(Problem):
    """Somebody has had all they may have for now, and is told of what.

    `limit` is its name, public and stable, and `whose` it is: the token's, the
    network's, the host's … `most` is how many there may be, and `retry_after` the
    seconds after which another try is worth it.
    """

    code = "too-many-requests"
    status = 429
    tells: ClassVar = {"limit": str, "whose": str, "most": int, "retry_after": int}

    def __init__(
        self, *, limit: str, whose: str, most: int, retry_after: int, **facts: Fact
    ) -> None:
        super().__init__(
            limit=limit, whose=whose, most=most, retry_after=retry_after, **facts
        )


class TooManyInvitations(TooManyRequests):
    """A cap on invitations is reached: the host's, the address's or the instance's."""

    code = "too-many-invitations"


class TooManyChanges(TooManyRequests):
    """Free time was changed as often as it may be in a week."""

    code = "too-many-changes"


class HostNotListed(Forbidden):
    """This instance lets listed addresses host alone."""

    code = "host-not-listed"
    tells: ClassVar = {}


class Invalid(Problem):
    """Not understood.

    `field` names what in the body, `parameter` what in the query, `header` which one.
    """

    # `path` are the keys that lead to a field. `others` are what else isn't understood
    # of the same request.

    code = "invalid"
    status = 422
    tells: ClassVar = {
        "reason": str,
        "field": str | UnsetType,
        "parameter": str | UnsetType,
        "header": str | UnsetType,
    }

    def __init__(
        self,
        path: Sequence[str] | None = None,
        others: Sequence["Invalid"] = (),
        /,
        **facts: Fact,
    ) -> None:
        named = {} if path is None else {"field": ".".join(path) or "body"}
        super().__init__(**named, **facts)
        self.path = path
        self.others = others


class IdempotencyKeyReused(Invalid):
    """The key came before, with another request."""

    code = "idempotency-key-reused"


class MethodNotAllowed(Problem):
    """The thing is there, but this can't be done to it."""

    code = "method-not-allowed"
    status = 405
    tells: ClassVar = {"methods": tuple[str, ...]}


class PreconditionFailed(Problem):
    """What the client has read, by its `If-Match`, is not what is there now."""

    code = "precondition-failed"
    status = 412


class NotAcceptable(Problem):
    """The answer is in no media type that the request accepts."""

    code = "not-acceptable"
    status = 406


class RequestTimeout(Problem):
    """A body that didn't come in time."""

    code = "request-timeout"
    status = 408


class TooLarge(Problem):
    """A body above the limit."""

    code = "too-large"
    status = 413


class WrongMediaType(Problem):
    """A body that is no JSON by its own account."""

    code = "media-type"
    status = 415


class TooManyWaiting(TooManyRequests):
    """One client has as many streams and long polls open as it may."""

    code = "too-many-waiting"


class Internal(Problem):
    """A fault of ours."""

    code = "internal"
    status = 500


class Busy(Problem):
    """A lock or a connection was not to be had, or the database didn't answer, in time.

    A write may be there all the same: it was, if the database only failed to say so.
    """

    code = "busy"
    status = 503


class TooManyStreams(Problem):
    """This process has as many streams and long polls open as it may."""

    code = "too-many-streams"
    status = 503


class GameUnreadable(Problem):
    """The game's log is of a newer version; a newer process will serve it."""

    code = "game-unreadable"
    status = 503


# These are two families: the engine knows what isn't allowed in the game, the service
# what is wrong with a request.
PublicError: TypeAlias = Problem | Refusal
"""What may be told to whoever asked, and nothing else is."""

RETRY_AFTER = 5
"""Seconds after which what is busy or unreadable is worth another try."""


def retry_after(error: PublicError) -> int | None:
    """The seconds after which the same is worth another try; None for never."""
    if isinstance(error, TooManyRequests):
        return int(str(error.facts["retry_after"]))
    unavailable = isinstance(error, Problem) and error.status == Busy.status
    return RETRY_AFTER if unavailable else None
