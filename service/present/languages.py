"""Languages: which one a reader gets, and the words for what an edition brings.

An edition may bring characters, places and cards before we have words for them: they
are called by their letter, label or key until then.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import lru_cache
from typing import Final

import flask_babel
from babel import Locale
from flask import Request, g, has_request_context
from flask.globals import request_ctx
from flask_babel import lazy_gettext as _l
from flask_babel.speaklater import LazyString

from engine.board import Card, Character, Place
from engine.commands import History
from service.values import public_urls

LANGUAGES = ("en",)
"""The languages of pages and mails, the default first."""

API_LANGUAGES: Final = ("en", "it", "fr", "de")
"""The languages of the API, the default first."""

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

NAMES: Final[Mapping[Character, LazyString]] = {"J": _l("Jester")}
"""The names that say what somebody is, and so are another word in each language."""

CALLED: Final[Mapping[Character, LazyString]] = {"J": _l("the Jester")}
"""What a sentence calls those whose name says what they are."""

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

EDITIONS: Final[Mapping[str, tuple[LazyString, LazyString]]] = {
    "classic": (
        _l("Classic"),
        _l("Thirteen characters; a single No throws one out of the round."),
    ),
    "jester": (
        _l("With the Jester"),
        _l(
            "The Jester joins in: dungeons, two WCs and a Stomachache, and all scores"
            " turn round if he is crowned."
        ),
    ),
}
"""Name and one sentence of each edition, by its id."""

TEMPERS: Final[Mapping[str, LazyString]] = {
    "random": _l("random"),
    "steady": _l("steady"),
    "shrewd": _l("shrewd"),
}
"""How each bot plays, in a word."""

PRACTICES: Final[Mapping[str, LazyString]] = {
    "classic": _l("Play now: Classic, against three bots"),
    "jester": _l("Play now with the Jester, against three bots"),
}
"""What begins a practice game of each edition."""

HISTORIES: Final[Mapping[History, LazyString]] = {
    History.TABLE: _l("until the next vote"),
    History.OPEN: _l("as long as the game lasts"),
}
"""How long the cards of a vote lie open."""

BOTS: Final[Mapping[str, LazyString]] = {
    "random": _l("Random: anything goes"),
    "steady": _l("Steady: plays with sense"),
    "shrewd": _l("Shrewd: thinks ahead"),
}
"""What each bot is, by its name."""

MINUS: Final = "\u2212"


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


def name_of(character: Character) -> str:
    """A character's name, without the title."""
    return str(NAMES.get(character, CHARACTERS.get(character, (character, ""))[0]))


def called(character: Character) -> str:
    """A character as a sentence calls it; see `opening` for the start of one."""
    return str(CALLED.get(character, name_of(character)))


def opening(sentence: str) -> str:
    """A sentence that may begin with what `called` says, with a capital there."""
    return sentence[:1].upper() + sentence[1:]


def title_of(character: Character) -> str:
    """A character's title; empty where there is none."""
    return CHARACTERS.get(character, (character, ""))[1]


def full_name_of(character: Character) -> str:
    """A character's name and title; the title alone where it says the name again."""
    name, title = name_of(character), title_of(character)
    return title if name in title else f"{name} {title}".rstrip()


def card_name(card: Card) -> str:
    """What a vote card is called."""
    return str(CARDS.get(card, card.value))


def label_of(place: Place) -> str:
    """What a place is called where no other can be meant."""
    return str(PLACES.get(place.label, place.label))


def place_name(place: Place, places: Iterable[Place]) -> str:
    """What a place is called among `places`, so that it can be told from each other."""
    name = label_of(place)
    others = [other for other in places if other.key != place.key]
    floor = next((other for other in others if other.key == place.beside), None)
    if floor is not None:
        return gettext(
            "%(place)s beside the %(floor)s", place=name, floor=label_of(floor)
        )
    if any(other.label == place.label for other in others):
        return f"{name} {signed(place.value)}"
    return name


def signed(points: int) -> str:
    """Points as they are printed, with a minus as wide as a plus."""
    return str(points).replace("-", MINUS)


def edition_name(edition: str) -> str:
    """What an edition is called."""
    return str(EDITIONS[edition][0]) if edition in EDITIONS else edition


def edition_line(edition: str) -> str:
    """What an edition is, in one sentence; empty where we have none."""
    return str(EDITIONS[edition][1]) if edition in EDITIONS else ""


def practice_name(edition: str) -> str:
    """What begins a practice game of an edition."""
    known = PRACTICES.get(edition)
    named = gettext("Play now: %(edition)s", edition=edition_name(edition))
    return named if known is None else str(known)


def history_name(history: History) -> str:
    """How long the cards of a vote lie open, as it stands behind "they lie open"."""
    return str(HISTORIES[history])


def bot_tag(bot: str) -> str:
    """That a bot sits somewhere, and which."""
    return gettext("bot, %(temper)s", temper=TEMPERS.get(bot, bot))


def bot_name(bot: str) -> str:
    """What a bot of ours is, in a few words."""
    return str(BOTS.get(bot, bot))
