"""How operations fail, as the contract tells it: by status, with examples by code."""

import inspect
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from werkzeug.http import HTTP_STATUS_CODES

from service.api.http import problems
from service.api.http.annotations import Failure
from service.api.openapi import reply_schemas
from service.present import error_texts
from service.values.errors import Invalid, Problem

FORMS: Final = (problems.ProblemReply, problems.InvalidProblemReply)
"""What failures look like: most of them, and those to understand what was sent."""

Facts: TypeAlias = Mapping[str, Mapping[str, Any] | Problem]
"""Facts of failures by their codes, or failures themselves."""


def _limit(name: str, whose: str, most: int, wait: int) -> Mapping[str, object]:
    return {"limit": name, "whose": whose, "most": most, "retry_after": wait}


_SAMPLES: Final[Facts] = {
    "beyond-the-record": {"record": 6, "head": f"6:{'9c1f' * 16}"},
    "idempotency-key-reused": {"header": "Idempotency-Key", "reason": "reused"},
    "not-found": {"what": "game"},
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
    "seat": 0,
    "seats": (2,),
    "value": 9,
}
"""Facts for the contract's example of any other failure, by their names."""


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
    whole, invalid = FORMS
    form = invalid if status == Invalid.status else whole
    content = {"schema": reply_schemas.reference(form), "examples": examples}
    return {
        "description": f"{HTTP_STATUS_CODES[status]}: {codes}.",
        "content": {problems.MEDIA_TYPE: content},
    }


def _example(failure: Failure, facts: Facts) -> Mapping[str, object]:
    """A failure as it is told, with facts made up where it can't do without."""
    if issubclass(failure, Problem):
        needed: Iterable[str] = error_texts.needed(failure)
    elif "__init__" in vars(failure):
        needed = inspect.signature(failure).parameters
    else:
        needed = ()
    known = facts.get(failure.code)
    if isinstance(known, Problem):
        return problems.body(known)
    return problems.body(failure(**(known or {name: _fact(name) for name in needed})))


def _fact(name: str) -> Any:
    return _FACTS.get(name, name)
