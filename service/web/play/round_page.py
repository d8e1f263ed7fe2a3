"""A round's own page, kept once it is over: its castle, its favourites, its story."""

from collections.abc import Collection
from uuid import UUID

import msgspec
from flask import Blueprint, render_template
from markupsafe import Markup

from engine import views
from engine.board import Character
from engine.views import RoundView
from service.present import castle, chronicle, nouns, presentation, sentences
from service.present.languages import gettext as _
from service.present.presentation import Presentation
from service.present.scores import Portrait, RoundResult, SeatResult
from service.store import past_rounds
from service.store.games import GameReadModel
from service.values.errors import NotFound
from service.web.play import game_page, round_endings
from service.web.play.round_endings import RoundEnding

bp = Blueprint("rounds", __name__)


class TurnedUp(msgspec.Struct, frozen=True):
    """The favourites of a seat, and what they came to.

    `sum` adds up what each has brought, and `notes` say what became of that; who got
    as much from the round shares a rank.
    """

    rank: int
    name: str
    me: bool
    points: int
    favourites: tuple[Portrait, ...]
    sum: str
    notes: tuple[str, ...]


class RoundPage(msgspec.Struct, frozen=True):
    """All that the page of a round shows; `favourites` are in the order of the round.

    `earlier` and `later` tell whether there are rounds to be shown beside it.
    """

    game_id: UUID
    number: int
    rounds: int
    edition: str
    king: str
    result: RoundResult
    ending: RoundEnding
    castle: Markup
    favourites: tuple[TurnedUp, ...]
    story: tuple[Markup, ...]
    earlier: bool
    later: bool


@bp.get("/g/<uuid:game_id>/rounds/<int:number>")
def show(game_id: UUID, number: int) -> str:
    """A round that is over, to whoever may see its game. Raises NotFound before."""
    seen = game_page.find(game_id)
    if number not in [scored.round for scored in seen.game.scored]:
        raise NotFound(what="round")
    return render_template("round.html", round=_page(seen, number))


def _page(seen: GameReadModel, number: int) -> RoundPage:
    seat = seen.beside if seen.seat is None else seen.seat
    game = presentation.present(seen, seat)
    over = next(each for each in game.view.rounds if each.round == number)
    result = next(each for each in game.rounds if each.number == number)
    events = past_rounds.until_end_of(seen.id, number)
    return RoundPage(
        game_id=seen.id,
        number=number,
        rounds=game.view.options.rounds,
        edition=game.law.id,
        king=nouns.subject(over.king),
        result=result,
        ending=round_endings.of(game, result),
        castle=_castle(seen, game, over, () if seat is None else over.favourites[seat]),
        favourites=_turned_up(game, over, result),
        story=tuple(map(sentences.markup, chronicle.tell(events, game.cast))),
        earlier=number > 1,
        later=number < len(game.rounds),
    )


def _castle(
    seen: GameReadModel,
    game: Presentation,
    over: RoundView,
    favourites: Collection[Character],
) -> Markup:
    """The castle as the coronation left it."""
    places = views.places_after(seen.game, over.round)
    return castle.svg(castle.as_ended(game.view, places), favourites)


def _turned_up(
    game: Presentation, over: RoundView, result: RoundResult
) -> tuple[TurnedUp, ...]:
    """Everybody's favourites, those that brought most first."""
    turned = game.law.turns_round(over.king)
    brought = list(map(round_endings.points, result.results))
    seats = (
        TurnedUp(
            rank=1 + sum(other > points for other in brought),
            name=each.name,
            me=player.me,
            points=points,
            favourites=each.favourites,
            sum=_sum(each),
            notes=_notes(each, turned=turned),
        )
        for each, player, points in zip(
            result.results, game.players, brought, strict=True
        )
    )
    return tuple(sorted(seats, key=lambda seat: seat.rank))


def _sum(result: SeatResult) -> str:
    """What the favourites have brought, added up as one does on paper."""
    first, *others = (each.worth or 0 for each in result.favourites)
    added = "".join(
        f" {'+' if worth >= 0 else nouns.MINUS} {abs(worth)}" for worth in others
    )
    total = first + sum(others)
    return f"{nouns.signed(first)}{added} = {nouns.signed(total)}"


def _notes(result: SeatResult, *, turned: bool) -> tuple[str, ...]:
    """What a sum is turned into, where it isn't simply the points."""
    notes = []
    if turned:
        notes.append(
            _(
                "%(points)s in the castle, turned round by the king.",
                points=nouns.signed(-result.points),
            )
        )
    if result.instead is not None:
        notes.append(
            _(
                "A sum of exactly %(summed)s counts as %(points)s in this round.",
                summed=nouns.signed(result.instead),
                points=nouns.signed(result.points),
            )
        )
    if result.bonus:
        notes.append(_("On top comes a bonus of %(bonus)s.", bonus=result.bonus))
    return tuple(notes)
