"""Languages: which one a reader gets, and messages in it.

The translators' catalogs are read from the .po files themselves: nothing is compiled.
English stands in the code and has no catalog.
"""

import io
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Final

import flask_babel
from babel import Locale
from babel.messages import mofile, pofile
from babel.support import NullTranslations, Translations
from flask import Request, g, has_request_context
from flask.globals import request_ctx
from flask_babel import Babel, Domain

from service.values import public_urls
from service.values.enums import Language

LANGUAGES = ("en",)
"""The languages of pages and mails, the default first."""

API_LANGUAGES: Final = tuple(language.value for language in Language)
"""The languages of the API, the default first."""

FOLDER: Final = Path(__file__).parents[1] / "translations"
"""Where each language has its catalog."""


class Catalogs(Domain):  # type: ignore[misc]  # Flask-Babel has no types.
    """All our sentences, in each language that has a catalog."""

    def get_translations(self) -> NullTranslations:
        """The catalog of the reader's language."""
        return _spoken(flask_babel.get_locale())


class Languages(Babel):  # type: ignore[misc]  # Flask-Babel has no types.
    """Flask-Babel with our catalogs."""

    @cached_property
    def domain_instance(self) -> Domain:
        """The one domain that there is."""
        return Catalogs()


@cache
def _spoken(locale: Locale | None) -> NullTranslations:
    return catalog("" if locale is None else str(locale))


@cache
def catalog(language: str) -> NullTranslations:
    """What is translated into a language; nothing where it has no catalog."""
    path = FOLDER / language / "LC_MESSAGES" / "messages.po"
    if not language or not path.is_file():
        return NullTranslations()
    # Compiled in memory: a file beside the .po would be forgotten at the next change.
    compiled = io.BytesIO()
    with path.open("rb") as file:
        mofile.write_mo(compiled, pofile.read_po(file, abort_invalid=True))
    compiled.seek(0)
    return Translations(compiled)


def locale() -> Locale | None:
    """The language of this answer: the reader's own, or what their program asks for."""
    if not has_request_context():
        return None
    asked = request_ctx.request
    if public_urls.is_api(asked.path):
        return _locale(asked_for(asked))
    chosen: str | None = g.get("language")
    return _locale(chosen or wanted(asked, LANGUAGES))


@lru_cache
def _locale(language: str) -> Locale:
    return Locale.parse(language)


def asked_for(asked: Request) -> str:
    """The language of the API that a program asks for: `language` below /v1."""
    # Without the detour over Babel, which costs as much as reading a small game.
    return wanted(asked, API_LANGUAGES)


def of_mails(wish: str) -> str:
    """The language of somebody's mails: the one they wish for, if we speak it."""
    return wish if wish in LANGUAGES else LANGUAGES[0]


def language() -> str:
    """The language of now, by its code."""
    found = flask_babel.get_locale()
    return LANGUAGES[0] if found is None else str(found.language)


def speaking(language: str) -> AbstractContextManager[None]:
    """What says everything in a language for as long as a block lasts."""
    found: AbstractContextManager[None] = flask_babel.force_locale(language)
    return found


def wanted(asked: Request, spoken: Sequence[str]) -> str:
    """The language that a request would rather have than others; else the default."""
    if "HTTP_ACCEPT_LANGUAGE" not in asked.environ:
        return spoken[0]
    # Swiss French is French: the library's own choice would prefer any language that is
    # named without a region.
    for tag, quality in asked.accept_languages:
        language = tag.partition("-")[0].lower()
        if quality > 0 and language in spoken:
            return language
    return spoken[0]


def in_every_language(say: Callable[[], str]) -> Mapping[str, str]:
    """What `say` says in each language of the API, by language."""
    words = {}
    for language in API_LANGUAGES:
        with speaking(language):
            words[language] = say()
    return words


def gettext(message: str, **words: object) -> str:
    """A message in the reader's language, its `%(word)s` filled in."""
    # Flask-Babel's own looks up more for each message than the language of now.
    found: str = _spoken(flask_babel.get_locale()).gettext(message)
    return found % words if words else found


def phrasebook() -> Callable[..., str]:
    """`gettext` for many messages in the language of now, which it looks up once."""
    catalog = _spoken(flask_babel.get_locale())

    def translate(message: str, **words: object) -> str:
        found: str = catalog.gettext(message)
        return found % words if words else found

    return translate


def ngettext(one: str, many: str, count: int, **words: object) -> str:
    """A message for one or for many, like `gettext`; `%(num)s` is `count`."""
    return str(flask_babel.ngettext(one, many, count, **words))
