"""Languages: which one a reader gets, and messages in it."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import lru_cache
from typing import Final

import flask_babel
from babel import Locale
from flask import Request, g, has_request_context
from flask.globals import request_ctx

from service.values import public_urls

LANGUAGES = ("en",)
"""The languages of pages and mails, the default first."""

API_LANGUAGES: Final = ("en", "it", "fr", "de")
"""The languages of the API, the default first."""


def locale() -> Locale | None:
    """The language of this answer: the reader's own, or what their program asks for."""
    if not has_request_context():
        return None
    asked = request_ctx.request
    if public_urls.is_api(asked.path):
        return _locale(asked_for(asked))
    chosen: str | None = g.get("language")
    return _locale(chosen or _wanted(asked, LANGUAGES))


@lru_cache
def _locale(language: str) -> Locale:
    return Locale.parse(language)


def asked_for(asked: Request) -> str:
    """The language of the API that a program asks for.

    What `language` finds in a request below /v1, without the detour over Babel.
    """
    return _wanted(asked, API_LANGUAGES)


def language() -> str:
    """The language of now, by its code."""
    found = flask_babel.get_locale()
    return LANGUAGES[0] if found is None else str(found.language)


def speaking(language: str) -> AbstractContextManager[None]:
    """What says everything in a language for as long as a block lasts."""
    found: AbstractContextManager[None] = flask_babel.force_locale(language)
    return found


def _wanted(asked: Request, spoken: Sequence[str]) -> str:
    """The language that a request would rather have than others; else the default.

    Swiss French is French: the library would prefer any language named without region.
    """
    if "HTTP_ACCEPT_LANGUAGE" not in asked.environ:
        return spoken[0]
    for tag, quality in asked.accept_languages:
        language = tag.partition("-")[0].lower()
        if quality > 0 and language in spoken:
            return language
    return spoken[0]


def in_every_language(told: Callable[[], str]) -> Mapping[str, str]:
    """What `told` says in each language of the API, by language."""
    words = {}
    for language in API_LANGUAGES:
        with flask_babel.force_locale(language):
            words[language] = told()
    return words


def gettext(message: str, **words: object) -> str:
    """A message in the reader's language, its `%(word)s` filled in."""
    return str(flask_babel.gettext(message, **words))


def phrasebook() -> Callable[..., str]:
    """`gettext` for many messages in the language of now, which it looks up once."""
    catalog = flask_babel.get_domain().get_translations()

    def told(message: str, **words: object) -> str:
        found: str = catalog.gettext(message)
        return found % words if words else found

    return told


def ngettext(one: str, many: str, count: int, **words: object) -> str:
    """A message for one or for many, like `gettext`; `%(num)s` is `count`."""
    return str(flask_babel.ngettext(one, many, count, **words))
