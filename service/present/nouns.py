"""Nouns of the game: the words and phrases for what an edition brings.

An edition may bring characters, places and cards before we have words for them: they
are called by their letter, label or key until then.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final

from flask_babel import lazy_gettext as _l
from flask_babel import lazy_pgettext as _lp
from flask_babel.speaklater import LazyString

from engine.board import Card, Character, Place, PlaceKey
from engine.commands import History
from engine.editions.base import Edition
from service.present.languages import gettext
from service.present.sentences import listed

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

SUBJECTS: Final[Mapping[Character, LazyString]] = {"J": _l("the Jester")}
"""What a sentence about those calls them."""

# German bends the name, too: der Narr, den Narren. Prepositions would ask for more
# forms, so no sentence has a character behind one.
OBJECTS: Final[Mapping[Character, LazyString]] = {"J": _lp("object", "the Jester")}
"""What a sentence calls them in which somebody does something to them."""


class Phrase(StrEnum):
    """What is said of a place, each in words of its own: languages bend their nouns."""

    NAME = "name"
    AMONG = "among"
    TO = "to"
    UP = "up"
    BESIDE = "beside"
    LEAVING = "leaving"


PLACES: Final[Mapping[str, Mapping[Phrase, LazyString]]] = {
    "throne": {
        Phrase.NAME: _l("King's throne"),
        Phrase.TO: _l("onto the throne"),
    },
    "nobles": {
        Phrase.NAME: _l("Nobles"),
        Phrase.AMONG: _l("with the Nobles"),
        Phrase.TO: _l("to the Nobles"),
        Phrase.UP: _l("up to the Nobles"),
        Phrase.BESIDE: _l("beside the Nobles"),
    },
    "dignitaries": {
        Phrase.NAME: _l("Dignitaries"),
        Phrase.AMONG: _l("with the Dignitaries"),
        Phrase.TO: _l("to the Dignitaries"),
        Phrase.UP: _l("up to the Dignitaries"),
        Phrase.BESIDE: _l("beside the Dignitaries"),
    },
    "officers": {
        Phrase.NAME: _l("Officers"),
        Phrase.AMONG: _l("with the Officers"),
        Phrase.TO: _l("to the Officers"),
        Phrase.UP: _l("up to the Officers"),
        Phrase.BESIDE: _l("beside the Officers"),
    },
    "traders": {
        Phrase.NAME: _l("Traders"),
        Phrase.AMONG: _l("with the Traders"),
        Phrase.TO: _l("to the Traders"),
        Phrase.UP: _l("up to the Traders"),
        Phrase.BESIDE: _l("beside the Traders"),
    },
    "craftsmen": {
        Phrase.NAME: _l("Craftsmen"),
        Phrase.AMONG: _l("with the Craftsmen"),
        Phrase.TO: _l("to the Craftsmen"),
        Phrase.UP: _l("up to the Craftsmen"),
        Phrase.BESIDE: _l("beside the Craftsmen"),
    },
    "servants": {
        Phrase.NAME: _l("Servants"),
        Phrase.AMONG: _l("with the Servants"),
        Phrase.TO: _l("to the Servants"),
    },
    "wc": {
        Phrase.NAME: _l("WC"),
        Phrase.TO: _l("into the WC"),
        Phrase.LEAVING: _l("out of the WC"),
    },
    "dungeon": {
        Phrase.NAME: _l("Dungeon"),
        Phrase.TO: _l("into Dungeon"),
    },
    "box": {Phrase.NAME: _l("Box")},
    "out": {Phrase.NAME: _l("Out of the round")},
}
"""What is said of a place, by its label."""

# The label stands in quotes behind a noun of ours: so nothing has to be bent that we
# don't know.
_OF_ANY_PLACE: Final[Mapping[Phrase, LazyString]] = {
    Phrase.AMONG: _l("at the place “%(place)s”"),
    Phrase.TO: _l("to the place “%(place)s”"),
    Phrase.UP: _l("up to the place “%(place)s”"),
    Phrase.BESIDE: _l("beside the place “%(place)s”"),
    Phrase.LEAVING: _l("out of the place “%(place)s”"),
}
"""What is said of a place where we have no words of its own for that."""

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
    "random": _l("plays at random"),
    "steady": _l("plays with sense"),
    "shrewd": _l("thinks ahead"),
}
"""How each bot plays, as it stands behind "bot"."""

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


def name_of(character: Character) -> str:
    """A character's name, without the title."""
    return str(NAMES.get(character, CHARACTERS.get(character, (character, ""))[0]))


def subject(character: Character) -> str:
    """A character whom a sentence is about; see `sentences.opening` for its start."""
    return str(SUBJECTS.get(character, name_of(character)))


def direct_object(character: Character) -> str:
    """A character to whom somebody does something in a sentence."""
    return str(OBJECTS.get(character, name_of(character)))


def characters(letters: Iterable[Character]) -> str:
    """Several characters as subjects, as a list in the reader's language."""
    return listed([subject(letter) for letter in letters])


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
    return _phrase(place, Phrase.NAME)


def place_name(place: Place, places: Iterable[Place]) -> str:
    """What a place is called among `places`, so that it can be told from each other."""
    return _distinct(place, places, Phrase.NAME)


def among(law: Edition, key: PlaceKey) -> str:
    """Where somebody is who stands in a place: with the Nobles."""
    return _distinct(law.place(key), law.places, Phrase.AMONG)


def to(law: Edition, key: PlaceKey) -> str:
    """Where somebody goes who comes to a place: to the Nobles, into the WC."""
    return _distinct(law.place(key), law.places, Phrase.TO)


def up_to(law: Edition, key: PlaceKey) -> str:
    """Where somebody rises to: up to the Nobles."""
    return _distinct(law.place(key), law.places, Phrase.UP)


def _distinct(place: Place, places: Iterable[Place], phrase: Phrase) -> str:
    """A phrase that can mean none of the other places."""
    words = _phrase(place, phrase)
    # Two WCs are told apart by their floors, three dungeons by their points.
    others = [other for other in places if other.key != place.key]
    floor = next((other for other in others if other.key == place.beside), None)
    if floor is not None:
        beside = _phrase(floor, Phrase.BESIDE)
        return gettext("%(place)s %(beside)s", place=words, beside=beside)
    if any(other.label == place.label for other in others):
        return f"{words} {signed(place.value)}"
    return words


def leaving(place: Place) -> str:
    """Where somebody comes from who leaves a place: out of the WC."""
    return _phrase(place, Phrase.LEAVING)


def entering(place: Place) -> str:
    """Where somebody goes, where no other place can be meant: into the WC."""
    return _phrase(place, Phrase.TO)


def _phrase(place: Place, phrase: Phrase) -> str:
    words = PLACES.get(place.label, {}).get(phrase)
    if words is not None:
        return str(words)
    if phrase is Phrase.NAME:
        return place.label
    return str(_OF_ANY_PLACE[phrase]) % {"place": label_of(place)}


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
