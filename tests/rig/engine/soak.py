"""Whole games of every temper, watched by the referee at each event."""

import json
import random
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from engine import legal, replay_codec
from engine.board import Seat
from engine.commands import Answer, Ballot, Command, CreateGame, Sealed, StartGame
from engine.deck import favourites
from engine.events import LogEvent
from engine.evolve import evolve, replay
from engine.state import freeze, thaw
from tests.rig.engine import loading, naive_proof
from tests.rig.engine.naive_rules import BOOKS
from tests.rig.engine.referee import Referee
from tests.rig.engine.tables import Table, chance, closing, options
from tests.rig.engine.tempers import Temper, company, steady, whim

__all__ = ["check_proof", "check_record", "play", "play_fast", "whim"]

Laying = Callable[["Watched", Seat, Ballot], None]


class Watched(Table):
    """A table whose every event is shown to the referee and compared with the state."""

    def __init__(self, seed: bytes) -> None:
        super().__init__(seed=seed)
        self.referee = Referee()

    def do(self, command: Command) -> tuple[LogEvent, ...]:
        happened = super().do(command)
        self.compare_question()
        return happened

    def _keep(self, event: LogEvent) -> None:
        super()._keep(event)
        row = self.rows[-1]
        parts = [json.loads(part) for part in (row.public, row.secret) if part]
        self.referee.see({k: v for part in parts for k, v in part.items()})
        self.compare_pieces()
        if self.game.round:
            view = self.view()
            shown = [c for place in view.places for c in place.characters]
            assert sorted([*shown, *view.unplaced]) == sorted(self.game.law.characters)

    def clock(self) -> tuple[LogEvent, ...]:
        """Let the deadline pass; the answer is what the game's key draws."""
        number, asked = self.number, self.referee.asked()
        single = self.referee.election is None
        choices = self.referee.legal(asked[0]) if single else []

        happened = super().clock()

        if single:
            draws = naive_proof.Draws(self.sealed.key, f"clock/{number}")
            drawn = choices[draws.below(len(choices))]
            (event,) = plain(happened)
            assert event["by"] == "clock"
            assert {**event, **drawn} == {**event, "kind": drawn["kind"]}
        return happened

    def compare_pieces(self) -> None:
        """Every character and card is where the referee's own reckoning has it."""
        game, referee = self.game, self.referee
        assert game.board.at == referee.at
        assert game.crown == referee.crown
        assert game.totals in ((), tuple(referee.totals))
        for seat, hand in enumerate(game.hands):
            laid = [referee.laid[seat]] if seat in referee.laid else []
            assert sorted(hand) == sorted([*referee.held[seat], *laid])
        assert game.ballots in ((), tuple(map(referee.laid.get, range(referee.n))))

    def compare_question(self) -> None:
        """Both wait for the same seats, and know the same answers for each."""
        game, referee = self.game, self.referee
        if not game.running:
            return
        assert game.asked() == tuple(referee.asked())
        for seat in range(len(game.seats)):
            assert game.card_of(Seat(seat), game.round) == referee.dealt[seat]
        for asked in game.asked():
            allowed = legal.answers(game, asked)
            assert allowed, "nobody is ever stuck"
            assert plain(allowed) == referee.legal(asked)


class Fast(Watched):
    """The same without the stored bytes: decide and evolve, watched."""

    def _keep(self, event: LogEvent) -> None:
        self.game = evolve(self.game, event)
        self.referee.see(msgspec.to_builtins(event))
        self.compare_pieces()

    @property
    def sealed(self) -> Sealed:
        return Sealed(self.seed, self.seed)

    def legal(self, seat: Seat) -> tuple[Answer, ...]:
        return legal.answers(self.game, seat)


def plain(structs: Sequence[msgspec.Struct]) -> list[dict[str, Any]]:
    """Answers or events as JSON has them."""
    return [msgspec.to_builtins(struct) for struct in structs]


def _begin(table: Watched, number: int, edition: str, seats: int) -> random.Random:
    """Open a game whose options and chances hang on its number alone."""
    rng = chance(number)
    placements = ["choose", "choose", "random"]
    if edition == "jester" and seats in (7, 8):
        placements.append("compensated")
    chosen = options(
        rounds=rng.choice([3, 3, 1, 2]),
        placement=rng.choice(placements),
        history=rng.choice(["table", "open"]),
        first=rng.choice([None, *range(seats)]),
    )
    table.do(CreateGame(table.seed, b""))
    table.do(closing(seats, chosen, edition))
    table.do(StartGame(table.sealed))
    return rng


def play(number: int, seats: int, edition: str = "classic") -> Watched:
    """One whole game, its bytes and views watched too."""
    table = Watched(chance(-1 - number).randbytes(32))
    rng = _begin(table, number, edition, seats)
    tempers = company(seats, edition == "jester", rng)
    tempers = [steady if rng.random() < 0.2 else temper for temper in tempers]
    while table.game.running:
        _step(table, tempers, rng, _lay_unseen)
    return table


