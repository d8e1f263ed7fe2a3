"""Whole games by chance: both editions, every number of seats, every option."""

import random
from uuid import UUID

from engine import legal, taking_back
from engine.board import Card, Seat
from engine.bots import BOTS
from engine.commands import (
    Answer,
    Ballot,
    CancelGame,
    Chair,
    CloseTable,
    CreateGame,
    Options,
    Source,
    StartGame,
    TakeBack,
)
from engine.editions import EDITIONS
from engine.editions.base import Edition
from engine.errors import BadTable
from tests.rig.engine.tables import Table, chance, options

REGRETS = 0.08
"""How often the latest act is taken back, where it can be."""

TABLES = [(law, seats) for law in EDITIONS.values() for seats in law.seats]


def game(number: int) -> Table:
    """A game that is over; all of it hangs on its number alone.

    Numbers that follow each other go through the editions and their seats; one game in
    eight is called off.
    """
    law, seats = TABLES[number % len(TABLES)]
    rng = chance(number)
    table = begun(law, seats, rng)
    regrets = chance(number + 1_000_000)
    ends = rng.randrange(60) if rng.random() < 1 / 8 else -1
    while table.game.running and ends != 0:
        step(table, rng)
        if regrets.random() < REGRETS:
            take_back(table)
        ends -= 1
    if table.game.running:
        table.do(CancelGame(table.seed))
    return table


def begun(law: Edition, seats: int, rng: random.Random) -> Table:
    """A table of people and bots at its first decision."""
    table = Table(str(UUID(int=rng.getrandbits(128), version=4)), rng.randbytes(32))
    words = [rng.choice((b"", rng.randbytes(32))) for _ in range(seats)]
    chairs = tuple(
        Chair("bot", rng.choice(sorted(BOTS)))
        if rng.random() < 0.3
        else Chair("person")
        for _ in range(seats - 1)
    )
    seated = (Chair("person"), *chairs)
    # Bots have no word: whoever runs the service could choose the deal by theirs.
    given = tuple(
        word if chair.kind == "person" else b""
        for chair, word in zip(seated, words, strict=True)
    )
    table.do(CreateGame(table.seed, given[0]))
    table.do(CloseTable(law.id, _options(law, seats, rng), seated, given))
    table.do(StartGame(table.sealed))
    return table


def _options(law: Edition, seats: int, rng: random.Random) -> Options:
    """Options that this edition can be played with by so many."""
    while True:
        chosen = options(
            rounds=rng.choice(law.choices.rounds),
            placement=rng.choice(law.choices.placement),
            history=rng.choice(law.choices.ballot_history),
            first=rng.choice([None, *range(seats)]),
            decision_time=rng.choice([None, 3600, 86400]),
            **rng.choice(
                [
                    {},
                    {"spare": 6, "take_back": True},
                    {"daily_at": "20:00", "zone": "UTC", "take_back": True},
                ]
            ),
        )
        try:
            law.check_table(
                seats, chosen.rounds, chosen.placement, chosen.ballot_history
            )
        except BadTable:
            continue
        return chosen


def step(table: Table, rng: random.Random) -> None:
    """One answer of whoever is asked, of the clock, or an election's end."""
    if table.game.election_complete:
        table.resolve()
    elif rng.random() < 0.03:
        table.clock()
    else:
        seat = rng.choice(table.game.asked())
        chair = table.game.seats[seat]
        source = Source.BOT if chair.kind == "bot" else Source.PERSON
        table.answer(_answer(table, seat, rng), seat, source)


def take_back(table: Table) -> None:
    """Undo the latest act, if its seat may."""
    act = table.game.latest
    if act is not None and taking_back.reversible(table.game, act.seat) is not None:
        table.do(TakeBack(act.decision, act.seat))


def _answer(table: Table, seat: Seat, rng: random.Random) -> Answer:
    """Any legal answer; kings are refused often enough, but not for ever."""
    choices = legal.answers(table.game, seat)
    yes = Ballot(Card.YES)
    return yes if yes in choices and rng.random() < 0.7 else rng.choice(choices)
