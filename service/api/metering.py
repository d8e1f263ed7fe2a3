"""What each operation costs of its limits, told in the headers of its answers."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

from flask import Request, g
from werkzeug.datastructures import Headers

from service import limits
from service.api.contract import declared, headings
from service.errors import TooManyRequests
from service.limits import Limits, Rule, Taken, Whose

_TAKEN: Final = "kingup_taken"


def count(asked: Request, act: Callable[..., Any]) -> None:
    """Count a request for an operation. Raises TooManyRequests."""
    counts = limits.current()
    if not counts.limiting:
        return
    proof = _proof(asked, act)
    for rule in rules_of(act):
        for each in limits.in_turn(rule, proof):
            _take(counts, each, limits.key(each, asked.remote_addr, proof))


def tell(headers: Headers) -> None:
    """Tell what is left, in the answer to a request that was counted."""
    taken: Taken | None = g.get(_TAKEN)
    if taken is None:
        return
    figures = (taken.limit, taken.left, taken.seconds)
    for name, figure in zip(headings.LIMITS, figures, strict=True):
        headers[name] = str(figure)
    if taken.over:
        headers[headings.RETRY_AFTER] = str(taken.seconds)


def _proof(asked: Request, act: Callable[..., Any]) -> str | None:
    """The header with the token; None where an operation looks at none."""
    if not _looks_at_tokens(act):
        return None
    found: str | None = asked.environ.get("HTTP_AUTHORIZATION")
    return found


@cache
def _looks_at_tokens(act: Callable[..., Any]) -> bool:
    return bool(declared.access_of(act).security)


@cache
def rules_of(act: Callable[..., Any]) -> Sequence[Rule]:
    """What an operation counts for: what it declares, else as reading or writing."""
    return declared.limits_of(declared.docs_of(act), act.__name__)


def _take(counts: Limits, rule: Rule, whose: str) -> None:
    """Count, and keep what is to be told: of several limits that with the least left.

    What all together have asked for is told to nobody before it is too much. Raises
    TooManyRequests.
    """
    taken = counts.take(rule, whose)
    if taken is None:
        return
    known: Taken | None = g.get(_TAKEN)
    if taken.over or (
        rule.whose is not Whose.INSTANCE and (known is None or taken.left < known.left)
    ):
        setattr(g, _TAKEN, taken)
    if taken.over:
        raise TooManyRequests(
            limit=rule.name,
            whose=rule.whose.name.lower(),
            most=taken.limit,
            retry_after=taken.seconds,
        )
