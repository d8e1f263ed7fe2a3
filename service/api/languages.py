"""Says in which language the API has answered."""

from flask import Flask, Response
from flask_babel import get_locale

from service import i18n
from service.api.contract import headings


def init_app(app: Flask) -> None:
    """Name the language of every answer below /v1 that doesn't name its own."""

    @app.after_request
    def told(answer: Response) -> Response:
        if i18n.for_programs():
            answer.headers.setdefault(headings.CONTENT_LANGUAGE, str(get_locale()))
        return answer
