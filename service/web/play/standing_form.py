"""Answering ahead on a game's page: the form, filled in for its seat's own eyes."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Final, TypeAlias

import msgspec
from flask import request

from engine.board import Card, Character, Seat
from engine.editions.base import Edition
from engine.state import Phase
from service.game import answering_ahead
from service.present import nouns
from service.present.languages import gettext as _
from service.store import standing_answers
from service.store.games import GameReadModel
from service.values.errors import Forbidden, Invalid
from service.values.principals import DeviceHolder
from service.values.wishes import (
    NOTHING,
    WishedCard,
    WishedElection,
    WishedMove,
    WishedPlacement,
    Wishes,
)
from service.web.http import form_tokens

LAY: Final = "answer-ahead"
DROP: Final = "ask-me"
_FEWEST, _SPARE, _MOST = 6, 4, 60

Filled: TypeAlias = Mapping[str, str]
"""What stands in the form, by the names of its fields."""

Choices: TypeAlias = tuple[tuple[str, str], ...]
"""What can be chosen in a field: values, and what each is called."""


class HalfChosen(Exception):
    """Something is missing in a line of the form; its text says where."""


class StandingForm(msgspec.Struct, frozen=True):
    """The form of a seat; without a token it is shown, and can't be changed.

    `given_at` is when what lies there answers the open question, None where it doesn't.
    `lines` are the fields of placements, none where nobody places any more.
    """

    token: str
    laid: bool
    given_at: datetime | None
    filled: Filled
    lines: tuple[int, ...]
    placeable: Choices
    floors: Choices
    characters: Choices
    destinations: Choices
    cards: Choices
    otherwise: Choices


def of_device(seen: GameReadModel) -> StandingForm | None:
    """The form of a remembered browser's seat; what was sent stays in it.

    None where nothing can be laid ahead; practice waits for nobody anyway.
    """
    if seen.seat is None or seen.practice or not seen.game.running:
        return None
    token = form_tokens.make(LAY, str(seen.id), seen.seat)
    return _form(seen, seen.seat, token, request.form.get("do") == LAY)


def of_link(seen: GameReadModel, seat: int) -> StandingForm | None:
    """What lies there, for whoever has opened a seat's cards by a mailed link.

    None where nothing does. A link is good for one question: it changes none of this.
    """
    if not seen.game.running:
        return None
    found = _form(seen, seat, "", sent=False)
    return found if found.laid else None


def change(seen: GameReadModel, seat: int, holder: DeviceHolder) -> None:
    """Lay what was filled in, or drop what lies there.

    Raises Forbidden, HalfChosen, Invalid, and what `answering_ahead.lay` raises.
    """
    sent = request.form.get(form_tokens.FIELD, "")
    if not form_tokens.is_good(sent, LAY, str(seen.id), seat):
        raise Forbidden(reason="no-form-token")
    wishes = NOTHING if request.form.get("do") == DROP else _wishes(request.form)
    flaw = next(answering_ahead.flaws(seen.game.law, wishes), None)
    if flaw is not None:
        raise Invalid(**flaw.facts)
    answering_ahead.lay(seen.id, holder, wishes)


def _form(seen: GameReadModel, seat: int, token: str, sent: bool) -> StandingForm:
    law, game = seen.game.law, seen.game
    laid = standing_answers.read(seen.id, seat, game.round)
    filled = request.form.to_dict() if sent else dict(_filled(laid))
    placeable = answering_ahead.placeable(law)
    floors = {floor for _who, floor in placeable}
    return StandingForm(
        token=token,
        laid=laid != NOTHING,
        given_at=_given_at(seen, Seat(seat), laid),
        filled=filled,
        lines=_lines(filled) if game.phase is Phase.PLACEMENT else (),
        placeable=_called(sorted({who for who, _floor in placeable})),
        floors=_places(law, floors),
        characters=_called(law.characters),
        destinations=_places(law, set(answering_ahead.destinations(law))),
        cards=tuple((card.value, nouns.card_name(card)) for card in law.cards),
        otherwise=tuple((c.value, nouns.card_name(c)) for c in (Card.YES, Card.NO)),
    )


def _given_at(seen: GameReadModel, seat: Seat, laid: Wishes) -> datetime | None:
    if answering_ahead.choice(seen.game, seat, laid) is None:
        return None
    return standing_answers.given_at(seen.id, seen.game.last_decision, seat)


def _called(letters: list[Character] | tuple[Character, ...]) -> Choices:
    return tuple((letter, nouns.name_of(letter)) for letter in letters)


def _places(law: Edition, keys: set[str]) -> Choices:
    return tuple(
        (place.key, nouns.place_name(place, law.places))
        for place in law.places
        if place.key in keys
    )


def _lines(filled: Filled) -> tuple[int, ...]:
    """As many lines as are filled in, and a few more."""
    used = [n for n in range(_MOST) if filled.get(f"who-{n}") or filled.get(f"to-{n}")]
    wanted = max(_FEWEST, max(used, default=-1) + 1 + _SPARE)
    return tuple(range(min(_MOST, wanted)))


def _filled(laid: Wishes) -> Iterator[tuple[str, str]]:
    for number, wish in enumerate(laid.placements):
        yield from ((f"who-{number}", wish.character), (f"to-{number}", wish.place))
    if laid.move is not None:
        yield from (("mover", laid.move.character), ("way", laid.move.to))
    if laid.election is not None:
        yield "else", laid.election.otherwise.value
        for each in laid.election.nominees:
            yield f"card-{each.nominee}", each.card.value


def _wishes(sent: Filled) -> Wishes:
    """What a form asks for. Raises HalfChosen."""
    return Wishes(tuple(_placements(sent)), _move(sent), _election(sent))


def _placements(sent: Filled) -> Iterator[WishedPlacement]:
    for number in range(_MOST):
        who, to = sent.get(f"who-{number}", ""), sent.get(f"to-{number}", "")
        if bool(who) != bool(to):
            raise HalfChosen(_("Each wish needs a character and a floor."))
        if who:
            yield WishedPlacement(who, to)


def _move(sent: Filled) -> WishedMove | None:
    mover, way = sent.get("mover", ""), sent.get("way", "")
    if bool(mover) != bool(way):
        raise HalfChosen(_("Your next move needs a character and a place."))
    return WishedMove(mover, way) if mover else None


def _election(sent: Filled) -> WishedElection | None:
    named = {
        name.removeprefix("card-"): card
        for name, card in sent.items()
        if name.startswith("card-") and card
    }
    otherwise = sent.get("else", "")
    if not otherwise and not named:
        return None
    if otherwise not in (Card.YES, Card.NO):
        raise HalfChosen(_("Say what to lay for everybody else, too: Yes or No."))
    unknown = next((card for card in named.values() if card not in set(Card)), None)
    if unknown is not None:
        raise Invalid(field="card", reason="unknown")
    cards = tuple(WishedCard(who, Card(card)) for who, card in named.items())
    return WishedElection(cards, Card(otherwise))
