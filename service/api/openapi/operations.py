"""What the contract says of every operation: names, access, failures and headers."""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

from marshmallow import Schema

from service.api.http import (
    annotations,
    arguments,
    idempotency,
    preconditions,
    response_headers,
    validation,
)
from service.api.http.annotations import Access, Answered, Failure, Form, Operation, Who
from service.api.openapi import failing, reply_schemas
from service.api.schemas.base import Variants
from service.rate_limits.limits import By, Rule
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

_JSON: Final = "application/json"

_VERBS: Final[Mapping[str, str]] = {
    "get": "get",
    "post": "create",
    "put": "put",
    "patch": "update",
    "delete": "delete",
}

# A parameter that nobody knows is not understood anywhere there.
_OF_API: Final[frozenset[Failure]] = frozenset((Busy, Invalid, NotAcceptable))

METHODS: Final = tuple(_VERBS)
"""What can be done to a thing, in lower case and in the order of the contract."""


def name_of(resource: type, method: str) -> str:
    """The operationId of a method: what it declares, or made of its names."""
    given = annotations.of(getattr(resource, method)).name
    if given is not None:
        return given
    thing = resource.__name__
    if method == "get" and thing.endswith("s"):
        return f"list{thing}"
    if method == "post":
        thing = thing.removesuffix("s")
    return f"{_VERBS[method]}{thing}"


def describe(resource: type, method: str, *, below: bool) -> dict[str, Any]:
    """What a method declares, as the contract says it; `below`: it is below /v1."""
    act: Callable[..., Any] = getattr(resource, method)
    operation, access = annotations.of(act), annotations.access_of(act)
    limits = annotations.limits_of(act) if below else ()
    summary, _, about = inspect.cleandoc(act.__doc__ or "").partition("\n\n")
    described: dict[str, Any] = {
        "summary": summary.replace("\n", " "),
        "operationId": name_of(resource, method),
    }
    if about:
        described["description"] = about
    described["security"] = _security(act, access, limits)
    described["x-access"] = _access(access)
    described["parameters"] = list(_parameters(operation))
    if operation.body is not None:
        described["requestBody"] = {
            "required": not arguments.is_optional(operation.body),
            "content": {_JSON: {"schema": operation.body}},
        }
    described["responses"] = _responses(act, operation, limits, below)
    return described


def _security(
    act: Callable[..., Any], access: Access, limits: Sequence[Rule]
) -> list[dict[str, list[str]]]:
    by_person = any(rule.by is By.PERSON for rule in limits)
    can_do_without = by_person or annotations.takes_tickets(act)
    return [{}, {"token": []}] if can_do_without else access.security


def _access(access: Access) -> dict[str, str | None]:
    required = {"who": access.who.value, "scope": access.scope}
    return required if access.others is None else {**required, "others": access.others}


def _parameters(operation: Operation) -> Iterator[Mapping[str, Any]]:
    if operation.headers is not None:
        yield {"in": "header", "schema": operation.headers}
    if operation.query is not None:
        yield {"in": "query", "schema": operation.query}
    if operation.meets:
        yield preconditions.PARAMETER
    if operation.once is not None:
        yield idempotency.PARAMETER


def _responses(
    act: Callable[..., Any], operation: Operation, limits: Sequence[Rule], below: bool
) -> dict[str, Any]:
    """All that an operation answers, by status."""
    figures = response_headers.LIMITS if limits else ()
    always = (response_headers.CONTENT_LANGUAGE, *figures) if below else ()
    responses = {str(each.status): _answer(each) for each in operation.answers}
    _success(responses, always)
    if annotations.is_read(act) and not operation.is_fleeting:
        _keep(responses, figures)
    failures = failures_of(act) if below else {Internal}
    _failures(responses, failures, always, _facts(act))
    if operation.once is not None:
        _bring(responses, response_headers.REPLAYED)
    if operation.is_marked:
        _bring(responses, response_headers.ETAG)
    return responses


def _answer(answered: Answered) -> dict[str, Any]:
    found: dict[str, Any] = {"description": answered.description}
    if answered.form is not None:
        media: dict[str, Any] = {"schema": _schema(answered.form, answered.media_type)}
        if answered.example is not None:
            media["example"] = answered.example
        found["content"] = {answered.media_type: media}
    return found


def _schema(form: Form, media_type: str) -> Mapping[str, Any]:
    """What a body looks like; where it isn't JSON, the JSON that is in it."""
    if isinstance(form, Mapping):
        return form
    found = reply_schemas.reference(form)
    if media_type == _JSON:
        return found
    kind = {"type": "string", "contentMediaType": media_type}
    return {**kind, "contentSchema": found}


def failures_of(act: Callable[..., Any]) -> set[Failure]:
    """How an operation below /v1 can fail."""
    operation = annotations.of(act)
    found = {*_implied(act), *_OF_API, *operation.failures}
    found |= {TooManyRequests} if annotations.limits_of(act) else set()
    return found if annotations.is_read(act) else found | _of_writing(operation)


def _of_writing(operation: Operation) -> set[Failure]:
    """How any write can fail."""
    # Whether or not it takes a body: one may come.
    found: set[Failure] = {RequestTimeout, TooLarge, WrongMediaType}
    # What has no mark meets no condition.
    return found if operation.meets is False else {*found, PreconditionFailed}


def _bring(responses: dict[str, Any], header: str) -> None:
    """Tell a header that comes when all is well."""
    for status, answer in responses.items():
        if status.startswith("2"):
            answer["headers"] |= response_headers.named(header)


def _failures(
    responses: dict[str, Any],
    failures: Iterable[Failure],
    always: Sequence[str],
    facts: failing.Facts,
) -> None:
    """Tell how an operation can fail, with facts and the headers of each failure."""
    for status, documented in failing.documented(failures, facts).items():
        headers = response_headers.of_status(status, always)
        _add(responses, str(status), {**documented, "headers": headers})


def _add(responses: dict[str, Any], status: str, more: Mapping[str, Any]) -> None:
    """A failure beside what an operation answers with such a status itself."""
    own = responses.setdefault(status, {})
    content = {**more["content"], **own.get("content", {})}
    responses[status] = {**more, **own, "content": content}


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


def _facts(act: Callable[..., Any]) -> failing.Facts:
    """What an operation's own failures tell, by their codes, as examples."""
    scope = annotations.access_of(act).scope
    missing = {"reason": "scope", "scope": scope} if scope else {}
    return {Forbidden.code: missing, Invalid.code: _flaw(annotations.of(act).body)}


def _flaw(body: type[Schema] | None) -> Invalid:
    """What any operation finds fault with: what is missing, or something unknown."""
    if body is None:
        return validation.parameter("colour", {"reason": "unknown-parameter"})
    schema = body()
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


def _implied(act: Callable[..., Any]) -> Iterator[Failure]:
    """How any operation with such an access and such arguments can fail."""
    yield Internal
    who = annotations.access_of(act).who
    if who not in (Who.PUBLIC, Who.HOLDER):
        yield from (Unauthorized, Forbidden)
    if who not in (Who.PUBLIC, Who.VISITOR):
        yield GameUnreadable
    if who not in (Who.PUBLIC, Who.VISITOR, Who.PERSON):
        yield NotFound
    if annotations.of(act).once is not None:
        yield IdempotencyKeyReused
