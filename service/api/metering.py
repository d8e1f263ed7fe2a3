"""What each operation costs of its limits, told in the headers of its answers."""

from collections.abc import Callable, Sequence
from functools import cache
from http import HTTPStatus
from typing import Any

from flask import Request, Response

from service import charging, links
from service.api.contract import declared, headings, operations
from service.api.contract.declared import Who
from service.charging import Shown
from service.limits import By, Rule, Whose
from service.people import auth


def count(asked: Request, act: Callable[..., Any]) -> None:
    """Count a request for an operation. Raises TooManyRequests."""
    charge = charging.begin(asked.remote_addr)
    if charge is None:
        return
    shown = _shown(asked, act)
    if shown is not None:
        charge.show(shown)
    for rule in rules_of(act):
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
        status < HTTPStatus.MULTIPLE_CHOICES and headings.REPLAYED not in answer.headers
    )
    charge.settle(proved=charging.is_believed(status), made=made)
    taken = charge.told()
    if taken is None:
        return
    figures = (taken.limit, taken.left, taken.seconds)
    for name, figure in zip(headings.LIMITS, figures, strict=True):
        answer.headers[name] = str(figure)


def _shown(asked: Request, act: Callable[..., Any]) -> Shown | None:
    """What a request shows; None where an operation looks at nothing."""
    if declared.access_of(act).who is Who.HOLDER:
        return Shown(Whose.LINK, links.normalise((asked.view_args or {})["token"]))
    header: str | None = asked.environ.get("HTTP_AUTHORIZATION")
    if header is None and asked.query_string and _looks_at_tickets(act):
        ticket = asked.args.get("ticket")
        return None if ticket is None else Shown(Whose.TOKEN, ticket)
    if header is None or not _looks_at_tokens(act):
        return None
    # What can't be a token is as good as one that is made up.
    return Shown(Whose.TOKEN, auth.brought(header) or header)


@cache
def _looks_at_tokens(act: Callable[..., Any]) -> bool:
    security = declared.access_of(act).security
    return bool(security) or any(rule.by is By.PERSON for rule in rules_of(act))


@cache
def _looks_at_tickets(act: Callable[..., Any]) -> bool:
    return "ticket" in operations.query_parameters(act)


@cache
def rules_of(act: Callable[..., Any]) -> Sequence[Rule]:
    """What an operation counts for: what it declares, else as reading or writing."""
    return declared.limits_of(declared.docs_of(act), act.__name__)
