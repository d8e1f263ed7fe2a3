"""Whole games of every temper, watched by the referee at each event."""

import json
import random
from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from engine import events
from engine.board import Seat
from engine.bots import BOTS
from engine.commands import Answer, Ballot, Move
from engine.deck import favourites
from engine.evolve import replay
from engine.state import freeze, thaw
from tests.engine import naive_proof
from tests.engine.referee import LETTERS, Referee
from tests.engine.tables import Table, chance, options, started

Temper = Callable[[Table, Seat, random.Random], Answer]


def whim(table: Table, seat: Seat, rng: random.Random) -> Answer:
    """Any legal answer."""
    return rng.choice(table.legal(seat))


def stubborn(table: Table, seat: Seat, rng: random.Random) -> Answer:
    """Refuses whoever it can, and puts up nobody before it must."""
    legal = table.view(seat).own
    assert legal is not None
    quiet = [entry.answer for entry in legal.legal if not entry.nominates]
    against = [a for a in quiet if isinstance(a, Ballot) and a.card != "yes"]
    return rng.choice(against or quiet or [e.answer for e in legal.legal])


def hasty(table: Table, seat: Seat, rng: random.Random) -> Answer:
    """Lifts whoever stands highest, and agrees to every king but a few."""
    legal = table.legal(seat)
    if isinstance(legal[0], Ballot):
        return legal[0] if rng.random() < 0.8 else rng.choice(legal)
    moves = [a for a in legal if isinstance(a, Move)]
    at = table.game.board.at
    return max(moves, key=lambda a: at[a.character], default=rng.choice(legal))


def steady(table: Table, seat: Seat, rng: random.Random) -> Answer:
    """The bot."""
    return BOTS["steady"](table.view(seat), rng)


TEMPERS: tuple[Temper, ...] = (whim, stubborn, hasty, steady)


class Watched(Table):
    """A table whose every event is shown to the referee and compared with the state."""

    def watch(self) -> Referee:
        self.referee = Referee()
        self.seen = 0
        self.catch_up()
        return self.referee

    def catch_up(self) -> None:
        for row in self.rows[self.seen :]:
            self.referee.see(json.loads(row.public or row.secret or b""))
        self.seen = len(self.rows)
        game, referee = self.game, self.referee
        assert dict(game.board.at) == referee.at
        assert sorted([*referee.at, *self.view().unplaced]) == list(LETTERS)
        assert len(game.hands) == len(referee.hands)
        for hand, counted in zip(game.hands, referee.hands, strict=True):
            assert sorted(hand) == sorted(counted.elements())
        if not game.running:
            return
        assert game.crown == referee.crown
        assert game.asked() or game.election_complete
        if game.decision is not None and game.decision.seat is not None:
            assert game.decision.seat == referee.turn


def play(number: int, seats: int) -> Watched:
    """One whole game; its options, tempers and chances hang on its number alone."""
    rng = chance(number)
    chosen = options(
        rounds=rng.choice([3, 3, 1, 2]),
        placement=rng.choice(["choose", "random"]),
        history=rng.choice(["table", "open"]),
        first=rng.choice([None, *range(seats)]),
    )
    begun = started(seats, chosen, rng.randbytes(32))
    table = Watched.__new__(Watched)
    table.__dict__.update(begun.__dict__)
    table.watch()
    tempers = [rng.choice(TEMPERS) for _ in range(seats)]
    while table.game.running:
        _step(table, tempers, rng)
        table.catch_up()
    return table


def _step(table: Watched, tempers: list[Temper], rng: random.Random) -> None:
    if table.game.election_complete:
        table.resolve()
    elif rng.random() < 0.02:
        table.clock()
    else:
        seat = rng.choice(table.game.asked())
        assert table.legal(seat)
        answer = tempers[seat](table, seat, rng)
        if isinstance(answer, Ballot):
            _lay_unseen(table, seat, answer)
        else:
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
    assert replay(game_id, (events.load(game_id, r) for r in table.rows)) == table.game
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
