"""What an operation declares of itself: who may do it, and how it can fail.

The contract is written from these declarations, and the tests hold every operation to
them; whoever may do what the operation itself checks (`service.api.http.access`).
"""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from http import HTTPStatus
from types import UnionType
from typing import Any, Final, TypeAlias, TypeVar

import msgspec
from marshmallow import Schema

from engine.errors import Refusal
from service.api.schemas import base
from service.rate_limits.limits import READING, WRITING, Rule
from service.values.errors import Problem

_OPERATION: Final = "operation"
"""Where a view keeps what it declares."""

_JSON: Final = "application/json"

_View = TypeVar("_View", bound=Callable[..., Any])

Failure: TypeAlias = type[Problem] | type[Refusal]

Form: TypeAlias = type[msgspec.Struct] | UnionType | Mapping[str, Any]
"""What an answer looks like: a struct, one of several, or as JSON Schema."""

Anew: TypeAlias = Callable[[Mapping[str, Any]], str | None]
"""Makes the secret of a kept answer anew, from its body.

None for one that is gone for good. Raises what whoever asks may not do.
"""


class Who(StrEnum):
    """Who may do something.

    PUBLIC: anybody, and a token changes nothing. VISITOR: anybody, and whoever brings a
    token is known by it. READER: whoever may see the game, likewise. PERSON: whoever a
    token belongs to, for themself. SEAT: whoever sits at the table. HOST: who sits on
    seat 0, before the start. HOLDER: whoever knows the secret in the path.
    """

    PUBLIC = "public"
    VISITOR = "visitor"
    READER = "reader"
    PERSON = "person"
    SEAT = "seat"
    HOST = "host"
    HOLDER = "holder"


class Access(msgspec.Struct, frozen=True):
    """Who may do something, and what their token must be good for.

    `others` is the scope with which a host may do the same to what is somebody else's.
    """

    who: Who
    scope: str | None
    others: str | None = None

    @property
    def security(self) -> list[dict[str, list[str]]]:
        """The same as OpenAPI says it."""
        match self.who:
            case Who.PUBLIC | Who.HOLDER:
                return []
            case Who.VISITOR | Who.READER:
                return [{}, {"token": []}]
            case Who.PERSON | Who.SEAT | Who.HOST:
                return [{"token": []}]


class Secret(msgspec.Struct, frozen=True):
    """The field of an answer that is shown once, if any, and what makes it anew."""

    field: str | None
    anew: Anew | None


class Answered(msgspec.Struct, frozen=True):
    """What an operation may answer with a status; `form` is None without a body."""

    status: int
    form: Form | None
    media_type: str
    description: str
    example: Any


class Operation(msgspec.Struct, frozen=True):
    """All that a view declares of itself.

    `headers`, `query` and `body` are what it reads, and gets in this order. `once` says
    that it honours an `Idempotency-Key`; `is_marked` that its answer to a write has the
    `ETag` of what was written; `is_fleeting` that nobody may keep its answer. `meets`
    is whether a write honours `If-Match`: None refuses it, False never looks at it.
    """

    access: Access | None = None
    failures: tuple[Failure, ...] = ()
    limits: tuple[Rule, ...] | None = None
    name: str | None = None
    headers: type[Schema] | None = None
    query: type[Schema] | None = None
    body: type[Schema] | None = None
    answers: tuple[Answered, ...] = ()
    once: Secret | None = None
    is_marked: bool = False
    is_fleeting: bool = False
    meets: bool | None = None


def access(
    who: Who, scope: str | None = None, others: str | None = None
) -> Callable[[_View], _View]:
    """Declare who may call a view, and with which scope; hosts for `others` as well."""
    # It isn't checked here: most operations prove a seat in the very statement that
    # reads or locks the game.
    return _declaring(access=Access(who, scope, others))


def arguments(
    schema: type[Schema], *, location: str = "body"
) -> Callable[[_View], _View]:
    """Declare what a view reads: in its body, or in `query` or `headers`."""
    return _declaring(**{location: schema})


def response(
    status: int,
    form: Form | None = None,
    *,
    content_type: str = _JSON,
    description: str | None = None,
    example: Any = None,
) -> Callable[[_View], _View]:
    """Declare what a view answers where it says no other status."""
    found = _answer(status, form, content_type, description, example)
    return lambda view: _declaring(answers=(found, *of(view).answers))(view)


