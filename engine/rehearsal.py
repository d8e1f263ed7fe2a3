"""A whole game in memory, with no service around it: for bots that are tried out."""

import random
from collections.abc import Iterable

import msgspec

from engine import fairness
from engine.board import Seat
from engine.commands import (
    Answer,
    Chair,
    CloseTable,
    Command,
    CreateGame,
    GiveAnswer,
    Options,
    ResolveElection,
    Sealed,
    Source,
    StartGame,
)
from engine.decide import decide
from engine.editions import EDITIONS
from engine.events import store
from engine.evolve import evolve
from engine.state import Game


class Rehearsal(msgspec.Struct, frozen=True):
    """A game so far, its randomness, and how far its record goes: events and head."""

    game: Game
    sealed: Sealed
    record: int
    head: bytes


def begun(
    game_id: str, edition: str, chairs: tuple[Chair, ...], chance: random.Random
) -> Rehearsal:
    """A game at its first decision, by the edition's own default options.

    Raises BadTable when the edition can't be played by so many.
    """
    choices = EDITIONS[edition].choices
    options = Options(
        rounds=choices.rounds[0],
        placement=choices.placement[0],
        ballot_history=choices.ballot_history[0],
        first=None,
        decision_time=None,
    )
    # The key is drawn like the seed: nobody has to be able to check this game.
    sealed = Sealed(chance.randbytes(32), chance.randbytes(32))
    empty = Rehearsal(Game(id=game_id), sealed, 0, fairness.chain_start(game_id))
    return _after(
        empty,
        (
            CreateGame(sealed.seed, b""),
            CloseTable(edition, options, chairs, (b"",) * len(chairs)),
            StartGame(sealed),
        ),
    )


def answered(so_far: Rehearsal, seat: Seat, answer: Answer) -> Rehearsal:
    """The game after an answer; with the last card in, the election is turned over.

    Raises LookupError when nothing is asked any more, or the answer's Refusal.
    """
    asked = so_far.game.decision
    if asked is None:
        raise LookupError(so_far.game.id)
    command = GiveAnswer(asked.number, seat, answer, Source.BOT)
    after = _after(so_far, (command,))
    if after.game.election_complete:
        return _after(after, (ResolveElection(asked.number, after.sealed),))
    return after


def _after(so_far: Rehearsal, commands: Iterable[Command]) -> Rehearsal:
    game, record, head = so_far.game, so_far.record, so_far.head
    for command in commands:
        for event in decide(game, command):
            game = evolve(game, event)
            public = store(event).public
            if public is not None:
                record += 1
                head = fairness.chain(head, record, public)
    return Rehearsal(game, so_far.sealed, record, head)
