"""Languages: which one a reader gets, and the words for places, cards and people."""

from flask import g, has_request_context, request

LANGUAGES = ("en",)
"""The languages we speak, the default first."""


def locale() -> str | None:
    """The language of this answer: the reader's own, or what their browser asks for."""
    if not has_request_context():
        return None
    chosen: str | None = g.get("language")
    return chosen or request.accept_languages.best_match(LANGUAGES, LANGUAGES[0])
