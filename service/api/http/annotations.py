"""What an operation declares of itself: who may do it, and how it can fail.

The contract is written from these declarations, and the tests hold every operation to
them; whoever may do what the operation itself checks (`service.api.http.access`).
"""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from http import HTTPStatus
from typing import Any, Final, TypeAlias, TypeVar

import msgspec
from apispec.ext.marshmallow.common import resolve_schema_instance

from engine.errors import Refusal
from service.rate_limits.limits import READING, WRITING, Rule
from service.values.errors import Problem

_DOCS: Final = "_apidoc"
"""Where flask-smorest's own decorators keep, on a view, what they have to say."""

_View = TypeVar("_View", bound=Callable[..., Any])

Failure: TypeAlias = type[Problem] | type[Refusal]


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


def access(
    who: Who, scope: str | None = None, others: str | None = None
) -> Callable[[_View], _View]:
    """Declare who may call a view, and with which scope; hosts for `others` as well."""
    # It isn't checked here: most operations prove a seat in the very statement that
    # reads or locks the game.
    return _declaring("access", Access(who, scope, others))


def fails(*errors: Failure) -> Callable[[_View], _View]:
    """Declare what a view refuses with, beside what its access implies."""
    return _declaring("fails", errors)


def named(name: str) -> Callable[[_View], _View]:
    """Declare what generated clients call a view, where its class says it badly."""
    return _declaring("named", name)


def fleeting() -> Callable[[_View], _View]:
    """Declare that an answer is good for this moment: nobody may keep it."""
    return _declaring("fleeting", True)


def repeatable() -> Callable[[_View], _View]:
    """Declare that a view honours an `Idempotency-Key` (see `http.idempotency`)."""
    return _declaring("once", True)


def marked() -> Callable[[_View], _View]:
    """Declare that an answer to a write has the `ETag` of what was written."""
    return _declaring("marked", True)


def conditional() -> Callable[[_View], _View]:
    """Declare that a view honours `If-Match` (`service.api.http.preconditions`)."""
    return _declaring("conditional", True)


def unconditional() -> Callable[[_View], _View]:
    """Declare that a view never looks at `If-Match`.

    Any other write refuses it where it doesn't honour it.
    """
    return _declaring("conditional", False)


def limited(*rules: Rule) -> Callable[[_View], _View]:
    """Declare what a view counts for, where it isn't plain reading or writing.

    Quotas come on top of that. No rule at all: it is never limited.
    """
    return _declaring("limits", rules)


def docs_of(view: Callable[..., Any]) -> Mapping[str, Any]:
    """All that is declared of a view: here, and by flask-smorest's own decorators."""
    docs: Mapping[str, Any] = getattr(view, _DOCS, {})
    return docs


def limits_of(docs: Mapping[str, Any], method: str) -> Sequence[Rule]:
    """What the documentation of a view declares that it counts for, or else the usual.

    `method` is in lower case.
    """
    usual = READING if method == "get" else WRITING
    declared: Sequence[Rule] = docs.get("limits", (usual,))
    only_quotas = bool(declared) and all(rule.quota for rule in declared)
    return (usual, *declared) if only_quotas else declared


def access_of(view: Callable[..., Any]) -> Access:
    """What a view has declared. Raises LookupError when it hasn't."""
    docs = docs_of(view)
    if "access" not in docs:
        raise LookupError(f"{view.__qualname__} declares no access")
    found: Access = docs["access"]
    return found


def failures_of(docs: Mapping[str, Any]) -> Sequence[Failure]:
    """What the documentation of a view declares of its failures."""
    declared: Sequence[Failure] = docs.get("fails", ())
    return declared


def _declaring(name: str, value: object) -> Callable[[_View], _View]:
    def declare(view: _View) -> _View:
        setattr(view, _DOCS, {**docs_of(view), name: value})
        return view

    return declare


def media_types(act: Callable[..., Any]) -> tuple[str, ...]:
    """What a view's successful answers are written in; empty where there is no body."""
    responses = docs_of(act).get("response", {}).get("responses", {})
    found = (
        each.get("content_type") or "application/json"
        for status, answers in responses.items()
        if int(status) < HTTPStatus.BAD_REQUEST
        for each in answers
        if "schema" in each
    )
    return tuple(dict.fromkeys(found))


def takes_body(act: Callable[..., Any]) -> bool:
    """Whether a view reads a body."""
    arguments = docs_of(act).get("arguments", {}).get("parameters", ())
    return any(each["in"] == "json" for each in arguments)


def meets_conditions(act: Callable[..., Any]) -> bool:
    """Whether a view is a write that looks at `If-Match`."""
    return act.__name__ != "get" and bool(docs_of(act).get("conditional", 1))


@cache
def takes_tickets(act: Callable[..., Any]) -> bool:
    """Whether a view is opened with a ticket where there is no token."""
    return "ticket" in query_parameters(act)


def query_parameters(act: Callable[..., Any]) -> frozenset[str]:
    """The names of what a view reads in the query."""
    arguments = docs_of(act).get("arguments", {}).get("parameters", ())
    return frozenset(
        field.data_key or name
        for each in arguments
        if each["in"] == "query"
        for name, field in resolve_schema_instance(each["schema"]).fields.items()
    )
