"""The rounds that are over: what each brought whom, and by which favourites."""

from collections.abc import Mapping, Sequence

import msgspec

from engine import views
from engine.board import Character
from engine.editions.base import Edition
from engine.state import Game
from engine.views import PlaceView, RoundView
from service.present import labels, layout, nouns
from service.present.languages import gettext as _


class Portrait(msgspec.Struct, frozen=True):
    """A character in a row of others; `worth` where it stands now, or None."""

    letter: Character
    name: str
    shade: int
    figure: str
    colour: str
    worth: int | None = None


class SeatResult(msgspec.Struct, frozen=True):
    """What a round brought one seat.

    `instead` is what the favourites sum up to where the edition gave other points for
    it, else None; `listed` names them in a sentence.
    """

    name: str
    points: int
    instead: int | None
    bonus: int
    total: int
    favourites: tuple[Portrait, ...]
    listed: str


class RoundResult(msgspec.Struct, frozen=True):
    """A round that is over, seat by seat.

    `note` says what its king did to the scores, `began` what everybody began with, each
    empty where there is nothing to say; `bonus` whether anybody had one.
    """

    number: int
    note: str
    began: str
    bonus: bool
    results: tuple[SeatResult, ...]


def portrait(letter: Character, worth: int | None = None) -> Portrait:
    """A character's portrait."""
    return Portrait(
        letter=letter,
        name=nouns.name_of(letter),
        shade=layout.shade(letter),
        figure=layout.figure(letter),
        colour=layout.colour(letter),
        worth=worth,
    )


def worths(
    law: Edition, places: Sequence[PlaceView], king: Character | None
) -> Mapping[Character, int]:
    """What everybody in the castle brings, if `king` is or were the king."""
    sign = -1 if king and law.turns_round(king) else 1
    return {c: sign * seen.place.value for seen in places for c in seen.characters}


def rounds(
    game: Game, scored: Sequence[RoundView], names: Sequence[str]
) -> tuple[RoundResult, ...]:
    """The rounds of a view of the game, in order."""
    return tuple(
        round_result(game.law, views.places_after(game, over.round), over, names)
        for over in scored
    )


def round_result(
    law: Edition, places: Sequence[PlaceView], over: RoundView, names: Sequence[str]
) -> RoundResult:
    """A round that ended with this castle."""
    worth = worths(law, places, over.king)
    return RoundResult(
        number=over.round,
        note=labels.turned_round(law, over.king),
        began=_began(law.start_score) if over.round == 1 else "",
        bonus=any(over.bonus),
        results=tuple(
            _seat(over, seat, name, worth) for seat, name in enumerate(names)
        ),
    )


def _began(points: int) -> str:
    return _("Everybody began with %(points)s points.", points=points) if points else ""


def _seat(
    over: RoundView, seat: int, name: str, worth: Mapping[Character, int]
) -> SeatResult:
    points, favourites = over.points[seat], over.favourites[seat]
    summed = sum(worth[each] for each in favourites)
    return SeatResult(
        name=name,
        points=points,
        instead=summed if summed != points else None,
        bonus=over.bonus[seat],
        total=over.totals[seat],
        favourites=tuple(portrait(each, worth[each]) for each in favourites),
        listed=nouns.characters(favourites),
    )
