"""What somebody has done themself: told to their seat, or by the record alone."""

from typing import assert_never

import msgspec

from engine.board import THRONE
from engine.commands import Answer, Ballot, Move, Placement
from engine.editions.base import Edition
from engine.events import ElectionResolved, Moved, Placed, Record
from service.game.unit_of_work import AnswerReceipt
from service.present import labels, nouns
from service.present.languages import gettext as _
from service.present.sentences import opening
from service.store import answers
from service.store.games import GameReadModel
from service.web.play import past
from service.web.play.page_model import record

_BY_THEMSELF = "person"


class Done(msgspec.Struct, frozen=True):
    """What somebody has answered, in words, with the receipt of a ballot."""

    told: str
    receipt: str


def done(seen: GameReadModel, seat: int, decision: int) -> Done | None:
    """What the person on a seat answered, for a browser that proved to be theirs.

    None when they gave no answer themself.
    """
    given = answers.given(seen.id, decision, seat)
    if given is None or given.source != _BY_THEMSELF:
        return None
    answer = msgspec.json.decode(given.answer, type=Answer)
    return Done(told(seen, answer, decision), kept(given.receipt, seat))


def kept(receipt: bytes, seat: int) -> str:
    """A ballot's receipt as `kingup verify --receipt` takes it; else empty."""
    found = msgspec.json.decode(receipt, type=AnswerReceipt)
    if found.commitment is None:
        return ""
    return f"{found.decision}:{seat}:{found.commitment}"


def told(seen: GameReadModel, answer: Answer, decision: int) -> str:
    """What somebody has just done, told to themself in the words of the story."""
    events, law = record(seen), seen.game.law
    match answer:
        case Placement(character=character, place=place):
            return _(
                "You placed %(character)s %(among)s.",
                character=nouns.direct_object(character),
                among=nouns.among(law, place),
            )
        case Move():
            moves = (event for event in events if isinstance(event, Moved))
            return _moved(next(e for e in moves if e.decision == decision), law)
        case Ballot(card=card):
            nominee = past.asked(events, decision).nominee
            sentence = _(
                "%(character)s for king? You laid %(card)s.",
                character=nouns.subject(nominee),
                card=nouns.card_name(card),
            )
            return opening(sentence)
        case _:
            assert_never(answer)


def _moved(event: Moved, law: Edition) -> str:
    who = nouns.direct_object(event.character)
    if event.to == THRONE:
        return _("You put %(character)s up for king and took the crown.", character=who)
    where = labels.way(law, event.origin, event.to)
    return _("You moved %(character)s %(way)s.", character=who, way=where)


def answered(
    seen: GameReadModel, events: tuple[Record, ...], seat: int, decision: int
) -> str:
    """What the record says of a seat's answer, which may have been the clock's.

    For whoever holds the link of that seat. Of a ballot it tells no more than that one
    is laid; of what the clock did, nothing.
    """
    for event in events:
        match event:
            case (
                Placed(decision=number, seat=mine, by="seat", character=who, place=to)
                | Moved(decision=number, seat=mine, by="seat", character=who, to=to)
            ) if (number, mine) == (decision, seat):
                return _(
                    "You answered: %(character)s, %(place)s.",
                    character=nouns.subject(who),
                    place=nouns.name_of_place(seen.game.law, to),
                )
            case ElectionResolved(decision=number) if number == decision:
                return _("Your card is laid.")
            case _:
                pass
    return ""
