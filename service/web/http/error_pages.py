"""Errors as pages: one clear sentence, never a trace of what broke."""

import structlog
from flask import Flask, Response, make_response, render_template, request
from werkzeug.exceptions import HTTPException

from service.present import error_texts
from service.store import failures
from service.values import errors, public_urls
from service.values.errors import (
    Internal,
    MethodNotAllowed,
    NotFound,
    Problem,
    TooLarge,
)
from service.web.http import page_headers

_KNOWN = {404: NotFound, 405: MethodNotAllowed, 413: TooLarge}

_log = structlog.get_logger()


def page(error: Exception) -> Response:
    """An error as a page. A fault of ours is logged, and told as nothing but that."""
    if isinstance(error, HTTPException):
        return _http(error)
    problem = failures.public(error)
    if problem is None:
        _log.error("page_failed", endpoint=request.endpoint, exc_info=error)
        problem = Internal()
    response = _page(error_texts.detail(problem), error_texts.status(problem))
    wait = errors.retry_after(problem)
    if wait is not None:
        response.headers["Retry-After"] = str(wait)
    return response


def _http(error: HTTPException) -> Response:
    kind = _KNOWN.get(error.code or 0)
    problem: Problem = Internal() if kind is None else kind()
    sentence = error_texts.detail(problem) if kind else error.description or error.name
    response = _page(sentence, error.code or Internal.status)
    for name, value in error.get_headers():
        # Others would name a type and length that the page doesn't have.
        if name in ("Allow", "Retry-After", "Location"):
            response.headers[name] = value
    return response


def _page(sentence: str, status: int) -> Response:
    body = render_template("failure.html", sentence=sentence, status=status)
    return page_headers.protect(make_response(body, status))


def is_page() -> bool:
    """Whether this request is for a page, and not for the API."""
    return not public_urls.is_api(request.path)


def init_app(app: Flask) -> None:
    """Answer what no route takes; what lies below /v1 never comes here."""
    for status in _KNOWN:
        app.register_error_handler(status, page)
