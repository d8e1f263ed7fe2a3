"""What characters, places and cards are called by people, in any language."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Final

from engine.board import Card, Character, Place, PlaceKey
from service.present import languages, nouns

MISPRINTS: Final[Mapping[str, Character]] = {
    "bertrice": "B",
    "erisco": "E",
    "erisceo": "E",
    "ernesco": "E",
    "farello": "F",
    "fiorillo": "F",
    "florella": "F",
    "florello": "F",
    "gasino": "G",
    "gavro": "G",
    "gianni": "G",
    "giuseppe": "G",
    "iris": "I",
    "martino": "M",
    "mertino": "M",
    "nacale": "N",
    "niccolo": "N",
    "pete": "P",
    "pire": "P",
}
"""Other spellings of the names on printed cards and sheets (RULES, part 5)."""

CARDS: Final[Mapping[str, Card]] = {
    "yes": Card.YES,
    "ja": Card.YES,
    "si": Card.YES,
    "oui": Card.YES,
    "no": Card.NO,
    "nein": Card.NO,
    "non": Card.NO,
    "stomachache": Card.STOMACHACHE,
    "stomach ache": Card.STOMACHACHE,
    "bauchweh": Card.STOMACHACHE,
    "mal di pancia": Card.STOMACHACHE,
    "mal de ventre": Card.STOMACHACHE,
}
"""What the cards are called, as `folded` spells it."""

_FLOORS: Final[Mapping[PlaceKey, str]] = {
    "0": "zero null",
    "1": "one eins uno un first erste ersten erster primo premier",
    "2": "two zwei due deux second zweite zweiten zweiter secondo deuxieme",
    "3": "three drei tre trois third dritte dritten dritter terzo troisieme",
    "4": "four vier quattro quatre fourth vierte vierten vierter quarto quatrieme",
    "5": "five funf fuenf cinque cinq fifth funfte funften quinto cinquieme",
    "throne": "throne thron trono trone",
}
"""Floors by their numbers in words, and the throne without the king."""

_ORDINAL: Final = re.compile(r"([0-5])(?:st|nd|rd|th|er|e|eme|o|a)")
_ARTICLE: Final = re.compile(r"(?:the|der|die|den|dem|lo|la|il|l|le) ")
_APART: Final = re.compile(r"(?:->|=>|[→/=:>']|(?<=\w)-(?=\w))")
_AROUND: Final = '.,;!:"“”„«»*_()[]…`'
_DOTS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe"})


def folded(line: str) -> str:
    """Small letters without accents, single spaces, nothing around the words.

    A question mark stays: whoever asks commands nothing.
    """
    apart = unicodedata.normalize("NFKD", line.replace("’", "'").casefold())
    plain = "".join(each for each in apart if not _is_accent(each))
    words = (word.strip(_AROUND) for word in _APART.sub(" ", plain).split())
    return " ".join(word for word in words if word)


@cache
def characters() -> Mapping[str, Character]:
    """Every character by names, titles without articles, and letter; all folded."""
    found: dict[str, Character] = dict(MISPRINTS)
    for letter, (name, title) in nouns.CHARACTERS.items():
        spelled = {letter, name, title, f"{name} {title}", title.split()[-1]}
        for said in (nouns.name_of, nouns.subject, nouns.direct_object):
            spelled |= _in_every_language(said, letter)
        for each in map(folded, spelled):
            found.setdefault(_ARTICLE.sub("", each, count=1), letter)
    return found


def character(text: str) -> Character | None:
    """Whom a whole text calls, with an article or without, as `folded` spells it."""
    return characters().get(_ARTICLE.sub("", text, count=1))


@cache
def places(known: tuple[Place, ...]) -> Mapping[str, frozenset[PlaceKey]]:
    """Which places each word or phrase may mean, as `folded` spells it."""
    found: dict[str, frozenset[PlaceKey]] = {}
    for place in known:
        for spelled in _phrases(place, known):
            for each in (folded(spelled), folded(spelled.translate(_DOTS))):
                found[each] = found.get(each, frozenset()) | {place.key}
        out = nouns.PLACES.get(place.label, {}).get(nouns.Phrase.LEAVING)
        for spelled in _in_every_language(str, out) if out and place.beside else ():
            each = folded(spelled)
            found[each] = found.get(each, frozenset()) | {place.beside or ""}
    return found


def _is_accent(letter: str) -> bool:
    # What lies over a letter strikes it out, and makes it another.
    return unicodedata.combining(letter) > 1


def ordinal(word: str) -> str:
    """A number that says the how manieth, as the number: "3rd", "3e" and "3°" are 3."""
    found = _ORDINAL.fullmatch(word.rstrip("°"))
    return found[1] if found else word.rstrip("°")


def _phrases(place: Place, known: Sequence[Place]) -> Iterable[str]:
    """What a place is called, in every language and with what stands before it."""
    spelled = {place.key, *_FLOORS.get(place.key, "").split()}
    spelled |= _in_every_language(lambda each: nouns.place_name(each, known), place)
    for phrase, words in nouns.PLACES.get(place.label, {}).items():
        if phrase is not nouns.Phrase.LEAVING:
            spelled |= _in_every_language(str, words)
    return spelled


def _in_every_language(say: Callable[..., str], what: object) -> set[str]:
    return set(languages.in_every_language(lambda: say(what)).values())
