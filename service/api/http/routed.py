"""Which operation a request is for."""

from collections.abc import Callable
from functools import cache
from typing import Any

from flask import Request, current_app


def operation(asked: Request) -> Callable[..., Any] | None:
    """What a request asks for; None for what is no operation of the API."""
    view = current_app.view_functions.get(asked.endpoint or "")
    return None if view is None else _of(view, asked.method)


@cache
def _of(view: Callable[..., Any], method: str) -> Callable[..., Any] | None:
    """No more of them are kept than there are: other methods are not routed."""
    found: Callable[..., Any] | None = getattr(
        getattr(view, "view_class", None),
        "get" if method == "HEAD" else method.lower(),
        None,
    )
    return found
