"""Questions and answers in words, from what a view shows to anybody."""

from collections.abc import Sequence

from babel.lists import format_list
from flask_babel import get_locale

from engine.board import THRONE, Board, Character, Place, PlaceKey, PlaceKind
from engine.commands import Answer, Ballot, Move, Placement
from engine.editions.base import Edition
from engine.state import Kind
from engine.views import DecisionView, View
from service.present import languages
from service.present.languages import gettext as _


def question(decision: DecisionView) -> str:
    """What a decision asks."""
    match decision.kind:
        case Kind.PLACEMENT:
            return _("Whom do you place, and where?")
        case Kind.MOVE:
            return _("Who moves?")
        case Kind.ELECTION:
            nominee = decision.nominee or ""
            king = f"{languages.called(nominee)} {languages.title_of(nominee)}".rstrip()
            return _("Shall %(character)s be king?", character=king)


def destination(view: View, move: Move) -> PlaceKey | None:
    """Where a character of a view would move to; None where it can't."""
    return view.law.destinations(view.board).get(move.character)


def label(view: View, answer: Answer) -> str:
    """An answer as a button says it."""
    match answer:
        case Move(character=character):
            origin, to = view.board.at[character], destination(view, answer)
            return told(view.law, answer, origin, to)
        case Placement() | Ballot():
            return told(view.law, answer)


def told(
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
            return languages.card_name(card)


def _place(law: Edition, character: Character, key: PlaceKey) -> str:
    place = languages.place_name(law.place(key), law.places)
    name = languages.opening(languages.called(character))
    return _("%(character)s to the %(place)s", character=name, place=place)


def _move(
    law: Edition, character: Character, origin: PlaceKey | None, to: PlaceKey | None
) -> str:
    name = languages.opening(languages.called(character))
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
        languages.called(character)
        for character, key in board.at.items()
        if key in law.ways and character not in free
    ]
    if not names:
        return ""
    return _(
        "Can't move now: %(names)s. There is no room where the way leads.",
        names=format_list(names, locale=get_locale()),
    )


def _with_way(character: Character, origin: Place, goal: Place) -> str:
    name = languages.called(character)
    if origin.kind is PlaceKind.ASIDE:
        aside = languages.label_of(origin)
        return _("%(character)s (out of the %(aside)s)", character=name, aside=aside)
    if goal.kind is PlaceKind.ASIDE:
        aside = languages.label_of(goal)
        return _("%(character)s (into the %(aside)s)", character=name, aside=aside)
    return name


def upwards(view: View) -> str:
    """What a question for a move asks of somebody, told to themself."""
    aside = left_aside(view.law, view.board)
    if not aside:
        return _("Move a character one floor up.")
    return _("Move a character one floor up, or out of the %(aside)s.", aside=aside)


def left_aside(law: Edition, board: Board) -> str:
    """What the place aside is called that somebody can leave now; empty without one."""
    origins = [law.place(board.at[each]) for each in law.destinations(board)]
    return next(
        (languages.label_of(p) for p in origins if p.kind is PlaceKind.ASIDE), ""
    )


def way(law: Edition, origin: PlaceKey, to: PlaceKey) -> str:
    """Where a move leads, as it stands behind "moved Odessa"."""
    if to == THRONE:
        return _("onto the throne")
    left, place = law.place(origin), languages.place_name(law.place(to), law.places)
    if left.kind is PlaceKind.ASIDE:
        aside = languages.label_of(left)
        return _("out of the %(aside)s to the %(place)s", aside=aside, place=place)
    if law.place(to).kind is PlaceKind.ASIDE:
        return _("into the %(place)s", place=place)
    return _("up to the %(place)s", place=place)


def turned_round(law: Edition, king: Character) -> str:
    """What a king does, or would do, to everybody's scores; empty if nothing."""
    if not law.turns_round(king):
        return ""
    return _(
        "With %(character)s as king all scores of the round turn round: plus becomes"
        " minus, and minus plus.",
        character=languages.called(king),
    )


def ending(reason: str, winners: Sequence[str]) -> str:
    """How a game ended, and who won it, by isolated names."""
    if reason != "finished":
        return _("The game was called off.")
    names = format_list(list(winners), locale=get_locale())
    if len(winners) == 1:
        return _("The game is over: %(names)s wins.", names=names)
    return _("The game is over: %(names)s share the victory.", names=names)
