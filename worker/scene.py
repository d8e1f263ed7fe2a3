"""The table as a mail shows it: the castle, the question, the scores; never a hand."""

from collections.abc import Sequence

import msgspec

from engine.board import Seat
from engine.commands import Answer, Ballot, Move, Placement
from engine.state import Kind
from engine.views import DecisionView, RoundView, View
from service import castle, telling
from service.castle import Row
from service.i18n import CARDS, name_of
from service.i18n import gettext as _
from service.telling import Cast


class Standing(msgspec.Struct, frozen=True):
    """One line of the scores: points of the round that is over, and of all so far.

    A bonus counts among the points.
    """

    name: str
    points: int
    total: int
    favourites: str


class Scores(msgspec.Struct, frozen=True):
    """The scores of the latest round that is over, in seat order."""

    round: int
    lines: tuple[Standing, ...]


class Question(msgspec.Struct, frozen=True):
    """The open question: what it allows anybody, and in an election whom it is about.

    `laid` names who has laid a card by the latest reminder, empty before the first.
    """

    kind: Kind
    offers: tuple[str, ...]
    nominee: str
    mover: str
    laid: str


class Scene(msgspec.Struct, frozen=True):
    """What everybody at the table can see now.

    `crown`, `turn`, `refused` and `winners` are empty where nobody or nothing is meant;
    `turn` is whoever is asked alone.
    """

    rows: tuple[Row, ...]
    crown: str
    turn: str
    first: str
    refused: str
    winners: str
    cancelled: bool
    question: Question | None
    scores: Scores | None


def of(view: View, cast: Cast) -> Scene:
    """The scene of a spectator's view."""
    asked = view.decision.seat if view.decision else None
    return Scene(
        rows=castle.rows(view),
        crown="" if view.crown is None else cast.person(view.crown),
        turn="" if asked is None else cast.person(asked),
        first=cast.person(view.first),
        refused=name_of(view.elections[-1].nominee) if view.elections else "",
        winners=cast.people(view.winners),
        cancelled=view.reason not in (None, "finished"),
        question=_question(view.decision, view, cast) if view.decision else None,
        scores=_scores(view.rounds[-1], cast) if view.rounds else None,
    )


def _question(decision: DecisionView, view: View, cast: Cast) -> Question:
    return Question(
        kind=decision.kind,
        offers=tuple(_offers(decision.offers, cast)),
        nominee=name_of(decision.nominee) if decision.nominee else "",
        mover="" if decision.mover is None else cast.person(decision.mover),
        laid=cast.people(view.laid or ()),
    )


def _offers(offers: Sequence[Answer], cast: Cast) -> list[str]:
    """What the question allows anybody, in a line or two."""
    placed = [offer for offer in offers if isinstance(offer, Placement)]
    moved = [offer.character for offer in offers if isinstance(offer, Move)]
    cards = [str(CARDS[offer.card]) for offer in offers if isinstance(offer, Ballot)]
    lines = []
    if placed:
        free = dict.fromkeys(offer.character for offer in placed)
        floors = dict.fromkeys(cast.place(offer.place) for offer in placed)
        lines.append(_("To be placed: %(names)s.", names=telling.characters(free)))
        lines.append(_("Room with the: %(places)s.", places=", ".join(floors)))
    if moved:
        lines.append(_("Can move: %(names)s.", names=telling.characters(moved)))
    if cards:
        lines.append(_("The cards there are: %(cards)s.", cards=", ".join(cards)))
    return lines


def _scores(scored: RoundView, cast: Cast) -> Scores:
    return Scores(
        round=scored.round,
        lines=tuple(
            Standing(
                name=cast.person(Seat(seat)),
                points=scored.points[seat] + scored.bonus[seat],
                total=scored.totals[seat],
                favourites=telling.characters(scored.favourites[seat]),
            )
            for seat in range(len(scored.totals))
        ),
    )
