"""Decision forms: the choices as radios, none chosen, and what comes back of them."""

from collections.abc import Mapping
from typing import assert_never

import msgspec

from engine.board import Card, Character, PlaceKey
from engine.commands import Answer, Ballot, Move, Placement
from engine.editions.base import Edition
from engine.state import Kind
from engine.views import View
from service.present import labels, layout, nouns
from service.present.languages import gettext as _
from service.present.sentences import opening
from service.web.http import form_tokens


class Choice(msgspec.Struct, frozen=True):
    """One radio button. `letter` and `shade` belong to a character."""

    value: str
    label: str
    note: str = ""
    letter: str = ""
    shade: int = 0
    crown: bool = False
    mine: bool = False


class RadioField(msgspec.Struct, frozen=True):
    """Radio buttons of one name, of which one is to be chosen."""

    name: str
    legend: str
    choices: tuple[Choice, ...]


class ChoiceForm(msgspec.Struct, frozen=True):
    """What a seat may answer now. `hidden` is sent along, `button` names the act.

    `named` names it still better once a choice is made, by the choice's value. `note`
    says what a nominee would do to the scores, `stuck` who can't move and why.
    """

    kind: Kind
    ask: str
    note: str
    stuck: str
    action: str
    hidden: Mapping[str, str]
    fields: tuple[RadioField, ...]
    button: str
    named: Mapping[str, str]


def form(view: View, law: Edition, action: str, form_token: str) -> ChoiceForm | None:
    """The form of the seat whose view this is; None when it isn't asked."""
    own, decision = view.own, view.decision
    if own is None or decision is None or not own.legal:
        return None
    nominee = nouns.subject(decision.nominee) if decision.nominee else ""
    moves = decision.kind is Kind.MOVE
    hidden = {
        "do": "answer",
        form_tokens.FIELD: form_token,
        "decision": str(decision.number),
        "kind": decision.kind.value,
    }
    return ChoiceForm(
        kind=decision.kind,
        ask=labels.upwards(view) if moves else ask(decision.kind, nominee),
        note=labels.turned_round(law, decision.nominee or ""),
        stuck=labels.stuck(view) if moves else "",
        action=action,
        hidden=hidden,
        fields=_fields(view, law),
        button=_button(decision.kind, nominee),
        named=_named(view, nominee),
    )


def ask(kind: Kind, nominee: str) -> str:
    """What is asked of somebody, in a few words."""
    match kind:
        case Kind.PLACEMENT:
            return _("Place a character in the castle.")
        case Kind.MOVE:
            return _("Move a character one floor up.")
        case Kind.ELECTION:
            return _("Shall %(character)s be king? Lay a card.", character=nominee)
        case _:
            assert_never(kind)


def _button(kind: Kind, nominee: str) -> str:
    match kind:
        case Kind.PLACEMENT:
            return _("Place")
        case Kind.MOVE:
            return _("Move")
        case Kind.ELECTION:
            return opening(_("%(character)s for king? Lay my card", character=nominee))
        case _:
            assert_never(kind)


def _named(view: View, nominee: str) -> dict[str, str]:
    """The act by the card, or by whoever is to move, that is chosen."""
    named = {}
    for each in () if view.own is None else view.own.legal:
        match each.answer:
            case Ballot(card=card):
                word = nouns.card_name(card)
                words = _(
                    "%(character)s for king? Lay %(card)s", character=nominee, card=word
                )
                named[card.value] = opening(words)
            case Move(character=character):
                named[character] = _moving(view, character, king=each.nominates)
            case Placement():
                pass
    return named


def _moving(view: View, character: Character, *, king: bool) -> str:
    """A move as its button names it."""
    who, law = nouns.direct_object(character), view.law
    if king:
        return _("Put %(character)s up for king", character=who)
    to = law.destinations(view.board)[character]
    where = labels.way(law, view.board.at[character], to)
    return _("Move %(character)s %(way)s", character=who, way=where)


def _fields(view: View, law: Edition) -> tuple[RadioField, ...]:
    answers = [] if view.own is None else [each.answer for each in view.own.legal]
    placements = [a for a in answers if isinstance(a, Placement)]
    moves = [a.character for a in answers if isinstance(a, Move)]
    cards = [a.card for a in answers if isinstance(a, Ballot)]
    if placements:
        return (
            RadioField("character", _("Who?"), _characters(view, placements)),
            RadioField("place", _("Where?"), _places(law, placements)),
        )
    if moves:
        return (RadioField("character", _("Who moves?"), _moves(view, law, moves)),)
    return (RadioField("card", _("Your card"), tuple(_card(card) for card in cards)),)


def _characters(view: View, placements: list[Placement]) -> tuple[Choice, ...]:
    letters = dict.fromkeys(placement.character for placement in placements)
    return tuple(_character(view, letter) for letter in letters)


def _character(view: View, letter: Character, note: str = "") -> Choice:
    return Choice(
        value=letter,
        label=nouns.name_of(letter),
        note=note,
        letter=letter,
        shade=layout.shade(letter),
        mine=view.own is not None and letter in view.own.favourites,
    )


def _places(law: Edition, placements: list[Placement]) -> tuple[Choice, ...]:
    """The floors with room, the highest first, as the castle shows them."""
    keys = {placement.place for placement in placements}
    return tuple(
        Choice(
            value=place.key,
            label=nouns.place_name(place, law.places),
            note=_("worth %(points)s", points=place.value),
        )
        for place in law.places
        if place.key in keys
    )


def _moves(view: View, law: Edition, letters: list[Character]) -> tuple[Choice, ...]:
    """Who may move, the highest first, with the place they come to."""
    board = view.board
    leads = law.destinations(board)
    order = [place.key for place in law.places]
    nominating = {
        each.answer.character
        for each in (view.own.legal if view.own else ())
        if isinstance(each.answer, Move) and each.nominates
    }
    letters = sorted(letters, key=lambda letter: order.index(leads[letter]))
    return tuple(
        msgspec.structs.replace(
            _character(view, letter, labels.way(law, board.at[letter], leads[letter])),
            crown=letter in nominating,
        )
        for letter in letters
    )


def _card(card: Card) -> Choice:
    return Choice(value=card.value, label=nouns.card_name(card))


def answer_of(sent: Mapping[str, str]) -> Answer | None:
    """The answer in a form that came back; None when something isn't chosen."""
    character, place = sent.get("character"), sent.get("place")
    match sent.get("kind"):
        case Kind.PLACEMENT if character and place:
            return Placement(character, place)
        case Kind.MOVE if character:
            return Move(character)
        case Kind.ELECTION if sent.get("card") in set(Card):
            return Ballot(Card(sent["card"]))
        case _:
            return None


def wanted(answer: Answer, law: Edition) -> str:
    """What somebody wanted and didn't get, told to themself."""
    match answer:
        case Placement(character=character, place=place):
            return _(
                "You wanted to place %(character)s %(among)s; that was not done.",
                character=nouns.direct_object(character),
                among=_among(law, place),
            )
        case Move(character=character):
            return _(
                "You wanted to move %(character)s; that was not done.",
                character=nouns.direct_object(character),
            )
        case Ballot(card=card):
            return _(
                "You wanted to lay %(card)s; that was not done.",
                card=nouns.card_name(card),
            )
        case _:
            assert_never(answer)


def _among(law: Edition, key: PlaceKey) -> str:
    """Where somebody wanted to place; what isn't a place was never offered."""
    known = any(place.key == key for place in law.places)
    return nouns.among(law, key) if known else _("somewhere else")
