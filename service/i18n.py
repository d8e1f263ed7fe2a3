"""Languages: which one a reader gets, and the words for places, cards and people."""

from collections.abc import Callable, Mapping
from typing import Final

import flask_babel
from flask import g, has_request_context, request
from flask_babel import lazy_gettext as _l
from flask_babel.speaklater import LazyString

from engine.board import Card, Character

LANGUAGES = ("en",)
"""The languages we speak, the default first."""

CHARACTERS: Final[Mapping[Character, tuple[str, str]]] = {
    "A": ("Alighiero", "lo Scudiero"),
    "B": ("Beatrice", "la Nutrice"),
    "C": ("Clemente", "il Sergente"),
    "D": ("Dario", "il Bibliotecario"),
    "E": ("Ernesto", "il Duca Onesto"),
    "F": ("Fiorello", "il Menestrello"),
    "G": ("Gavino", "il Contadino"),
    "I": ("Irina", "la Ballerina"),
    "L": ("Leonora", "la Pastora"),
    "M": ("Merlino", "l'Indovino"),
    "N": ("Natale", "lo Speziale"),
    "O": ("Odessa", "la Contessa"),
    "P": ("Piero", "il Forestiero"),
    "J": ("Jester", "il Giullare"),
}
"""Names and titles by letter, Italian in every language: they rhyme. Those of B, D, F,
G, I, L, N and P are ours."""

PLACES: Final[Mapping[str, LazyString]] = {
    "throne": _l("King's throne"),
    "nobles": _l("Nobles"),
    "dignitaries": _l("Dignitaries"),
    "officers": _l("Officers"),
    "traders": _l("Traders"),
    "craftsmen": _l("Craftsmen"),
    "servants": _l("Servants"),
    "wc": _l("WC"),
    "dungeon": _l("Dungeon"),
    "box": _l("Box"),
    "out": _l("Out of the round"),
}
"""What a place is called, by its label."""

CARDS: Final[Mapping[Card, LazyString]] = {
    Card.YES: _l("Yes"),
    Card.NO: _l("No"),
    Card.STOMACHACHE: _l("Stomachache"),
}


def locale() -> str | None:
    """The language of this answer: the reader's own, or what their browser asks for."""
    if not has_request_context():
        return None
    chosen: str | None = g.get("language")
    return chosen or request.accept_languages.best_match(LANGUAGES, LANGUAGES[0])


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


def name_of(character: Character) -> str:
    """A character's name, without the title."""
    return CHARACTERS[character][0]


def full_name_of(character: Character) -> str:
    """A character's name and title."""
    return " ".join(CHARACTERS[character])
