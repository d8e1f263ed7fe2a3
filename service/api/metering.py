"""What each operation costs of its limits, told in the headers of its answers."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

from flask import Flask, Response, current_app, g, request

from service import i18n, limits
from service.api import declared, headings
from service.api.operations import METHODS
from service.errors import TooManyRequests
from service.limits import Rule, Taken, Whose

_TAKEN: Final = "kingup_taken"
_METHODS: Final = {"HEAD": "get"} | {each.upper(): each for each in METHODS}


def init_app(app: Flask) -> None:
    """Count every request below /v1 that an operation takes."""

    @app.before_request
    def counted() -> None:
        for rule in _rules():
            _take(rule)

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


def _rules() -> Sequence[Rule]:
    """What the current request counts for; nothing that is no operation's."""
    endpoint = request.endpoint
    if endpoint is None or not i18n.for_programs():
        return ()
    view = getattr(current_app.view_functions[endpoint], "view_class", None)
    act = getattr(view, _METHODS.get(request.method, ""), None)
    return () if act is None else rules_of(act)


@cache
def rules_of(act: Callable[..., Any]) -> Sequence[Rule]:
    """What an operation counts for: what it declares, else as reading or writing."""
    return declared.limits_of(getattr(act, "_apidoc", {}), act.__name__)


def _take(rule: Rule) -> None:
    """Count, and keep what is to be told: of several limits that with the least left.

    What all together have asked for is told to nobody before it is too much. Raises
    TooManyRequests.
    """
    proof = request.headers.get("Authorization")
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
