"""The table as a mail shows it: the castle, the question, the scores; never a hand."""

from collections.abc import Sequence

import msgspec

from engine.board import Seat
from engine.commands import Answer, Ballot, Move, Placement
from engine.state import Kind
from engine.views import DecisionView, RoundView, View
from service.present import castle, labels, nouns, sentences
from service.present.castle import FloorRow
from service.present.languages import gettext as _
from service.present.narration import Cast


class ScoreLine(msgspec.Struct, frozen=True):
    """One line of the scores: points and bonus of the round that is over, and all."""

    name: str
    points: str
    bonus: int
    total: str
    favourites: str


class Scores(msgspec.Struct, frozen=True):
    """The scores of the latest round that is over, in seat order.

    `note` says what its king did to them, `began` what everybody began with, each empty
    where there is nothing to say; `bonus` whether anybody had one.
    """

    round: int
    note: str
    began: str
    bonus: bool
    lines: tuple[ScoreLine, ...]


class Question(msgspec.Struct, frozen=True):
    """The open question: what it allows anybody, and in an election whom it is about.

    `laid` names who has laid a card by the latest reminder, empty before the first;
    `way_out` is where a move leads that goes to no higher floor; `note` says what the
    nominee would do to the scores, empty where there is nothing to say.
    """

    kind: Kind
    offers: tuple[str, ...]
    nominee: str
    mover: str
    laid: str
    way_out: str
    note: str


class TableSummary(msgspec.Struct, frozen=True):
    """What everybody at the table can see now.

    `crown`, `turn`, `nominee`, `verdict` and `winners` are empty where nobody or
    nothing is meant; `turn` is whoever is asked alone, `nominee` and `verdict` belong
    to the round's latest election.
    """

    rows: tuple[FloorRow, ...]
    crown: str
    turn: str
    first: str
    nominee: str
    verdict: str
    winners: str
    cancelled: bool
    question: Question | None
    scores: Scores | None


def of(view: View, cast: Cast) -> TableSummary:
    """The scene of a spectator's view."""
    asked = view.decision.seat if view.decision else None
    return TableSummary(
        rows=castle.rows(view),
        crown="" if view.crown is None else cast.person(view.crown),
        turn="" if asked is None else cast.person(asked),
        first=cast.person(view.first),
        nominee=nouns.subject(view.elections[-1].nominee) if view.elections else "",
        verdict=view.elections[-1].verdict.value if view.elections else "",
        winners=cast.people(view.winners),
        cancelled=view.reason not in (None, "finished"),
        question=_question(view.decision, view, cast) if view.decision else None,
        scores=_scores(view.rounds[-1], cast) if view.rounds else None,
    )


def _question(decision: DecisionView, view: View, cast: Cast) -> Question:
    return Question(
        kind=decision.kind,
        offers=tuple(_offers(view, decision.offers, cast)),
        nominee=nouns.subject(decision.nominee) if decision.nominee else "",
        mover="" if decision.mover is None else cast.person(decision.mover),
        laid=cast.people(view.laid or ()),
        way_out=_way_out(decision.kind, view, cast),
        note=labels.turned_round(cast.law, decision.nominee or ""),
    )


def _way_out(kind: Kind, view: View, cast: Cast) -> str:
    if kind is not Kind.MOVE:
        return ""
    return labels.way_out(cast.law, view.board)


def _offers(view: View, offers: Sequence[Answer], cast: Cast) -> list[str]:
    """What the question allows anybody, in a line or two."""
    placed = [offer for offer in offers if isinstance(offer, Placement)]
    cards = [nouns.card_name(each.card) for each in offers if isinstance(each, Ballot)]
    lines = []
    if placed:
        free = dict.fromkeys(offer.character for offer in placed)
        floors = dict.fromkeys(
            nouns.name_of_place(cast.law, each.place) for each in placed
        )
        lines.append(_("To be placed: %(names)s.", names=nouns.characters(free)))
        lines.append(_("Floors with room: %(places)s.", places=", ".join(floors)))
    if any(isinstance(offer, Move) for offer in offers):
        names = sentences.listed(labels.movable(view))
        lines.append(_("Can move: %(names)s.", names=names))
    if cards:
        lines.append(_("The cards there are: %(cards)s.", cards=", ".join(cards)))
    return lines


def _began(points: int) -> str:
    return _("Everybody began with %(points)s points.", points=points) if points else ""


def _scores(scored: RoundView, cast: Cast) -> Scores:
    return Scores(
        round=scored.round,
        note=labels.turned_round(cast.law, scored.king),
        began=_began(cast.law.start_score) if scored.round == 1 else "",
        bonus=any(scored.bonus),
        lines=tuple(
            ScoreLine(
                name=cast.person(Seat(seat)),
                points=nouns.signed(scored.points[seat]),
                bonus=scored.bonus[seat],
                total=nouns.signed(scored.totals[seat]),
                favourites=nouns.characters(scored.favourites[seat]),
            )
            for seat in range(len(scored.totals))
        ),
    )
