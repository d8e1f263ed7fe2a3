"""The rounds that are over: what each brought whom, and by which favourites."""

from collections.abc import Sequence

import msgspec

from engine import views
from engine.state import Game
from engine.views import RoundView
from service.present import labels
from service.web.play.portraits import Portrait, portrait, worths


class Result(msgspec.Struct, frozen=True):
    """What a round brought one seat.

    `instead` is what the favourites sum up to where the edition gave other points for
    it, else None.
    """

    name: str
    points: int
    instead: int | None
    bonus: int
    total: int
    favourites: tuple[Portrait, ...]


class RoundResult(msgspec.Struct, frozen=True):
    """A round that is over, seat by seat.

    `note` says what its king did to the scores; `bonus` whether anybody had one.
    """

    number: int
    note: str
    bonus: bool
    results: tuple[Result, ...]


def rounds(
    game: Game, scored: Sequence[RoundView], names: Sequence[str]
) -> tuple[RoundResult, ...]:
    """The rounds of a view of the game, in order."""
    return tuple(
        RoundResult(
            number=over.round,
            note=labels.turned_round(game.law, over.king),
            bonus=any(over.bonus),
            results=tuple(_seats(game, over, names)),
        )
        for over in scored
    )


def _seats(game: Game, over: RoundView, names: Sequence[str]) -> list[Result]:
    worth = worths(game.law, views.places_after(game, over.round), over.king)
    found = []
    for seat, name in enumerate(names):
        points, row = over.points[seat], over.favourites[seat]
        summed = sum(worth[each] for each in row)
        found.append(
            Result(
                name=name,
                points=points,
                instead=summed if summed != points else None,
                bonus=over.bonus[seat],
                total=over.totals[seat],
                favourites=tuple(portrait(each, worth[each]) for each in row),
            )
        )
    return found
