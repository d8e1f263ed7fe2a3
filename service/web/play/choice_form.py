"""Decision forms: the choices as radios, none chosen, and what comes back of them."""

from collections.abc import Mapping
from typing import assert_never

import msgspec

from engine.board import Card, Character, PlaceKey
from engine.commands import Answer, Ballot, Move, Placement
from engine.editions.base import Edition
from engine.state import Kind
from engine.views import Own, View
from service.present import error_texts, labels, nouns
from service.present.languages import gettext as _
from service.present.presentation import Presentation, Question
from service.present.sentences import opening
from service.values.errors import Invalid, PublicError
from service.web.http import form_tokens


class Choice(msgspec.Struct, frozen=True):
    """One radio button; `crown` tells that choosing it puts somebody up for king."""

    value: str
    label: str
    note: str = ""
    crown: bool = False


class RadioField(msgspec.Struct, frozen=True):
    """Radio buttons of one name, of which one is to be chosen."""

    name: str
    legend: str
    choices: tuple[Choice, ...]


class ChoiceForm(msgspec.Struct, frozen=True):
    """What a seat may answer now. `hidden` is sent along, `button` names the act.

    `named` names it still better once a choice is made, by the choice's value.
    """

    kind: Kind
    ask: str
    action: str
    hidden: Mapping[str, str]
    fields: tuple[RadioField, ...]
    button: str
    named: Mapping[str, str]


def asked(game: Presentation) -> tuple[Own, Question] | None:
    """What is asked of the seat that a game is presented to; None when nothing is."""
    own, question = game.view.own, game.question
    if own is None or question is None or not own.legal:
        return None
    return own, question


def form(game: Presentation, action: str, form_token: str) -> ChoiceForm | None:
    """The form of the seat that a game is presented to; None when it isn't asked."""
    found = asked(game)
    if found is None:
        return None
    own, question = found
    hidden = {
        "do": "answer",
        form_tokens.FIELD: form_token,
        "decision": str(question.number),
        "kind": question.kind.value,
    }
    return ChoiceForm(
        kind=question.kind,
        ask=ask(question.kind, question.nominee, question.way_out),
        action=action,
        hidden=hidden,
        fields=_fields(game.view, own),
        button=_button(question),
        named=_named(game.view, own, question.nominee),
    )


def ask(kind: Kind, nominee: str, way_out: str = "") -> str:
    """What is asked of somebody, in a few words."""
    match kind:
        case Kind.PLACEMENT:
            return _("Place a character in the castle.")
        case Kind.MOVE if way_out:
            return _("Move a character one floor up, or %(leaving)s.", leaving=way_out)
        case Kind.MOVE:
            return _("Move a character one floor up.")
        case Kind.ELECTION:
            return _("Shall %(character)s be king? Lay a card.", character=nominee)
        case _:
            assert_never(kind)


def _button(question: Question) -> str:
    match question.kind:
        case Kind.PLACEMENT:
            return _("Place")
        case Kind.MOVE:
            return _("Move")
        case Kind.ELECTION:
            words = _("%(character)s: lay my card", character=question.nominee)
            return opening(words)
        case _:
            assert_never(question.kind)


def _named(view: View, own: Own, nominee: str) -> dict[str, str]:
    """The act by the card, or by whoever is to move, that is chosen."""
    named = {}
    for each in own.legal:
        match each.answer:
            case Ballot(card=card):
                word = nouns.card_name(card)
                words = _("%(character)s: lay %(card)s", character=nominee, card=word)
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


def _fields(view: View, own: Own) -> tuple[RadioField, ...]:
    answers = [each.answer for each in own.legal]
    placements = [a for a in answers if isinstance(a, Placement)]
    moves = [a.character for a in answers if isinstance(a, Move)]
    cards = [a.card for a in answers if isinstance(a, Ballot)]
    if placements:
        letters = dict.fromkeys(placement.character for placement in placements)
        characters = tuple(Choice(letter, nouns.name_of(letter)) for letter in letters)
        return (
            RadioField("character", _("Who?"), characters),
            RadioField("place", _("Where?"), _places(view.law, placements)),
        )
    if moves:
        return (RadioField("character", _("Who moves?"), _moves(view, own, moves)),)
    choices = tuple(
        Choice(card.value, nouns.card_name(card), _effect(card)) for card in cards
    )
    return (RadioField("card", _("Your card"), choices),)


def _effect(card: Card) -> str:
    """What a card does, in a few words; empty for one that has none here."""
    effects = {
        Card.YES: _("comes back to your hand"),
        Card.NO: _("prevents a king, and is gone for this round"),
        Card.STOMACHACHE: _("cancels the vote, whatever else lies there, and is gone"),
    }
    return effects.get(card, "")


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


def _moves(view: View, own: Own, letters: list[Character]) -> tuple[Choice, ...]:
    """Who may move, the highest first, with the place they come to."""
    law, board = view.law, view.board
    leads = law.destinations(board)
    order = [place.key for place in law.places]
    nominating = {
        each.answer.character
        for each in own.legal
        if isinstance(each.answer, Move) and each.nominates
    }
    letters = sorted(letters, key=lambda letter: order.index(leads[letter]))
    return tuple(
        Choice(
            value=letter,
            label=nouns.name_of(letter),
            note=labels.way(law, board.at[letter], leads[letter]),
            crown=letter in nominating,
        )
        for letter in letters
    )


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


def unsaid(error: PublicError) -> str:
    """Why a line can't be said, and that nothing has happened, then."""
    if isinstance(error, Invalid):
        error = Invalid(**{**error.facts, "field": _("Your line")})
    return _("%(why)s Nothing has happened.", why=error_texts.detail(error))


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
