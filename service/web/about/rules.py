"""The rules, for players: short, in our own words, with each edition's own figures."""

from collections.abc import Sequence

import msgspec
from flask import Blueprint, render_template

from engine import deck
from engine.board import Card, PlaceKind
from engine.commands import EXTENSIONS, USUAL_MISSES, PlacementOption
from engine.editions import EDITIONS
from engine.editions.base import Edition
from service.game import agreements, pace, postponement, timing
from service.present import nouns, sentences
from service.present.languages import gettext as _
from service.tables.creation import DEFAULT_EDITION
from service.web.about import example_castle
from service.web.about.example_castle import ExampleCastle

bp = Blueprint("rules", __name__)

_HOUR = 3600
_NONE = "–"


class Figure(msgspec.Struct, frozen=True):
    """A line of the table by the number of players."""

    name: str
    values: tuple[str, ...]


class Floor(msgspec.Struct, frozen=True):
    """A place, its points, how many it holds, and its number if it is a floor."""

    name: str
    number: str
    value: str
    capacity: str


class EditionRules(msgspec.Struct, frozen=True):
    """An edition as the page tells it.

    `each` are the vote cards of which everybody holds as many at any table; those of
    `example_hand`, a style and a word each, are what so many players begin with.
    """

    id: str
    name: str
    line: str
    players: tuple[int, ...]
    each: str
    example_players: int
    example_hand: tuple[tuple[str, str], ...]
    example: ExampleCastle | None
    history: str
    figures: tuple[Figure, ...]
    floors: tuple[Floor, ...]
    names: tuple[str, ...]
    start_score: int


@bp.get("/rules")
def show() -> str:
    """What holds for every edition, then each of them, complete."""
    others = [law for name, law in EDITIONS.items() if name != DEFAULT_EDITION]
    laws = (EDITIONS[DEFAULT_EDITION], *others)
    return render_template(
        "rules.html",
        editions=[_rules(law) for law in laws],
        hours=pace.USUAL // _HOUR,
        misses=USUAL_MISSES,
        pauses=timing.MOST,
        days=timing.MOST_DAYS,
        extensions=EXTENSIONS,
        waits=postponement.MOST_DAYS,
        proposals=agreements.MOST,
        cards=len(deck.CARDS),
    )


def _rules(law: Edition) -> EditionRules:
    some = law.seats[len(law.seats) // 2]
    return EditionRules(
        id=law.id,
        name=nouns.edition_name(law.id),
        line=nouns.edition_line(law.id),
        players=tuple(law.seats),
        each=sentences.listed(_fixed(law)),
        example_players=some,
        example_hand=tuple((c.value, nouns.card_name(c)) for c in law.hand(some)),
        example=example_castle.of_edition(law),
        history=nouns.history_name(law.choices.ballot_history[0]),
        figures=(*_hands(law), *_placements(law)),
        floors=_floors(law),
        names=tuple(nouns.full_name_of(letter) for letter in law.characters),
        start_score=law.start_score,
    )


def _fixed(law: Edition) -> list[str]:
    """The vote cards of which everybody holds as many at any table, each in words."""
    counts = ((nouns.card_name(c), _counts(law, c)) for c in law.cards)
    return [f"{held[0]} {name}" for name, held in counts if len(set(held)) == 1]


def _hands(law: Edition) -> Sequence[Figure]:
    """How many everybody holds of the vote cards that depend on the players."""
    counts = ((nouns.card_name(c), _counts(law, c)) for c in law.cards)
    return [
        Figure(_("%(card)s cards for each", card=name), tuple(map(str, held)))
        for name, held in counts
        if len(set(held)) > 1
    ]


def _counts(law: Edition, card: Card) -> list[int]:
    return [law.hand(seats).count(card) for seats in law.seats]


def _placements(law: Edition) -> Sequence[Figure]:
    """How many everybody places, who is left, and what evens it out for many."""
    places = [_placed(law, seats, PlacementOption.CHOOSE) for seats in law.seats]
    standing = len(law.opening_board().at)
    left = [len(law.characters) - standing - sum(each) for each in places]
    figures = [
        Figure(
            _("Characters to place for each"), tuple(_range(each) for each in places)
        ),
        Figure(_("Left over, to the Servants"), tuple(map(str, left))),
    ]
    evened = [_evened(law, seats) for seats in law.seats]
    for bonus in sorted({bonus for bonuses in evened for bonus in bonuses}):
        name = _("Evened out: a bonus of %(bonus)s for the last", bonus=bonus)
        counts = tuple(str(bonuses.count(bonus) or _NONE) for bonuses in evened)
        figures.append(Figure(name, counts))
    return figures


def _placed(law: Edition, seats: int, option: PlacementOption) -> list[int]:
    return [law.quota(seats, turn, option) for turn in range(seats)]


def _range(numbers: Sequence[int]) -> str:
    least, most = min(numbers), max(numbers)
    return str(least) if least == most else f"{least}{_NONE}{most}"


def _evened(law: Edition, seats: int) -> list[int]:
    """The bonuses of those who place less where the castle is filled evenly."""
    option = PlacementOption.COMPENSATED
    turns = range(seats) if option in law.placements_at(seats) else ()
    return [bonus for turn in turns if (bonus := law.bonus(seats, turn, option))]


def _floors(law: Edition) -> tuple[Floor, ...]:
    return tuple(
        Floor(
            nouns.place_name(place, law.places),
            place.key if place.kind is PlaceKind.FLOOR else _NONE,
            nouns.signed(place.value),
            "1" if place.kind is PlaceKind.THRONE else str(place.capacity or _NONE),
        )
        for place in law.places
        if place.kind is not PlaceKind.OUT
    )
