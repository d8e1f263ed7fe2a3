"""Says in which language the API has answered."""

from flask import Request
from werkzeug.datastructures import Headers

from service import i18n
from service.api.contract import headings


def tell(asked: Request, headers: Headers) -> None:
    """Name the language of an answer below /v1 that doesn't name its own."""
    if headings.CONTENT_LANGUAGE not in headers:
        headers.add(headings.CONTENT_LANGUAGE, i18n.asked_for(asked))
