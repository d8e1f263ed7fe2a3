"""Decisions that are over: what they asked, what came of them, who answered what."""

from collections.abc import Sequence
from typing import assert_never

import msgspec

from engine.board import THRONE, Character
from engine.commands import Answer, Ballot, Move, Placement, Source
from engine.editions.base import Edition
from engine.events import (
    ActedBy,
    ElectionResolved,
    Moved,
    Placed,
    Record,
    TakenBack,
)
from engine.state import Kind
from service.game.unit_of_work import AnswerReceipt
from service.present import labels, nouns
from service.present.languages import gettext as _
from service.present.sentences import opening
from service.store import answers
from service.web.play.page_model import PageModel


class PastDecision(msgspec.Struct, frozen=True):
    """What a decision asked; `kind` is None when the record doesn't tell."""

    kind: Kind | None
    nominee: Character = ""


class AnswerGiven(msgspec.Struct, frozen=True):
    """What somebody has answered, in words, with the receipt of a ballot.

    Of a ballot that was turned over there are no words: the page shows it with all.
    """

    sentence: str
    receipt: str


def asked(record: Sequence[Record], decision: int) -> PastDecision:
    """What a decision asked, by the record alone."""
    for event in record:
        match event:
            case Placed(decision=number) if number == decision:
                return PastDecision(Kind.PLACEMENT)
            case Moved(decision=number) if number == decision:
                return PastDecision(Kind.MOVE)
            case Moved(election=number, character=nominee) if number == decision:
                return PastDecision(Kind.ELECTION, nominee)
            case _:
                pass
    return PastDecision(None)


def answer_of(game: PageModel, seat: int, decision: int) -> AnswerGiven | None:
    """What the person on a seat answered, for a browser that proved to be theirs.

    None when they gave no answer themself.
    """
    row = answers.given(game.id, decision, seat)
    if row is None or row.source != Source.PERSON:
        return None
    answer = msgspec.json.decode(row.answer, type=Answer)
    turned_over = any(
        isinstance(event, ElectionResolved) and event.decision == decision
        for event in game.record
    )
    words = "" if turned_over else in_words(game, answer, decision)
    return AnswerGiven(words, receipt(row.receipt, seat))


def receipt(stored: bytes, seat: int) -> str:
    """A ballot's receipt as `kingup verify --receipt` takes it; else empty."""
    found = msgspec.json.decode(stored, type=AnswerReceipt)
    if found.commitment is None:
        return ""
    return f"{found.decision}:{seat}:{found.commitment}"


def in_words(game: PageModel, answer: Answer, decision: int) -> str:
    """What somebody has just done, told to themself in the words of the story."""
    match answer:
        case Placement(character=character, place=place):
            return _(
                "You placed %(character)s %(among)s.",
                character=nouns.direct_object(character),
                among=nouns.among(game.law, place),
            )
        case Move():
            moves = (event for event in game.record if isinstance(event, Moved))
            return _moved(next(e for e in moves if e.decision == decision), game.law)
        case Ballot(card=card):
            sentence = _(
                "%(character)s: you laid %(card)s.",
                character=nouns.subject(asked(game.record, decision).nominee),
                card=nouns.card_name(card),
            )
            return opening(sentence)
        case _:
            assert_never(answer)


def _moved(event: Moved, law: Edition) -> str:
    who = nouns.direct_object(event.character)
    if event.to == THRONE:
        return _("You put %(character)s up for king and took the crown.", character=who)
    way = labels.way(law, event.origin, event.to)
    return _("You moved %(character)s %(way)s.", character=who, way=way)


# The link may have been forwarded, so it gets what the record says and no ballot.
def by_record(game: PageModel, seat: int, decision: int) -> str:
    """What the record says of a seat's answer, which may have been the clock's.

    For whoever holds the link of that seat. Of a ballot it tells no more than that one
    is laid; of what the clock did, nothing.
    """
    undone = {each.decision for each in game.record if isinstance(each, TakenBack)}
    for event in game.record:
        match event:
            case (
                Placed(
                    decision=number, seat=mine, by=ActedBy.SEAT, character=who, place=to
                )
                | Moved(
                    decision=number, seat=mine, by=ActedBy.SEAT, character=who, to=to
                )
            ) if (number, mine) == (decision, seat):
                if decision in undone:
                    return _("You took that answer back.")
                return _(
                    "You answered: %(character)s, %(place)s.",
                    character=nouns.subject(who),
                    place=nouns.place_name(game.law.place(to), game.law.places),
                )
            case ElectionResolved(decision=number) if number == decision:
                return _("Your card is laid.")
            case _:
                pass
    return ""