def alt_response(
    status: int,
    form: Form | None = None,
    *,
    content_type: str = _JSON,
    description: str | None = None,
    example: Any = None,
) -> Callable[[_View], _View]:
    """Declare what a view may answer as well."""
    found = _answer(status, form, content_type, description, example)
    return lambda view: _declaring(answers=(*of(view).answers, found))(view)


def _answer(
    status: int, form: Form | None, kind: str, description: str | None, example: Any
) -> Answered:
    told = HTTPStatus(status).phrase if description is None else description
    return Answered(status, form, kind, told, example)


def fails(*errors: Failure) -> Callable[[_View], _View]:
    """Declare what a view refuses with, beside what its access implies."""
    return _declaring(failures=errors)


def named(name: str) -> Callable[[_View], _View]:
    """Declare what generated clients call a view, where its class says it badly."""
    return _declaring(name=name)


def fleeting() -> Callable[[_View], _View]:
    """Declare that an answer is good for this moment: nobody may keep it."""
    return _declaring(is_fleeting=True)


def once(
    shown_once: str | None = None, anew: Anew | None = None
) -> Callable[[_View], _View]:
    """Declare that a view honours an `Idempotency-Key` (see `http.idempotency`).

    `shown_once` names a field of the answer that is shown once: it is kept nowhere, and
    null in a repeated answer, or else made `anew`.
    """
    return _declaring(once=Secret(shown_once, anew))


def marked() -> Callable[[_View], _View]:
    """Declare that an answer to a write has the `ETag` of what was written."""
    return _declaring(is_marked=True)


def conditional() -> Callable[[_View], _View]:
    """Declare that a view honours `If-Match` (`service.api.http.preconditions`)."""
    return _declaring(meets=True)


def unconditional() -> Callable[[_View], _View]:
    """Declare that a view never looks at `If-Match`.

    Any other write refuses it where it doesn't honour it.
    """
    return _declaring(meets=False)


def limited(*rules: Rule) -> Callable[[_View], _View]:
    """Declare what a view counts for, where it isn't plain reading or writing.

    Quotas come on top of that. No rule at all: it is never limited.
    """
    return _declaring(limits=rules)


def of(view: Callable[..., Any]) -> Operation:
    """All that a view declares."""
    found: Operation = getattr(view, _OPERATION, _NOTHING)
    return found


_NOTHING: Final = Operation()


def _declaring(**declared: Any) -> Callable[[_View], _View]:
    def declare(view: _View) -> _View:
        setattr(view, _OPERATION, msgspec.structs.replace(of(view), **declared))
        return view

    return declare


@cache
def limits_of(view: Callable[..., Any]) -> Sequence[Rule]:
    """What a view declares that it counts for, or else the usual."""
    usual = READING if is_read(view) else WRITING
    declared = of(view).limits
    if declared is None:
        return (usual,)
    only_quotas = bool(declared) and all(rule.quota for rule in declared)
    return (usual, *declared) if only_quotas else declared


def access_of(view: Callable[..., Any]) -> Access:
    """What a view has declared. Raises LookupError when it hasn't."""
    found = of(view).access
    if found is None:
        raise LookupError(f"{view.__qualname__} declares no access")
    return found


def is_read(view: Callable[..., Any]) -> bool:
    """Whether a view changes nothing."""
    return view.__name__ == "get"


def media_types(view: Callable[..., Any]) -> tuple[str, ...]:
    """What a view's successful answers are written in; empty where there is no body."""
    found = (
        each.media_type
        for each in of(view).answers
        if each.status < HTTPStatus.BAD_REQUEST and each.form is not None
    )
    return tuple(dict.fromkeys(found))


def meets_conditions(view: Callable[..., Any]) -> bool:
    """Whether a view is a write that looks at `If-Match`."""
    return not is_read(view) and of(view).meets is not False


@cache
def takes_tickets(view: Callable[..., Any]) -> bool:
    """Whether a view is opened with a ticket where there is no token."""
    return "ticket" in query_parameters(view)


def query_parameters(view: Callable[..., Any]) -> frozenset[str]:
    """The names of what a view reads in the query."""
    query = of(view).query
    if query is None:
        return frozenset()
    return frozenset(base.names(query()))
