"""Questions and answers in words, from what a view shows to anybody."""

from engine.board import THRONE, Board, PlaceKey
from engine.commands import Answer, Ballot, Move, Placement
from engine.editions import edition
from engine.state import Kind
from engine.views import DecisionView, View
from service import i18n
from service.i18n import gettext as _


def question(decision: DecisionView) -> str:
    """What a decision asks."""
    match decision.kind:
        case Kind.PLACEMENT:
            return _("Whom do you place, and where?")
        case Kind.MOVE:
            return _("Who moves up?")
        case Kind.ELECTION:
            king = i18n.full_name_of(decision.nominee or "")
            return _("Shall %(character)s be king?", character=king)


def destination(view: View, move: Move) -> PlaceKey | None:
    """Where a character of a view would move to; None where it can't."""
    board = Board({c: p.place.key for p in view.places for c in p.characters})
    return edition(view.edition).destinations(board).get(move.character)


def nominates(view: View, answer: Answer) -> bool:
    """Whether an answer leads onto the throne, and so to an election."""
    return isinstance(answer, Move) and destination(view, answer) == THRONE


def label(view: View, answer: Answer) -> str:
    """An answer as a button says it."""
    match answer:
        case Placement(character=character, place=place):
            return _place(view, character, place)
        case Move(character=character):
            to = destination(view, answer)
            return (
                i18n.name_of(character) if to is None else _place(view, character, to)
            )
        case Ballot(card=card):
            return str(i18n.CARDS[card])


def _place(view: View, character: str, key: PlaceKey) -> str:
    place = i18n.PLACES[edition(view.edition).place(key).label]
    name = i18n.name_of(character)
    if key == THRONE:
        return _("%(character)s onto the throne", character=name)
    return _("%(character)s to the %(place)s", character=name, place=place)
