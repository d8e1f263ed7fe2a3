"""Commands as people type them in a mail, in every language and spelling of the game.

The first line as a whole is a command or it is none: whoever writes more than that has
something to say, and is asked instead of guessed at.
"""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final, assert_never

import msgspec

from engine.board import Card, Character, Place, PlaceKey
from engine.commands import Answer, Ballot, Move, Placement
from worker.incoming import spellings, wordlists

_SAYS: Final = re.compile(r"(?:say|sage?|d[iìí]|dis) ?: ?(.+)", re.IGNORECASE)
"""How a line begins that is said to the table."""

_LONGEST_COMMAND: Final = 100
"""What is longer has more to say than a command."""

_COMPACT: Final = re.compile(r"([a-z])([0-5])")


class Unread(StrEnum):
    """Why a mail asks for nothing that can be done."""

    NOTHING = "nothing"
    AMBIGUOUS = "ambiguous"
    NOT_OFFERED = "not-offered"


class Command(msgspec.Struct, frozen=True):
    """What a mail asks for: an answer, and what is said with it ("" for nothing)."""

    answer: Answer
    line: str


def read(
    lines: Sequence[str],
    offers: Sequence[Answer],
    places: Sequence[Place],
    destinations: Mapping[Character, PlaceKey] | None = None,
) -> Command | Unread:
    """What the lines that somebody wrote ask for, of what is offered them.

    `offers` are all cards of the edition in an election, whatever is held.
    `destinations` says where each move leads: who names another place has another
    castle before their eyes, and gets NOT_OFFERED.
    """
    said, typed = _apart(lines)
    if not typed or not offers:
        return Unread.NOTHING
    found = _answer(typed[0], offers, tuple(places), destinations or {})
    if isinstance(found, Unread):
        return found
    if _is_contradicted(typed[1:], found, offers, tuple(places)):
        return Unread.AMBIGUOUS
    return Command(found, said)


def said_alone(lines: Sequence[str]) -> str:
    """What somebody says to the table who wrote nothing else; "" for nothing."""
    said, typed = _apart(lines)
    return "" if typed else said


def _apart(lines: Sequence[str]) -> tuple[str, list[str]]:
    """What is said to the table, and the other lines, folded.

    Below a comment nothing is said any more: what a program quotes without a mark may
    hold a line of somebody else's that begins so.
    """
    said: list[str] = []
    typed: list[str] = []
    for line in lines:
        words = _SAYS.fullmatch(line)
        if words is None:
            typed.append(spellings.folded(line))
        elif len(typed) < 2:
            said.append(words[1].strip())
    return " ".join(said), typed


def _answer(
    text: str,
    offers: Sequence[Answer],
    places: tuple[Place, ...],
    destinations: Mapping[Character, PlaceKey],
) -> Answer | Unread:
    """The answer that a line as a whole stands for, of the kind that is asked for."""
    if len(text) > _LONGEST_COMMAND:
        return Unread.NOTHING
    words = _without_manners(text)
    match offers[0]:
        case Ballot():
            card = _card(words)
            found: Answer | Unread = Unread.NOTHING if card is None else Ballot(card)
        case Move():
            found = _move(words, places, destinations)
        case Placement():
            found = _placement(words, places, offers)
        case unknown:
            assert_never(unknown)
    offered = isinstance(found, Unread) or found in offers
    return found if offered else Unread.NOT_OFFERED


def _without_manners(text: str) -> list[str]:
    """The words of a line without a "please" around them."""
    for polite in wordlists.PLEASE:
        text = text.removeprefix(f"{polite} ").removesuffix(f" {polite}")
    return text.split()


def _card(words: Sequence[str]) -> Card | None:
    # "No card" may as well be none.
    if words[1:] and words[-1] in wordlists.CARD and words[-2:] != ["no", "card"]:
        words = words[:-1]
    while (
        words and words[0] in wordlists.VOTE and " ".join(words) not in spellings.CARDS
    ):
        words = words[1:]
    return spellings.CARDS.get(" ".join(words))


