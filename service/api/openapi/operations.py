"""What the contract says of every operation: names, access, failures and headers."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

from apispec.ext.marshmallow.common import resolve_schema_instance

from service.api.http import (
    annotations,
    idempotency,
    preconditions,
    problems,
    response_headers,
    validation,
)
from service.api.http.annotations import Access, Failure, Who
from service.api.schemas.base import Variants
from service.rate_limits.limits import By
from service.values.errors import (
    Busy,
    Forbidden,
    GameUnreadable,
    IdempotencyKeyReused,
    Internal,
    Invalid,
    NotAcceptable,
    NotFound,
    PreconditionFailed,
    RequestTimeout,
    TooLarge,
    TooManyRequests,
    Unauthorized,
    WrongMediaType,
)

_VERBS: Final[Mapping[str, str]] = {
    "get": "get",
    "post": "create",
    "put": "put",
    "patch": "change",
    "delete": "delete",
}

# A parameter that nobody knows is not understood anywhere there.
_OF_API: Final[frozenset[Failure]] = frozenset((Busy, Invalid, NotAcceptable))

METHODS: Final = tuple(_VERBS)
"""What can be done to a thing, in lower case."""


def name_of(view: type, method: str) -> str:
    """The operationId of a view's method: what it declares, or made of its names."""
    act: Callable[..., Any] = getattr(view, method)
    given: str | None = annotations.docs_of(act).get("named")
    if given is not None:
        return given
    thing = view.__name__
    if method == "get" and thing.endswith("s"):
        return f"list{thing}"
    if method == "post":
        thing = thing.removesuffix("s")
    return f"{_VERBS[method]}{thing}"


def describe(
    doc: dict[str, Any], doc_info: dict[str, Any], *, below: bool, **context: Any
) -> dict[str, Any]:
    """What a view declares, as the contract says it; `below`: it is below /v1.

    Raises LookupError for a view that doesn't say who may call it.
    """
    if "access" not in doc_info:
        raise LookupError(f"{doc_info['operation']} declares no access")
    access: Access = doc_info["access"]
    doc["operationId"] = doc_info["operation"]
    limits = annotations.limits_of(doc_info, context["method"]) if below else ()
    by_person = any(rule.by is By.PERSON for rule in limits)
    doc["security"] = [{}, {"token": []}] if by_person else access.security
    doc["x-access"] = {"who": access.who.value, "scope": access.scope}
    if access.others is not None:
        doc["x-access"]["others"] = access.others
    responses = {str(status): told for status, told in doc["responses"].items()}
    doc["responses"] = responses
    kept = context["method"] == "get" and "fleeting" not in doc_info
    figures = response_headers.LIMITS if limits else ()
    always = (response_headers.CONTENT_LANGUAGE, *figures) if below else ()
    _success(responses, always)
    if kept:
        _keep(responses, figures)
    failures = {*_implied(access, doc_info), *annotations.failures_of(doc_info)}
    failures |= _of_writing(doc_info) if context["method"] != "get" else set()
    failures.update(_OF_API if below else (), (TooManyRequests,) if limits else ())
    _failures(responses, failures, always, _facts(access, doc))
    if doc_info.get("conditional"):
        doc.setdefault("parameters", []).append(preconditions.PARAMETER)
    if "once" in doc_info:
        doc.setdefault("parameters", []).append(idempotency.PARAMETER)
        _bring(responses, response_headers.REPLAYED)
    if "marked" in doc_info:
        _bring(responses, response_headers.ETAG)
    return doc


def _of_writing(doc_info: Mapping[str, Any]) -> set[Failure]:
    """How any write can fail."""
    # Whether or not it takes a body: one may come.
    found: set[Failure] = {RequestTimeout, TooLarge, WrongMediaType}
    # What has no mark meets no condition.
    return found | (
        {PreconditionFailed} if doc_info.get("conditional", True) else set()
    )


def _bring(responses: dict[str, Any], header: str) -> None:
    """Tell a header that comes when all is well."""
    for status, answer in responses.items():
        if status.startswith("2"):
            answer["headers"] |= response_headers.named(header)


def _failures(
    responses: dict[str, Any],
    failures: Iterable[Failure],
    always: Sequence[str],
    facts: problems.Facts,
) -> None:
    """Tell how an operation can fail, with facts and the headers of each failure."""
    for status, told in problems.documented(failures, facts).items():
        headers = response_headers.of_status(status, always)
        _add(responses, str(status), {**told, "headers": headers})


def _add(responses: dict[str, Any], status: str, told: Mapping[str, Any]) -> None:
    """A failure beside what an operation answers with such a status itself."""
    own = responses.setdefault(status, {})
    content = {**told["content"], **own.get("content", {})}
    responses[status] = {**told, **own, "content": content}


def _success(responses: dict[str, Any], always: Sequence[str]) -> None:
    """Tell the headers of what an operation answers when all is well."""
    for status, answer in responses.items():
        if int(status) < HTTPStatus.BAD_REQUEST:
            headers = dict(response_headers.of_status(int(status), always))
            answer["headers"] = headers | dict(answer.get("headers", {}))


def _keep(responses: dict[str, Any], limits: Sequence[str]) -> None:
    """Tell how a reader who keeps an answer asks if it is still the newest."""
    whole = responses.get("200")
    if whole is None:
        return
    whole["headers"] |= response_headers.named(response_headers.ETAG)
    not_modified = "What you have is still the newest: `If-None-Match` names its mark."
    responses["304"] = {
        "description": not_modified,
        "headers": response_headers.named(response_headers.ETAG, *limits),
    }


def _facts(access: Access, doc: Mapping[str, Any]) -> problems.Facts:
    """What an operation's own failures tell, by their codes, as examples."""
    scope = {"reason": "scope", "scope": access.scope}
    return {Forbidden.code: scope if access.scope else {}, Invalid.code: _flaw(doc)}


def _flaw(doc: Mapping[str, Any]) -> Invalid:
    """What any operation finds fault with: what is missing, or something unknown."""
    if "requestBody" not in doc:
        return validation.parameter("colour", {"reason": "unknown-parameter"})
    (media,) = doc["requestBody"]["content"].values()
    schema = resolve_schema_instance(media["schema"])
    if isinstance(schema, Variants):
        return validation.field(["kind"], {"reason": "missing"})
    missing = [
        validation.field([field.data_key or name], {"reason": "missing"})
        for name, field in schema.fields.items()
        if field.required
    ]
    return validation.together(
        missing or [validation.field(["colour"], {"reason": "unknown"})]
    )


def _implied(access: Access, doc_info: Mapping[str, Any]) -> Iterator[Failure]:
    """How every view with such an access and such arguments can fail."""
    yield Internal
    if access.who not in (Who.PUBLIC, Who.HOLDER):
        yield from (Unauthorized, Forbidden)
    if access.who not in (Who.PUBLIC, Who.VISITOR):
        yield GameUnreadable
    if access.who not in (Who.PUBLIC, Who.VISITOR, Who.PERSON):
        yield NotFound
    if "once" in doc_info:
        yield IdempotencyKeyReused
