"""A table in the database whose people answer through the one write path."""

import functools
import itertools
import random
from collections.abc import Callable, Mapping, Sequence
from uuid import UUID

import msgspec
from flask import Flask
from sqlalchemy import Table

from engine import views
from engine.board import Card, Seat
from engine.bots import BOTS
from engine.commands import Answer, Ballot, CancelGame, PlacementOption
from engine.state import Game, Kind
from service.game import handlers, pace, table_acts
from service.models.tables import Base
from service.store import devices, games
from service.store.links import LinkRow
from service.store.people import Profile
from service.store.transactions import transaction
from service.tables import creation, seating
from service.tables.confirmation import TableRequest
from service.tables.refusals import InvitationAnswer
from service.values import entropy
from service.values.principals import Bot, DeviceHolder, Principal, System
from tests.rig.service import kept_tables
from tests.rig.service.queries import run as run

NAMES = ("Rachel", "Simon", "Terry", "Paul", "Thomas", "Britta", "Ralf", "Uwe")


_SEATINGS = """SELECT convert_from(public, 'UTF8')::json->>'seat' FROM event
    WHERE game_id = :g AND type = :t ORDER BY position"""

_tables = itertools.count(1)
_networks = itertools.count(1)


PACE = pace.USUAL - 60
"""Seconds a decision waits for at the tables of tests: no evening has to be in them."""


def address(name: str, tag: str = "") -> str:
    return f"{name.lower()}{tag}@example.org"


def draft(
    seats: int,
    bots: int = 0,
    tag: str = "",
    asking: TableRequest | None = None,
    **wish: object,
) -> UUID:
    """A draft by Rachel, `bots` of its other seats for bots.

    If nothing else is said it is asked for in a network where nothing else was.
    """
    guests = tuple(
        creation.Guest(address(name, tag), name) for name in NAMES[1 : seats - bots]
    )
    wished = (*guests, *(creation.BotSeat(),) * bots)
    table = creation.TableWish(wished, decision_time=PACE, spare=0)
    return creation.draft(
        creation.HostWish(address("Rachel", tag), Profile("Rachel")),
        msgspec.structs.replace(table, **wish),
        asking=asking or TableRequest(f"2001:db8:{next(_networks):x}::1"),
    )


def person_on(game_id: UUID, seat: int) -> UUID:
    """Who sits there, or is asked to."""
    rows = run(
        "SELECT person_id FROM seat WHERE game_id = :g AND number = :s",
        {"g": game_id, "s": seat},
    )
    person: UUID = rows[0][0]
    return person


def link(game_id: UUID, seat: int, purpose: str = "invitation") -> LinkRow:
    """The link that the person on a seat would have been mailed."""
    return LinkRow(purpose, game_id, person_on(game_id, seat), seat, None)


def confirm(game_id: UUID) -> None:
    seating.confirm(link(game_id, 0, "table"), f"2001:db8:{next(_networks):x}::1")


def accept(game_id: UUID, seat: int, name: str = "", word: str = "") -> None:
    profile = Profile(name or NAMES[seat])
    seating.respond(link(game_id, seat), InvitationAnswer.IN, profile, word)


def seats(game_id: UUID) -> list[tuple]:
    return run(
        "SELECT number, name, state FROM seat WHERE game_id = :g ORDER BY number",
        {"g": game_id},
    )


def status(game_id: UUID) -> str:
    return str(run("SELECT status FROM game WHERE id = :g", {"g": game_id})[0][0])


def kinds(game_id: UUID) -> list[str]:
    rows = run(
        "SELECT kind FROM notice WHERE game_id = :g ORDER BY kind", {"g": game_id}
    )
    return [str(row[0]) for row in rows]


def decline(
    game_id: UUID,
    seat: int,
    choice: InvitationAnswer = InvitationAnswer.NO,
) -> None:
    seating.respond(link(game_id, seat), choice, Profile(""), "")


def started(seats: int, bots: int = 0, **wish: object) -> "Seated":
    """A running game; its first seats are people, its last ones bots.

    Everybody's address is new, so that no cap ends a test.
    """
    name = f"{seats} {bots} {sorted(wish.items())}"
    start = functools.partial(_start, seats, bots, wish)
    return Seated(kept_tables.started(name, start))


def _start(seats: int, bots: int, wish: Mapping[str, object]) -> UUID:
    game_id = draft(seats, bots, f"+{next(_tables)}", **wish)
    confirm(game_id)
    for seat in range(1, seats - bots):
        accept(game_id, seat)
    return game_id


def in_election(seats: int) -> "Seated":
    """A running game whose first election has just been opened."""
    table = started(seats, placement=PlacementOption.RANDOM, rounds=1)
    table.nominate()
    return table


