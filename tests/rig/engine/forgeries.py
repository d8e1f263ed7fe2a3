"""Rewritten games: the same seed, table and words; other cards, moves or another end.

Each is lawful in itself, as whoever has the seed can write it.
"""

import random
from collections.abc import Iterator, Mapping
from enum import StrEnum

import msgspec

from engine import fairness, legal
from engine.board import Card, Seat
from engine.commands import (
    Answer,
    Ballot,
    CancelGame,
    CloseTable,
    CreateGame,
    Move,
    Placement,
    Source,
    StartGame,
    TakeBack,
)
from engine.events import (
    BallotCast,
    ElectionResolved,
    GameCreated,
    Moved,
    Placed,
    TableClosed,
    TakenBack,
)
from engine.state import Decision, Kind
from engine.verify import BallotReceipt
from tests.rig.engine import random_games
from tests.rig.engine.tables import Table


class End(StrEnum):
    """What a record goes to."""

    FINISHED = "finished"
    CANCELLED = "cancelled"
    RUNNING = "running"


class Plan(msgspec.Struct, frozen=True):
    """How a game is rewritten.

    `changed` is whether an answer is another one, or the record only ends elsewhere;
    `faithful` whether everybody goes on as in truth wherever that is still allowed.
    """

    end: End
    changed: bool
    faithful: bool


PLANS = (
    Plan(End.FINISHED, changed=True, faithful=True),
    Plan(End.FINISHED, changed=True, faithful=False),
    Plan(End.CANCELLED, changed=True, faithful=True),
    Plan(End.RUNNING, changed=True, faithful=False),
    Plan(End.CANCELLED, changed=False, faithful=True),
    Plan(End.RUNNING, changed=False, faithful=True),
)


class Given(msgspec.Struct, frozen=True):
    """An answer of the true game, perhaps one that was taken back."""

    decision: int
    seat: Seat
    answer: Answer
    source: Source
    taken_back: bool = False


class Game(msgspec.Struct, frozen=True):
    """A game with the election that its record leaves open, if there is one."""

    table: Table
    open: Decision | None


_SOURCES = {"seat": Source.PERSON, "bot": Source.BOT, "clock": Source.CLOCK}


def answers(table: Table) -> Iterator[Given]:
    """All answers of a game, in their order."""
    undone = {e.decision for e in table.log if isinstance(e, TakenBack)}
    for event in table.log:
        match event:
            case Placed(decision=decision, seat=seat):
                answer: Answer = Placement(event.character, event.place)
                source = _SOURCES[event.by]
                yield Given(decision, seat, answer, source, decision in undone)
            case Moved(decision=decision, seat=seat):
                answer, source = Move(event.character), _SOURCES[event.by]
                yield Given(decision, seat, answer, source, decision in undone)
            case BallotCast(decision=decision, seat=seat, card=card, source=source):
                yield Given(decision, seat, Ballot(card), source)
            case _:
                pass


def receipts(table: Table) -> dict[BallotReceipt, Card]:
    """What the people of a game got for their ballots, each with its card."""
    key, found = table.sealed.key, dict[BallotReceipt, Card]()
    for given in answers(table):
        if isinstance(given.answer, Ballot) and given.source is Source.PERSON:
            about = given.decision, given.seat, given.answer.card
            bound = fairness.ballot(table.game.id, key, *about).hex()
            found[BallotReceipt(given.decision, given.seat, bound)] = given.answer.card
    return found


def ended(table: Table, end: End) -> Game:
    """The game with this end; a running one is left as it is."""
    asked = table.game.decision
    is_open = asked is not None and asked.kind is Kind.ELECTION
    if end is End.CANCELLED:
        table.do(CancelGame(table.seed))
    return Game(table, asked if is_open else None)


def gone(true: Table, forged: Game) -> set[BallotReceipt]:
    """The receipts whose ballots are not in a rewritten game, nor in its open end."""
    bound = {
        (event.decision, seat): ballot
        for event in forged.table.log
        if isinstance(event, ElectionResolved)
        for seat, ballot in enumerate(event.ballots)
    }
    left_open = None if forged.open is None else forged.open.number
    return {
        receipt
        for receipt in receipts(true)
        for found in (bound.get((receipt.decision, receipt.seat)),)
        if found != receipt.commitment
        and (found is not None or receipt.decision != left_open)
    }


def forged(true: Table, plan: Plan, rng: random.Random) -> Game:
    """The game rewritten by that plan, so that a ballot somebody has laid is gone."""
    while True:
        game = _forged(true, plan, rng)
        if gone(true, game):
            return game


def _forged(true: Table, plan: Plan, rng: random.Random) -> Game:
    table, script = _reopened(true), list(answers(true))
    at = rng.randrange(len(script))
    for given in script[:at]:
        _copy(table, given)
    if plan.changed:
        changed = next((g for g in script[at:] if _change(table, g, rng)), None)
        if changed is None:
            return ended(table, plan.end)
    left = -1 if plan.end is End.FINISHED else rng.randrange(len(script))
    known = {(g.decision, g.seat): g.answer for g in script} if plan.faithful else {}
    while plan.changed and table.game.running and left != 0:
        _go_on(table, known, rng)
        left -= 1
    # What has come to its end by itself is a finished game after all.
    return ended(table, plan.end if table.game.running else End.FINISHED)


def _reopened(true: Table) -> Table:
    """The same table at its first decision."""
    created, closed = true.log[:2]
    assert isinstance(created, GameCreated)
    assert isinstance(closed, TableClosed)
    table = Table(true.game.id, true.seed)
    words = tuple(bytes.fromhex(word) for word in closed.words)
    table.do(CreateGame(true.seed, words[0]))
    table.do(CloseTable(closed.edition, closed.options, closed.seats, words))
    table.do(StartGame(table.sealed))
    return table


def _copy(table: Table, given: Given) -> None:
    table.answer(given.answer, given.seat, given.source)
    if given.taken_back:
        table.do(TakeBack(given.decision, given.seat))
    if table.game.election_complete:
        table.resolve()


def _change(table: Table, given: Given, rng: random.Random) -> bool:
    """Give another answer than the true one; where there is none, the same."""
    others = [a for a in legal.answers(table.game, given.seat) if a != given.answer]
    if not others:
        _copy(table, given)
        return False
    _lay(table, given.seat, rng.choice(others))
    return True


def _go_on(
    table: Table, answers: Mapping[tuple[int, Seat], Answer], rng: random.Random
) -> None:
    """One answer more, the true one where it is known and allowed."""
    seat = rng.choice(table.game.asked())
    answer = answers.get((table.number, seat))
    if answer in legal.answers(table.game, seat) and answer is not None:
        _lay(table, seat, answer)
    else:
        random_games.step(table, rng)
        if table.game.election_complete:
            table.resolve()


def _lay(table: Table, seat: Seat, answer: Answer) -> None:
    bot = table.game.seats[seat].kind == "bot"
    table.answer(answer, seat, Source.BOT if bot else Source.PERSON)
    if table.game.election_complete:
        table.resolve()
