"""Standing answers: laid and dropped by their seat, and given when it is asked."""

from collections.abc import Collection, Iterator
from uuid import UUID

import msgspec

from engine.board import Card, PlaceKey, Seat
from engine.commands import Answer, Ballot, GiveAnswer, Move, Placement, Source
from engine.editions.base import Edition
from engine.errors import GameNotRunning, SeatKept
from engine.state import Game, Kind
from service.game import handlers
from service.game.unit_of_work import UnitOfWork
from service.store import games, standing_answers
from service.store.transactions import transaction
from service.values.errors import Invalid
from service.values.principals import Bearer, DeviceHolder, System
from service.values.wishes import NOTHING, WishedElection, Wishes


class StandingChoice(msgspec.Struct, frozen=True):
    """What a standing answer comes to; `wished` is a card that isn't held."""

    answer: Answer
    wished: Card | None = None


def placeable(law: Edition) -> tuple[tuple[str, PlaceKey], ...]:
    """Whoever can be placed in a round, with each floor; the same for every seat."""
    return law.placements(law.opening_board())


def destinations(law: Edition) -> tuple[PlaceKey, ...]:
    """The places that a move can lead to, the highest first."""
    leads = {way for ways in law.ways.values() for way in ways}
    return tuple(place.key for place in law.places if place.key in leads)


def flaws(law: Edition, wishes: Wishes) -> Iterator[Invalid]:
    """What an edition doesn't know of what is wished, whatever anybody holds."""
    known = placeable(law)
    placed, floors = ({each[part] for each in known} for part in (0, 1))
    for number, wish in enumerate(wishes.placements):
        at = ("placements", str(number))
        yield from _one_of(placed, wish.character, *at, "character")
        yield from _one_of(floors, wish.place, *at, "place")
    if wishes.move is not None:
        yield from _one_of(law.characters, wishes.move.character, "move", "character")
        yield from _one_of(destinations(law), wishes.move.to, "move", "to")
    if wishes.election is not None:
        yield from _flaws_of_election(law, wishes.election)


def _flaws_of_election(law: Edition, election: WishedElection) -> Iterator[Invalid]:
    for number, wish in enumerate(election.nominees):
        at = ("election", "nominees", str(number))
        yield from _one_of(law.characters, wish.nominee, *at, "nominee")
        yield from _one_of(law.cards, wish.card, *at, "card")


def _one_of(known: Collection[str], value: str, *path: str) -> Iterator[Invalid]:
    if value not in known:
        choices = tuple(sorted(str(each) for each in known))
        yield Invalid(path, reason="one-of", choices=choices)


def lay(game_id: UUID, principal: Bearer | DeviceHolder, wishes: Wishes) -> None:
    """Let these be the standing answers of the principal's seat, and no others.

    They hold from the next question on, and until the round ends; one that waits for
    its moment already comes to what is laid by then. Raises NotAtTable, GameNotRunning,
    SeatKept or UnreadableLog.
    """
    with transaction():
        locked = games.lock(game_id, principal, None)
        if locked is None or locked.seat is None:
            raise handlers.NotAtTable(game_id)
        person_id = locked.people[locked.seat]
        if not locked.game.running or person_id is None:
            raise GameNotRunning(locked.game.phase)
        if locked.has_bot:
            raise SeatKept(locked.seat)
        standing_answers.keep(
            game_id, locked.seat, person_id, locked.game.round, wishes
        )


def drop(game_id: UUID, principal: Bearer | DeviceHolder) -> None:
    """Have nothing answered ahead any more. Raises what `lay` raises."""
    lay(game_id, principal, NOTHING)


def give(game_id: UUID, decision: int, seat: int) -> None:
    """Give a seat's standing answer to a decision, if it is asked and has one for it.

    It is read at this moment. Where none is possible the question stays open. Raises
    NotAtTable when there is no such game, or UnreadableLog.
    """

    def act(work: UnitOfWork) -> None:
        asked = work.game.decision
        if asked is None or asked.number != decision or work.game.has_bot(Seat(seat)):
            return
        wishes = standing_answers.read(game_id, seat, work.game.round)
        found = choice(work.game, Seat(seat), wishes)
        if found is not None:
            command = GiveAnswer(decision, Seat(seat), found.answer, Source.STANDING)
            work.run(command, found.wished)

    handlers.handle(game_id, System(), act)


def choice(game: Game, seat: Seat, wishes: Wishes) -> StandingChoice | None:
    """What a seat's standing answers come to now; None when there is nothing to give.

    A card that isn't held becomes a Yes, which everybody always holds.
    """
    if game.decision is None or not game.asks(seat):
        return None
    match game.decision.kind:
        case Kind.PLACEMENT:
            return _placement(game, wishes)
        case Kind.MOVE:
            return _move(game, wishes)
        case Kind.ELECTION:
            return _ballot(game, seat, wishes)


def _placement(game: Game, wishes: Wishes) -> StandingChoice | None:
    possible = set(game.law.placements(game.board))
    wanted = ((wish.character, wish.place) for wish in wishes.placements)
    found = next((each for each in wanted if each in possible), None)
    return None if found is None else StandingChoice(Placement(*found))


def _move(game: Game, wishes: Wishes) -> StandingChoice | None:
    move = wishes.move
    if move is None or game.destinations.get(move.character) != move.to:
        return None
    return StandingChoice(Move(move.character))


def _ballot(game: Game, seat: Seat, wishes: Wishes) -> StandingChoice | None:
    decision, election = game.decision, wishes.election
    if election is None or decision is None or decision.nominee is None:
        return None
    card = election.card_for(decision.nominee)
    if card in game.hands[seat]:
        return StandingChoice(Ballot(card))
    return StandingChoice(Ballot(Card.YES), card)
