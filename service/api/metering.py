"""What each operation costs of its limits, told in the headers of its answers."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

from flask import Flask, Response, current_app, g, request

from service import i18n, limits
from service.api.contract import declared, headings
from service.api.contract.operations import METHODS
from service.errors import TooManyRequests
from service.limits import Rule, Taken, Whose

_TAKEN: Final = "kingup_taken"
_METHODS: Final = {"HEAD": "get"} | {each.upper(): each for each in METHODS}


def init_app(app: Flask) -> None:
    """Count every request below /v1 that an operation takes."""

    @app.before_request
    def counted() -> None:
        act = _act()
        if act is None:
            return
        proof = _proof(act)
        for rule in rules_of(act):
            for each in limits.in_turn(rule, proof):
                _take(each, proof)

    @app.after_request
    def told(answer: Response) -> Response:
        taken: Taken | None = g.get(_TAKEN)
        if taken is not None:
            figures = (taken.limit, taken.left, taken.seconds)
            for name, figure in zip(headings.LIMITS, figures, strict=True):
                answer.headers[name] = str(figure)
            if taken.over:
                answer.headers[headings.RETRY_AFTER] = str(taken.seconds)
        return answer


def _act() -> Callable[..., Any] | None:
    """The operation that the current request asks for, if any."""
    endpoint = request.endpoint
    if endpoint is None or not i18n.for_programs():
        return None
    view = getattr(current_app.view_functions[endpoint], "view_class", None)
    act: Callable[..., Any] | None = getattr(
        view, _METHODS.get(request.method, ""), None
    )
    return act


def _proof(act: Callable[..., Any]) -> str | None:
    """The header with the token; None where an operation looks at none."""
    if not declared.access_of(act).security:
        return None
    return request.headers.get("Authorization")


@cache
def rules_of(act: Callable[..., Any]) -> Sequence[Rule]:
    """What an operation counts for: what it declares, else as reading or writing."""
    return declared.limits_of(declared.docs_of(act), act.__name__)


def _take(rule: Rule, proof: str | None) -> None:
    """Count, and keep what is to be told: of several limits that with the least left.

    What all together have asked for is told to nobody before it is too much. Raises
    TooManyRequests.
    """
    taken = limits.current().take(rule, limits.key(rule, request.remote_addr, proof))
    if taken is None:
        return
    known: Taken | None = g.get(_TAKEN)
    if taken.over or (
        rule.whose is not Whose.INSTANCE and (known is None or taken.left < known.left)
    ):
        setattr(g, _TAKEN, taken)
    if taken.over:
        raise TooManyRequests(retry_after=taken.seconds)
