"""A bot that lifts its favourites patiently and spends its No cards with care."""

import random
from collections.abc import Sequence

import msgspec

from engine.board import LETTERS, THRONE, Board, Card, Character, Verdict
from engine.bots import judgement
from engine.commands import Answer, Ballot, Move, Placement
from engine.editions.base import Edition
from engine.views import Legal, Own, View

_VETOES_A_REFUSAL = 1.3
"""How many vetoes of others fall in an election whose cards aren't shown."""


class _SteadyTable(msgspec.Struct, frozen=True):
    """What the bot reads from its view, and the law it is played by.

    `against` is the chance that at least one of the others lays a veto.
    """

    law: Edition
    board: Board
    round: int
    rounds: int
    seats: int
    favourites: tuple[Character, ...]
    ladder: tuple[int, ...]
    vetoes: int
    against: float

    def value(self, character: Character) -> int:
        """What the place brings where a character stands."""
        return self.law.place(self.board.at[character]).value

    def lead(self, board: Board) -> float:
        """The points before another player if the round ended with this board."""
        own, all_of_them = self._points(board, self.favourites), self._points(board)
        return own - judgement.RIVALS * all_of_them

    def _points(self, board: Board, of: Sequence[Character] = LETTERS) -> int:
        return self.law.round_points(board, of, self.round, self.rounds)

    def hope(self, board: Board) -> float:
        """The lead to be hoped for when the round goes on from this board."""
        left, lost = self._chances(board, self.favourites)
        all_left, all_lost = self._chances(board, LETTERS)
        own = judgement.hope(self.vetoes, self.against) * left + lost
        if not left:
            own = self._points(board, self.favourites)
        return own - judgement.RIVALS * (judgement.RISE * all_left + all_lost)

    def _chances(
        self, board: Board, characters: Sequence[Character]
    ) -> tuple[int, int]:
        """The most that those in play can still bring, and what the others do bring."""
        places = [self.law.place(board.at[c]) for c in characters]
        lost = [place.value for place in places if place.kind not in judgement.IN_PLAY]
        return sum(self.ladder[: len(places) - len(lost)]), sum(lost)

    def after(self, nominee: Character, verdict: Verdict) -> float:
        """The lead to be hoped for when an election has ended so."""
        crowned = self.board.put(nominee, THRONE)
        place = self.law.aftermath(crowned, nominee, verdict)
        board = crowned.put(nominee, place)
        return self.lead(board) if place == THRONE else self.hope(board)


def answer(view: View, chance: random.Random) -> Answer:
    """One of the view's own legal answers. Raises LookupError when there is none."""
    own = view.own
    if own is None or not own.legal:
        raise LookupError("not asked")
    if isinstance(own.legal[0].answer, Ballot):
        return _vote(view, _read(view, own), own, chance)
    return ranked(view, own, chance)[0].answer


def ranked(view: View, own: Own, chance: random.Random) -> tuple[Legal, ...]:
    """The placements or moves open to the bot, the one it would choose first."""
    table = _read(view, own)
    whims = [judgement.WHIM * chance.random() for _ in own.legal]
    liked = {
        legal.answer: _worth(table, legal) + whim
        for legal, whim in zip(own.legal, whims, strict=True)
    }
    return tuple(sorted(own.legal, key=lambda legal: -liked[legal.answer]))


def _read(view: View, own: Own) -> _SteadyTable:
    return _SteadyTable(
        law=view.law,
        board=view.board,
        round=view.round,
        rounds=view.options.rounds,
        seats=len(view.seats),
        favourites=own.favourites,
        ladder=judgement.ladder(view.law.places, len(LETTERS)),
        vetoes=sum(card is not Card.YES for card in own.hand),
        against=_against(view, own),
    )


def _against(view: View, own: Own) -> float:
    """The chance that at least one of the others lays a veto, hands unknown.

    What they hold is what they began with less what the elections have cost: to be
    read from the cards that are shown, to be guessed from a verdict without cards.
    """
    others = len(view.seats) - 1
    begun = others * sum(card is not Card.YES for card in view.hand)
    cards_of = {showing.election.decision: showing.cards for showing in view.showings}
    spent = 0.0
    for election in view.elections:
        cards = cards_of.get(election.decision)
        if cards is None:
            spent += _VETOES_A_REFUSAL
        else:
            vetoes = [card is not Card.YES for card in cards]
            spent += sum(vetoes) - vetoes[own.seat]
    return judgement.against(begun - spent, begun, others)


def _worth(table: _SteadyTable, legal: Legal) -> float:
    """What a placement or a move is worth, in points or thereabouts."""
    match legal.answer:
        case Placement(character=character, place=key):
            height = table.law.place(key).value
            return height if character in table.favourites else 3.5 - height
        case Move(character=character) if legal.nominates:
            return _nomination(table, character)
        case Move(character=character):
            return _lift(table, character)
        case Ballot():
            return 0.0


def _lift(table: _SteadyTable, character: Character) -> float:
    """What it is worth to move a character that doesn't reach the throne."""
    to = table.law.place(table.law.destinations(table.board)[character]).value
    gain = to - table.value(character)
    favourite = character in table.favourites
    return judgement.lift(gain, to >= table.ladder[1], favourite)


def _nomination(table: _SteadyTable, nominee: Character) -> float:
    """What putting up a king promises over going on, hands elsewhere unknown."""
    crowned = table.after(nominee, Verdict.CROWNED)
    refused = table.after(nominee, Verdict.REFUSED)
    now = crowned + table.against * (refused - crowned)
    promise = now - table.hope(table.board)
    if nominee in table.favourites or not table.vetoes:
        return promise
    # With a veto in hand the worst is that it has to be spent.
    return max(promise, -judgement.price(table.vetoes))


def _vote(view: View, table: _SteadyTable, own: Own, chance: random.Random) -> Answer:
    """Yes to a good king; a veto when going on promises more than the card is worth."""
    nominee = None if view.decision is None else view.decision.nominee
    if nominee is None:
        raise LookupError("no election")
    crowned = table.after(nominee, Verdict.CROWNED)
    whim = judgement.WHIM * (chance.random() - 0.5)
    best, choice = 0.0, own.legal[0].answer
    # Every card is weighed, even one that isn't held: time tells no hand.
    for card in table.law.cards:
        # What the card does when all others agree: only then does it decide.
        verdict = table.law.verdict((card, *(Card.YES,) * (table.seats - 1)))
        if verdict is Verdict.CROWNED:
            continue
        price = judgement.price(table.vetoes)
        price += judgement.CANCELLING * (verdict is Verdict.CANCELLED)
        saved = table.after(nominee, verdict) - crowned + whim
        gain = saved * (1 - table.against) - price
        if card in own.hand and gain > best:
            best, choice = gain, Ballot(card)
    return choice
