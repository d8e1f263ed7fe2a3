"""How operations fail, as the contract tells it: by status, with examples by code."""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args

import msgspec
from apispec import APISpec
from msgspec import UNSET, Meta, UnsetType
from werkzeug.http import HTTP_STATUS_CODES

from engine.errors import Fact
from service.api.http import problems
from service.api.http.annotations import Failure
from service.api.openapi import reply_schemas
from service.present import error_texts
from service.values.errors import Invalid, Problem

_Legal: TypeAlias = Annotated[
    Any,
    Meta(
        description="What your seat may answer, where an answer is refused.",
        extra_json_schema={
            "type": "array",
            "items": {"$ref": "#/components/schemas/Offer"},
        },
    ),
]
_Flaws: TypeAlias = Annotated[
    Sequence[problems.FlawReply],
    Meta(description="All that wasn't understood, up to 20; the first is told above."),
]

Facts: TypeAlias = Mapping[str, Mapping[str, Any] | Problem]
"""Facts of failures by their codes, or failures themselves."""


def _limit(name: str, whose: str, most: int, wait: int) -> Mapping[str, object]:
    return {"limit": name, "whose": whose, "most": most, "retry_after": wait}


_SAMPLES: Final[Facts] = {
    "beyond-the-record": {"revision": 6, "head": f"6:{'9c1f' * 16}"},
    "cannot-take-back": {"decision": 3, "reason": "acted-since"},
    "idempotency-key-reused": {"header": "Idempotency-Key", "reason": "reused"},
    "not-found": {"what": "game"},
    "too-many-changes": _limit("free-time", "person", 3, 86400),
    "too-many-invitations": _limit("open-invitations", "host", 10, 3600),
    "too-many-requests": _limit("reading", "token", 600, 42),
    "too-many-waiting": _limit("waiting", "person", 20, 5),
    "unauthorized": {"reason": "bad-token"},
}
"""Facts for the contract's example of a problem, by its code."""

_FACTS: Final[Mapping[str, Any]] = {
    "asked": "move",
    "card": "no",
    "character": "O",
    "decision": 3,
    "option": "seats",
    "phase": "over",
    "place": "4",
    "reason": "no-room",
    "reopened": 5,
    "seat": 0,
    "seats": (2,),
    "value": 9,
}
"""Facts for the contract's example of any other failure, by their names."""


def describe(spec: APISpec, failures: Iterable[Failure]) -> None:
    """Put problems into the contract: each by its code, with its facts."""
    ordered = _by_code(set(failures))
    reply_schemas.describe(spec, [_form(each) for each in ordered])
    places = {each.code: _place(each) for each in ordered}
    for name, schema in reply_schemas.open_union("code", places).items():
        spec.components.schema(name, dict(schema))


def _form(failure: Failure) -> type[msgspec.Struct]:
    """What the problem document of a failure looks like: its facts beside the rest."""
    fields: list[tuple[str, Any] | tuple[str, Any, Any]] = [
        ("code", Literal[failure.code]),
        *(_field(name, kind) for name, kind in _facts_of(failure).items()),
    ]
    return msgspec.defstruct(
        f"{failure.__name__}Problem",
        fields,
        bases=(problems.ProblemReply,),
        kw_only=True,
        namespace={"__doc__": failure.__doc__},
    )


def _field(name: str, kind: Any) -> tuple[str, Any] | tuple[str, Any, Any]:
    optional = UnsetType in get_args(kind)
    return (name, kind, UNSET) if optional else (name, kind)


def _facts_of(failure: Failure) -> Mapping[str, Any]:
    """The facts that a failure tells, with their types."""
    if issubclass(failure, Invalid):
        return {**failure.tells, "errors": _Flaws}
    if issubclass(failure, Problem):
        return failure.tells
    declared = dataclasses.fields(failure)
    facts = {each.name: Any if each.type == Fact else each.type for each in declared}
    return {**facts, "legal": _Legal | UnsetType}


def _place(failure: Failure) -> str:
    """Where the contract describes a problem."""
    name = reply_schemas.called(f"{failure.__name__}Problem")
    return f"{reply_schemas.SCHEMAS}{name}"


def _one_of(failures: Iterable[Failure]) -> Mapping[str, Any]:
    """One of some problems, or one that comes later."""
    places = [*map(_place, failures), f"{reply_schemas.SCHEMAS}UnknownProblem"]
    return {"anyOf": [{"$ref": place} for place in places]}


def documented(
    failures: Iterable[Failure], facts: Facts
) -> Mapping[int, Mapping[str, object]]:
    """The responses with which an operation may refuse, by status, for the contract.

    `facts` are those of its own, as examples.
    """
    by_status: dict[int, list[Failure]] = {}
    for failure in failures:
        by_status.setdefault(error_texts.status_of(failure), []).append(failure)
    return {
        status: _response(status, _by_code(by_status[status]), {**_SAMPLES, **facts})
        for status in sorted(by_status)
    }


def _by_code(failures: Iterable[Failure]) -> Sequence[Failure]:
    return sorted(failures, key=lambda each: each.code)


def _response(
    status: int, failures: Sequence[Failure], facts: Facts
) -> Mapping[str, object]:
    codes = ", ".join(f"`{each.code}`" for each in failures)
    examples = {each.code: {"value": _example(each, facts)} for each in failures}
    content = {"schema": _one_of(failures), "examples": examples}
    return {
        "description": f"{HTTP_STATUS_CODES[status]}: {codes}.",
        "content": {problems.MEDIA_TYPE: content},
    }


def _example(failure: Failure, facts: Facts) -> Mapping[str, object]:
    """A failure as a reply has it, with facts made up where it can't do without."""
    if issubclass(failure, Problem):
        needed: Iterable[str] = error_texts.needed(failure)
    else:
        needed = [fact.name for fact in dataclasses.fields(failure)]
    known = facts.get(failure.code)
    if isinstance(known, Problem):
        return problems.body(known)
    return problems.body(
        failure(**(known or {name: _FACTS.get(name, name) for name in needed}))
    )