def _commanded(words: Sequence[str], verbs: frozenset[str]) -> tuple[list[str], bool]:
    """The words without a verb at one of their ends, and whether there was one."""
    rest = list(words[1:] if words[:1] and words[0] in wordlists.WHO else words)
    if rest and rest[0] in verbs:
        return rest[1:], True
    if len(rest) > 1 and rest[-1] in verbs:
        return rest[:-1], True
    return list(words), False


def _move(
    words: Sequence[str],
    places: tuple[Place, ...],
    destinations: Mapping[Character, PlaceKey],
) -> Answer | Unread:
    rest, led = _commanded(words, wordlists.MOVE)
    if led and len(rest) > 1 and rest[0] in wordlists.UP:
        rest = rest[1:]
    for count in range(len(rest), 0, -1):
        behind = rest[count:]
        character = _character(rest[:count], led=led or bool(behind))
        if character is None:
            continue
        if " ".join(behind) in wordlists.UP:
            return Move(character)
        named = _places(behind, places)
        if named:
            leads = destinations.get(character) in named
            return Move(character) if leads else Unread.NOT_OFFERED
    return Unread.NOTHING


def _placement(
    words: Sequence[str], places: tuple[Place, ...], offers: Sequence[Answer]
) -> Answer | Unread:
    rest, _led = _commanded(words, wordlists.PLACE | wordlists.MOVE)
    compact = _COMPACT.fullmatch(" ".join(rest))
    if compact:
        rest = [compact[1], compact[2]]
    for count in range(len(rest) - 1, 0, -1):
        character = _character(rest[:count], led=True)
        named = _places(rest[count:], places)
        if character is None or not named:
            continue
        meant = [Placement(character, key) for key in named]
        offered = [each for each in meant if each in offers]
        return offered[0] if len(offered) == 1 else Unread.NOT_OFFERED
    return Unread.NOTHING


def _character(words: Sequence[str], *, led: bool) -> Character | None:
    """Who is meant; a letter alone counts behind a verb or before a place."""
    text = " ".join(words)
    if len(text) == 1 and not led:
        return None
    return spellings.character(text)


def _places(words: Sequence[str], places: tuple[Place, ...]) -> frozenset[PlaceKey]:
    """Which places the words may mean as a whole; none if they mean something else."""
    known = spellings.places(places)
    rest = [spellings.ordinal(word) for word in words]
    whole = known.get(" ".join(rest), frozenset[PlaceKey]())
    while rest and not whole and rest[0] in wordlists.ON:
        rest = rest[1:]
        whole = known.get(" ".join(rest), whole)
    while rest and not whole and rest[-1] in wordlists.ON:
        rest = rest[:-1]
        whole = known.get(" ".join(rest), whole)
    return whole


def _is_contradicted(
    later: Sequence[str],
    answer: Answer,
    offers: Sequence[Answer],
    places: tuple[Place, ...],
) -> bool:
    """Whether a later line names something else that is offered."""
    contrary = _contrary(answer, offers)
    single = frozenset(word for word in contrary if " " not in word)
    several = [f" {word} " for word in contrary if " " in word]
    return any(
        not single.isdisjoint(re.findall(r"\w+", text))
        or any(words in f" {text} " for words in several)
        or _is_put_elsewhere(text, answer, offers, places)
        for text in later
    )


def _contrary(answer: Answer, offers: Sequence[Answer]) -> frozenset[str]:
    """What somebody calls the other answers who doesn't mean the one that is given."""
    if isinstance(answer, Ballot):
        cards = {each.card for each in offers if isinstance(each, Ballot)}
        others = cards - {answer.card}
        return frozenset(
            word for word, card in spellings.CARDS.items() if card in others
        )
    named = {each.character for each in offers if not isinstance(each, Ballot)}
    known = spellings.characters().items()
    others_named = named - {answer.character}
    return frozenset(word for word, who in known if who in others_named and word[1:])


def _is_put_elsewhere(
    text: str,
    answer: Answer,
    offers: Sequence[Answer],
    places: tuple[Place, ...],
) -> bool:
    """Whether a later line puts somebody in a place, and not as the first one did."""
    if not isinstance(answer, Placement) or len(text) > _LONGEST_COMMAND:
        return False
    return _placement(text.split(), places, offers) not in (answer, Unread.NOTHING)
