"""How a round ended, on pages: who won it, and where everybody stands after it."""

import itertools

import msgspec

from engine.events import (
    ActedBy,
    ElectionResolved,
    Moved,
    Placed,
    Record,
    RoundScored,
)
from service.present import final_standing, nouns
from service.present.languages import ngettext
from service.present.presentation import Presentation
from service.present.scores import RoundResult, SeatResult
from service.present.sentences import isolated, listed
from service.web.play.page_model import PageModel


class SeatAfterRound(msgspec.Struct, frozen=True):
    """A seat after a round, its bonus among the points; who is level shares a rank."""

    rank: int
    name: str
    bot: str
    me: bool
    wins: bool
    points: int
    total: int


class RoundEnding(msgspec.Struct, frozen=True):
    """How a round ended: `winners` says who got most, `standing` is by the totals.

    `won` says how the game was won with it, none before the game's end.
    """

    number: int
    winners: str
    won: tuple[str, ...]
    standing: tuple[SeatAfterRound, ...]


def just_now(game: PageModel) -> RoundEnding | None:
    """The latest round that is over, while it is news: None once somebody has acted.

    That of a game that was played to its end stays news.
    """
    fresh = game.running and not _acted(game.record)
    if not game.rounds or not (fresh or game.finished):
        return None
    return of(game, game.rounds[-1])


def _acted(record: tuple[Record, ...]) -> bool:
    """Whether anything was done since the latest round ended, but by bots.

    Bots need minutes at most: by their acts nobody would ever see that it is over.
    """
    since = itertools.takewhile(
        lambda event: not isinstance(event, RoundScored), reversed(record)
    )
    return any(
        isinstance(event, ElectionResolved)
        or (isinstance(event, Placed | Moved) and event.by != ActedBy.BOT)
        for event in since
    )


def of(game: Presentation, over: RoundResult) -> RoundEnding:
    """How one of a game's rounds ended."""
    ends_it = game.finished and over is game.rounds[-1]
    return RoundEnding(
        number=over.number,
        winners=_winners(over),
        won=final_standing.how_won(game) if ends_it else (),
        standing=_standing(game, over, ends_it=ends_it),
    )


def points(result: SeatResult) -> int:
    """All that a round brought a seat."""
    return result.points + result.bonus


def _winners(over: RoundResult) -> str:
    best = max(map(points, over.results))
    names = [isolated(each.name) for each in over.results if points(each) == best]
    return ngettext(
        "%(names)s won the round, with a score of %(points)s.",
        "%(names)s share the round, with a score of %(points)s each.",
        len(names),
        names=listed(names),
        points=nouns.signed(best),
    )


def _standing(
    game: Presentation, over: RoundResult, *, ends_it: bool
) -> tuple[SeatAfterRound, ...]:
    """Everybody by their totals; after the last round the winners first."""
    paired = list(zip(game.players, over.results, strict=True))
    # The edition's tie-break has decided who wins, whatever their points.
    scores = [(ends_it and player.wins, result.total) for player, result in paired]
    seats = (
        SeatAfterRound(
            rank=1 + sum(other > score for other in scores),
            name=player.name,
            bot=player.bot,
            me=player.me,
            wins=score[0],
            points=points(result),
            total=result.total,
        )
        for score, (player, result) in zip(scores, paired, strict=True)
    )
    return tuple(sorted(seats, key=lambda seat: seat.rank))