class Seated:
    """A running game, and the proof of each person that sits there."""

    def __init__(self, game_id: UUID) -> None:
        self.id = game_id
        self.principals: Mapping[int, Principal] = self._principals()

    def _principals(self) -> dict[int, Principal]:
        seats = run(
            "SELECT number, person_id FROM seat WHERE game_id = :g", {"g": self.id}
        )
        proofs: dict[int, Principal] = {}
        with transaction():
            for number, person in seats:
                if person is None:
                    proofs[number] = Bot(number)
                else:
                    token = devices.remember(self.id, person, number)
                    proofs[number] = DeviceHolder(entropy.digest(token))
        return proofs

    def holder(self, seat: int) -> DeviceHolder:
        """The proof of a person's seat."""
        proof = self.principals[seat]
        assert isinstance(proof, DeviceHolder)
        return proof

    @property
    def game(self) -> Game:
        """The state as the service reads it."""
        seen = games.read(self.id, System())
        assert seen is not None
        return seen.game

    @property
    def decision(self) -> int:
        return _open(self.game)

    def answer(self, seat: int, answer: Answer, decision: int | None = None) -> bytes:
        """Answer the open decision, or another one, for a seat; its receipt."""
        number = self.decision if decision is None else decision
        return handlers.answer(self.id, self.principals[seat], number, answer)

    def lay(self, cards: Sequence[Card]) -> None:
        """Everybody lays their card, in seat order; not resolved yet."""
        decision = self.decision
        for seat, card in enumerate(cards):
            self.answer(seat, Ballot(card), decision)

    def resolve(self) -> None:
        handlers.resolve(self.id, self.decision)

    def end_pauses(self) -> None:
        """End the pauses whose time is over, as the sweep does."""
        table_acts.end_pauses(self.id)

    def nominate(self) -> None:
        """Raise whoever stands highest until an election is open."""
        while (game := self.game).decision is not None:
            if game.decision.kind is Kind.ELECTION:
                return
            seat = game.asked()[0]
            legal = own(game, seat).legal
            best = max(legal, key=lambda each: (each.nominates, _floor(game, each)))
            self.answer(seat, best.answer, game.decision.number)

    def step(self, chance: random.Random) -> None:
        """One answer of whoever is asked first, or the election's end."""
        self._step(self.game, chance)

    def _step(self, game: Game, chance: random.Random) -> None:
        if game.election_complete:
            handlers.resolve(self.id, _open(game))
            return
        seat = game.asked()[0]
        answer = BOTS["steady"](views.view(game, seat), chance)
        # A bot may have come to keep a person's seat.
        principal = Bot(seat) if game.has_bot(seat) else self.principals[seat]
        handlers.answer(self.id, principal, _open(game), answer)

    def play_round(self) -> None:
        """Play until the next round has begun, or the game is over."""
        number = self.game.round
        self._play(7, lambda game: game.round == number)

    def play_until(self, seat: int) -> None:
        """Play until a seat is asked for a placement or move of its own."""
        self._play(
            3,
            lambda game: (
                game.election_complete
                or (game.decision is not None and game.decision.seat != seat)
            ),
        )

    def finish(self) -> None:
        """Play to the end."""
        self._play(7, lambda game: True)

    def _play(self, seed: int, goes_on: Callable[[Game], bool]) -> None:
        """Play while the game runs and goes on; it is read once for each answer."""
        chance = random.Random(seed)
        while (game := self.game).running and goes_on(game):
            self._step(game, chance)


def _open(game: Game) -> int:
    """The number of the decision that is open."""
    assert game.decision is not None
    return game.decision.number


def own(game: Game, seat: int) -> views.Own:
    mine = views.view(game, Seat(seat)).own
    assert mine is not None
    return mine


def seatings(table: Seated, kind: str = "bot_seated") -> list[int]:
    """The seats that have changed hands so, in the order of the record."""
    return [int(seat) for (seat,) in run(_SEATINGS, {"g": table.id, "t": kind})]


def _floor(game: Game, legal: views.Legal) -> str:
    at = game.board.at
    return str(at.get(getattr(legal.answer, "character", ""), "0"))


def everything(app: Flask) -> dict[str, list[tuple]]:
    """Every row of every table, to compare before and after.

    But not when a token was used last: that is noted some time after any use.
    """
    with app.app_context():
        return {
            name: sorted(run(f'SELECT {_columns(table)} FROM "{name}"'), key=repr)
            for name, table in Base.metadata.tables.items()
        }


def _columns(table: Table) -> str:
    names = [f'"{column.name}"' for column in table.columns]
    return ", ".join(name for name in names if name != '"last_used_at"')


def cancel(game_id: UUID, principal: Principal) -> None:
    """End a running game, which so far nobody can do but a test."""
    handlers.handle(
        game_id, principal, lambda work: work.run(CancelGame(work.locked.seed))
    )
