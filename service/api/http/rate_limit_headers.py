"""What each operation costs of its limits, told in the headers of its answers."""

from collections.abc import Callable
from functools import cache
from http import HTTPStatus
from typing import Any

from flask import Request, Response

from service.api.http import annotations, response_headers
from service.api.http.annotations import Who
from service.auth import bearer
from service.rate_limits import charging
from service.rate_limits.charging import Credential
from service.rate_limits.limits import By, Whose
from service.values import signed_tokens


def count(asked: Request, act: Callable[..., Any]) -> None:
    """Count a request for an operation. Raises TooManyRequests."""
    charge = charging.begin(asked.remote_addr)
    if charge is None:
        return
    shown = _shown(asked, act)
    if shown is not None:
        charge.show(shown)
    for rule in annotations.limits_of(act):
        if rule.quota:
            charge.reserve(rule, () if shown is None else (shown.secret,))
        else:
            charge.count(rule)


def tell(answer: Response) -> None:
    """Tell what is left, in the answer to a request that was counted."""
    charge = charging.current()
    if charge is None:
        return
    status = answer.status_code
    # What is answered once more, or found to be the same, was made before.
    made = (
        status < HTTPStatus.MULTIPLE_CHOICES
        and response_headers.REPLAYED not in answer.headers
    )
    charge.settle(proved=charging.is_believed(status), made=made)
    taken = charge.tightest()
    if taken is None:
        return
    figures = (taken.limit, taken.left, taken.seconds)
    for name, figure in zip(response_headers.LIMITS, figures, strict=True):
        answer.headers[name] = str(figure)


def _shown(asked: Request, act: Callable[..., Any]) -> Credential | None:
    """What a request shows; None where an operation looks at nothing."""
    if annotations.access_of(act).who is Who.HOLDER:
        return Credential(
            Whose.LINK, signed_tokens.normalise((asked.view_args or {})["secret"])
        )
    header: str | None = asked.environ.get("HTTP_AUTHORIZATION")
    if header is None and asked.query_string and annotations.takes_tickets(act):
        ticket = asked.args.get("ticket")
        return None if ticket is None else Credential(Whose.TOKEN, ticket)
    if header is None or not _looks_at_tokens(act):
        return None
    # What can't be a token is as good as one that is made up.
    return Credential(Whose.TOKEN, bearer.brought(header) or header)


@cache
def _looks_at_tokens(act: Callable[..., Any]) -> bool:
    rules, security = annotations.limits_of(act), annotations.access_of(act).security
    return bool(security) or any(rule.by is By.PERSON for rule in rules)
