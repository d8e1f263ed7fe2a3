"""Games for measuring: started in the database, with the answers that play them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

import msgspec

from engine import legal
from engine.board import THRONE, Card, Seat
from engine.commands import (
    Answer,
    Ballot,
    GiveAnswer,
    Move,
    ResolveElection,
    Sealed,
    Source,
)
from engine.decide import decide
from engine.evolve import evolve
from engine.state import Game, Kind
from service.auth import bearer
from service.store import games, people, tables
from service.store import tokens as tokenstore
from service.store.people import Profile
from service.store.tables import NewGame, SeatRecord
from service.store.transactions import transaction
from service.tables import creation, seating
from service.values.addresses import Address
from service.values.principals import System

_SEALED = Sealed(seed=bytes(32), key=bytes(32))


@dataclass(frozen=True)
class Step:
    """One request that the service must accept.

    `calm` is a placement, or a move that nominates nobody, unless it comes first after
    an election: where no worker runs, that request resolves the election before its
    own answer.
    """

    path: str
    token: str
    body: bytes
    last_ballot: bool
    calm: bool


def seated_people(count: int, start: int) -> tuple[list[UUID], list[str]]:
    """Verified people and a token for each."""
    ids, tokens = [], []
    with transaction():
        for number in range(start, start + count):
            address = f"player{number}@example.org"
            person = people.known_or_new(Address(address, address), Profile("Rachel"))
            ids.append(person.id)
            tokens.append(tokenstore.issue(person.id, "bench", bearer.SCOPES).token)
    return ids, tokens


def started_game(persons: list[UUID]) -> UUID:
    """A three-round classic game of these people, begun."""
    wish = creation.TableWish(seats=(creation.BotSeat(),) * (len(persons) - 1))
    with transaction():
        new = NewGame(
            host_id=persons[0],
            status="inviting",
            edition=wish.edition,
            options=msgspec.json.encode(creation.options_of(wish)),
            visibility="link",
            practice=False,
        )
        game_id = tables.add_game(new)
        for number, person in enumerate(persons):
            name = f"Player {number}"
            tables.put_seat(game_id, SeatRecord(number, person, None, name, "joined"))
        seating.start_if_full(game_id)
    return game_id


def steps(game_id: UUID, tokens: list[str]) -> Iterator[Step]:
    """The requests that play a started game to its end.

    The highest character climbs first, and somebody refuses as long as anybody can, so
    that a game grows long and its kinds of answers are mixed.
    """
    with transaction():
        seen = games.read(game_id, System())
    assert seen is not None
    game = seen.game
    unresolved = False
    while game.running:
        decision = game.decision
        assert decision is not None
        number = decision.number
        if game.election_complete:
            game = _apply(game, ResolveElection(number, _SEALED))
            continue
        seat = game.asked()[0]
        answer = _choose(game, seat)
        election = decision.kind is Kind.ELECTION
        path = f"/v1/games/{game_id}/decisions/{number}/answer"
        body = json.dumps(msgspec.to_builtins(answer)).encode()
        last = election and len(game.asked()) == 1
        calm = not (election or unresolved or _nominates(game, answer))
        unresolved = last
        yield Step(path, tokens[seat], body, last_ballot=last, calm=calm)
        game = _apply(game, GiveAnswer(number, seat, answer, Source.PERSON))


def _nominates(game: Game, answer: Answer) -> bool:
    if not isinstance(answer, Move):
        return False
    return game.law.destinations(game.board)[answer.character] == THRONE


def _choose(game: Game, seat: Seat) -> Answer:
    choices = legal.answers(game, seat)
    if isinstance(choices[0], Ballot):
        holders = [s for s, hand in enumerate(game.hands) if Card.NO in hand]
        return Ballot(Card.NO if seat in holders[:1] else Card.YES)
    moves = [choice for choice in choices if isinstance(choice, Move)]
    if moves:
        return max(moves, key=lambda move: game.board.at[move.character])
    return choices[0]


def _apply(game: Game, command: GiveAnswer | ResolveElection) -> Game:
    for event in decide(game, command):
        game = evolve(game, event)
    return game
