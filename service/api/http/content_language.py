"""Says in which language the API has answered."""

from flask import Request
from werkzeug.datastructures import Headers

from service.api.http import response_headers
from service.present import languages


def tell(asked: Request, headers: Headers) -> None:
    """Name the language of an answer below /v1 that doesn't name its own."""
    if response_headers.CONTENT_LANGUAGE not in headers:
        headers.add(response_headers.CONTENT_LANGUAGE, languages.asked_for(asked))
