"""What the engine decides without the key: what only the key gives is as recorded."""

from collections.abc import Sequence

from msgspec.structs import replace

from engine.board import PLACEMENT_FLOORS, SERVANTS, Board, Card, Character, PlaceKey
from engine.deck import CardNumber
from engine.events import (
    ElectionResolved,
    LogEvent,
    Record,
    RoundScored,
    RoundStarted,
    Started,
    StartedRecord,
)
from engine.state import Game
from engine.verify.report import Wrong


def known(
    game: Game,
    deck: tuple[CardNumber, ...],
    number: int,
    event: LogEvent,
    recorded: Record,
) -> LogEvent:
    """The decided event, with all that follows from the key as it is recorded.

    `deck` is as far as it is open. Raises Wrong for what can't have been drawn.
    """
    match event, recorded:
        case Started() as started, StartedRecord() as found:
            first = started.first
            if game.table.first is None:
                first = found.first
                if first not in range(len(game.seats)):
                    raise Wrong("wrong-first", number, expected="a seat", found=first)
            return Started(first=first, leaves=found.leaves, deck=deck)
        case RoundStarted() as begun, RoundStarted() as found:
            first = game.first if begun.round == 1 else begun.first
            if begun.placed:
                _check_lot(game, number, found.placed)
            placed = found.placed if begun.placed else ()
            return replace(begun, first=first, placed=placed)
        case ElectionResolved() as resolved, ElectionResolved() as found:
            salts = None if resolved.salts is None else found.salts
            return replace(resolved, ballots=found.ballots, salts=salts)
        case RoundScored() as scored, RoundScored() as found:
            return _opened(scored, found)
        case _:
            return event


def _opened(scored: RoundScored, found: RoundScored) -> RoundScored:
    """With the recorded salts, which the leaves and ballots have proved by now."""
    salts = {each.decision: each.salts for each in found.elections}
    elections = tuple(
        replace(each, salts=salts.get(each.decision, each.salts))
        for each in scored.elections
    )
    return replace(scored, salts=found.salts, elections=elections)


def _check_lot(
    game: Game, number: int, placed: Sequence[tuple[Character, PlaceKey]]
) -> None:
    """A draw that could be: everybody once, on floors that had room."""
    opening, quota = game.law.opening_board(), sum(game.quotas)
    at_home = list(opening.at.items())
    drawn = placed[: len(placed) - len(at_home)]
    expected = sorted(c for c in game.law.characters if c not in opening.at)
    behind = [place for _, place in drawn[quota:]]
    who = sorted(character for character, _ in drawn)
    if who != expected or list(placed[len(drawn) :]) != at_home:
        raise _wrong_lot(number, "everybody once", placed)
    if behind != [SERVANTS] * len(behind):
        raise _wrong_lot(number, "the rest on 0", drawn[quota:])
    _check_room(game, number, opening, drawn[:quota])


def _check_room(
    game: Game,
    number: int,
    board: Board,
    drawn: Sequence[tuple[Character, PlaceKey]],
) -> None:
    for character, place in drawn:
        if place not in PLACEMENT_FLOORS or place in game.law.full(board):
            raise _wrong_lot(number, "a floor with room", ((character, place),))
        board = board.put(character, place)


def _wrong_lot(
    number: int, expected: str, found: Sequence[tuple[Character, PlaceKey]]
) -> Wrong:
    drawn = " ".join(character + place for character, place in found)
    return Wrong("wrong-lot", number, expected=expected, found=drawn)


def cards_for(game: Game, number: int, resolved: ElectionResolved) -> tuple[Card, ...]:
    """Cards that would end an election as it ended: any that do will do. Raises Wrong.

    They stand in for cards that are sealed.
    """
    others = (Card.YES,) * (len(game.seats) - 1)
    for card in game.law.cards:
        if game.law.verdict((card, *others)) is resolved.verdict:
            return (card, *others)
    raise Wrong(
        "wrong-verdict",
        number,
        expected="a verdict of the edition",
        found=resolved.verdict.value,
        decision=resolved.decision,
    )
