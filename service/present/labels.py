"""Questions and answers in words, from what a view shows to anybody."""

from collections.abc import Sequence

from engine.board import Board, Character, Place, PlaceKey, PlaceKind
from engine.commands import Answer, Ballot, Move, Placement
from engine.editions.base import Edition
from engine.state import Kind
from engine.views import View
from service.present import nouns
from service.present.languages import gettext as _
from service.present.sentences import listed, opening
from service.values.enums import EndReason


def question(kind: Kind, nominee: Character | None) -> str:
    """What a decision asks; in an election about its nominee."""
    match kind:
        case Kind.PLACEMENT:
            return _("Whom do you place, and where?")
        case Kind.MOVE:
            return _("Who moves?")
        case Kind.ELECTION:
            character = _with_title(nominee or "")
            return _("Shall %(character)s be king?", character=character)


def _with_title(nominee: Character) -> str:
    """A nominee as a subject, and the title where it says more than the name."""
    name, title = nouns.subject(nominee), nouns.title_of(nominee)
    return name if name == title else f"{name} {title}".rstrip()


def button(
    law: Edition,
    answer: Answer,
    origin: PlaceKey | None = None,
    to: PlaceKey | None = None,
) -> str:
    """An answer as a button says it; a move leads from `origin` `to` somewhere."""
    match answer:
        case Placement(character=character, place=place):
            return _place(law, character, place)
        case Move(character=character):
            return _move(law, character, origin, to)
        case Ballot(card=card):
            return nouns.card_name(card)


def _place(law: Edition, character: Character, key: PlaceKey) -> str:
    name, to = opening(nouns.subject(character)), nouns.to(law, key)
    return _("%(character)s %(way)s", character=name, way=to)


def _move(
    law: Edition, character: Character, origin: PlaceKey | None, to: PlaceKey | None
) -> str:
    name = opening(nouns.subject(character))
    if origin is None or to is None:
        return name
    return _("%(character)s %(way)s", character=name, way=way(law, origin, to))


def movable(view: View) -> list[str]:
    """Who can move, each with the way it takes where that isn't plainly up."""
    law, board = view.law, view.board
    return [
        _with_way(character, law.place(board.at[character]), law.place(to))
        for character, to in law.destinations(board).items()
    ]


def stuck(view: View) -> str:
    """Who can't move for want of room, and that this is why; empty if nobody."""
    law, board = view.law, view.board
    free = law.destinations(board)
    names = [
        nouns.subject(character)
        for character, key in board.at.items()
        if key in law.ways and character not in free
    ]
    if not names:
        return ""
    return _(
        "Can't move now: %(names)s. There is no room where the way leads.",
        names=listed(names),
    )


def _with_way(character: Character, origin: Place, goal: Place) -> str:
    name = nouns.subject(character)
    if origin.kind is PlaceKind.ASIDE:
        return _("%(character)s (%(way)s)", character=name, way=nouns.leaving(origin))
    if goal.kind is PlaceKind.ASIDE:
        return _("%(character)s (%(way)s)", character=name, way=nouns.entering(goal))
    return name


def way_out(law: Edition, board: Board) -> str:
    """The way out of a place aside that somebody can leave now; empty without one."""
    origins = [law.place(board.at[each]) for each in law.destinations(board)]
    return next((nouns.leaving(p) for p in origins if p.kind is PlaceKind.ASIDE), "")


def way(law: Edition, origin: PlaceKey, to: PlaceKey) -> str:
    """Where a move leads, as it stands behind "moved Odessa"."""
    left, goal = law.place(origin), law.place(to)
    if left.kind is PlaceKind.ASIDE:
        leaving = nouns.leaving(left)
        return _("%(leaving)s %(to)s", leaving=leaving, to=nouns.to(law, to))
    return nouns.up_to(law, to) if goal.kind is PlaceKind.FLOOR else nouns.to(law, to)


def turned_round(law: Edition, king: Character) -> str:
    """What a king does, or would do, to everybody's scores; empty if nothing."""
    if not law.turns_round(king):
        return ""
    return _(
        "When %(character)s is king, all scores of the round turn round: plus becomes"
        " minus, and minus plus.",
        character=nouns.subject(king),
    )


def ending(reason: str, winners: Sequence[str]) -> str:
    """How a game ended, and who won it, by isolated names."""
    if reason != EndReason.FINISHED:
        return _("The game was called off.")
    names = listed(winners)
    if len(winners) == 1:
        return _("The game is over: %(names)s wins.", names=names)
    return _("The game is over: %(names)s share the victory.", names=names)