def play_fast(number: int, seats: int, edition: str) -> Fast:
    """One whole game of decide and evolve alone."""
    table = Fast(chance(-1 - number).randbytes(32))
    rng = _begin(table, number, edition, seats)
    tempers = company(seats, edition == "jester", rng)
    while table.game.running:
        _step(table, tempers, rng, _lay)
    return table


def _step(
    table: Watched, tempers: list[Temper], rng: random.Random, lay: Laying
) -> None:
    if table.game.election_complete:
        table.resolve()
    elif rng.random() < 0.005:
        table.clock()
    else:
        seat = rng.choice(table.game.asked())
        answer = tempers[seat](table, seat, rng)
        if isinstance(answer, Ballot):
            lay(table, seat, answer)
        else:
            table.answer(answer, seat)


def _lay(table: Watched, seat: Seat, answer: Ballot) -> None:
    table.answer(answer, seat)


def _lay_unseen(table: Watched, seat: Seat, answer: Ballot) -> None:
    """Lay a card, and see that nobody else's view changes by a byte."""
    seats = range(len(table.game.seats))
    others = [None, *(Seat(s) for s in seats if s != seat)]
    before = [msgspec.json.encode(table.view(viewer)) for viewer in others]
    public = table.view()
    record = len(table.heads)

    table.answer(answer, seat)

    assert [msgspec.json.encode(table.view(viewer)) for viewer in others] == before
    assert replace(table.view(seat), own=None) == public
    assert len(table.heads) == record


def check_record(table: Table) -> None:
    """Every stored byte is sorted ASCII JSON of whole numbers; all of it replays."""
    for stored in table.record:
        plain = json.loads(stored, parse_float=_refuse, parse_constant=_refuse)
        again = json.dumps(plain, sort_keys=True, separators=(",", ":"))
        assert again.encode("ascii") == stored
    game_id = table.game.id
    assert replay(game_id, (loading.load(game_id, r) for r in table.rows)) == table.game
    assert replay(game_id, replay_codec.read(game_id, table.rows)) == table.game
    assert thaw(game_id, freeze(table.game)) == table.game


def _refuse(text: str) -> None:
    raise AssertionError(text)


def check_proof(table: Table) -> None:
    """What the seed opens at the end is what was bound, dealt and laid."""
    record = [json.loads(stored) for stored in table.record]
    game_id, n = table.game.id, len(table.game.seats)
    heads = naive_proof.heads(game_id, table.record)
    assert heads == table.heads
    closed, start, over = record[1], record[2], record[-1]
    seed = bytes.fromhex(over["seed_opened"])
    assert naive_proof.h("kingup/1/seed", game_id, seed).hex() == record[0]["seed"]
    key = naive_proof.key(seed, heads[2], closed["words"])
    deck = naive_proof.Draws(key, "deck").shuffle(26)
    assert start["leaves"] == [
        naive_proof.leaf(game_id, key, index, card) for index, card in enumerate(deck)
    ]
    if closed["options"]["first"] is None:
        assert start["first"] == naive_proof.Draws(key, "first").below(n)
    _check_lots(record, key)
    bound = {e["decision"]: e["ballots"] for e in record if "ballots" in e}
    for scored in (e for e in record if e["type"] == "round_scored"):
        dealt = (scored["round"] - 1) * n
        assert scored["favourites"] == deck[dealt : dealt + n]
        for seat, salt in enumerate(scored["salts"]):
            card = scored["favourites"][seat]
            leaf = naive_proof.h(
                "kingup/1/card", game_id, dealt + seat, card, bytes.fromhex(salt)
            )
            assert leaf.hex() == start["leaves"][dealt + seat]
            assert len(favourites(card)) == 6
        for opened in scored["elections"]:
            number = opened["decision"]
            pairs = zip(opened["cards"], opened["salts"], strict=True)
            assert bound.pop(number) == [
                naive_proof.h(
                    *("kingup/1/ballot", game_id, number, seat, card),
                    bytes.fromhex(salt),
                ).hex()
                for seat, (card, salt) in enumerate(pairs)
            ]
    assert bound == {}


def _check_lots(record: list[dict[str, Any]], key: bytes) -> None:
    """What was placed by lot is what the game's key draws."""
    closed = record[1]
    book, options = BOOKS[closed["edition"]], closed["options"]
    if options["placement"] != "random":
        return
    quota = sum(book.quotas(len(closed["seats"]), "random"))
    for begun in (event for event in record if event["type"] == "round_started"):
        lot = naive_proof.lot(key, begun["round"], quota, book.opening)
        assert begun["placed"] == lot
