"""The checks of a record alone, one behind the other, each with its line."""

from collections.abc import Iterator, Mapping
from typing import Final

from engine.board import Card
from engine.events import ElectionResolved, GameOver
from engine.verify import bound, table
from engine.verify.case import Case
from engine.verify.finding import Check, Line, State
from engine.verify.replay import Replay

MADE: Final[tuple[Check, ...]] = tuple(
    check for check in Check if check not in (Check.MAIL, Check.WORD, Check.BALLOT)
)
"""The checks of a record alone."""

_TOLD: Final[Mapping[Check, str]] = {
    Check.FIRST: "as it was drawn or chosen",
    Check.LOTS: "{} rounds placed as drawn",
    Check.CLOCK: "{} answers of the clock as drawn",
    Check.HANDS: "{} cards laid by who held them",
    Check.RULES: "{} events as the rules have them",
    Check.SCORES: "{} rounds scored by the rules",
}
"""What the replay has counted."""


def lines(read: Case) -> Iterator[Line]:
    """A line for each check, in order, up to the first thing wrong. Raises Wrong."""
    yield Line(Check.FORMAT, State.OK, f"{len(read.events)} events")
    yield Line(Check.ORDER, State.OK, "each behind what may come before it")
    last = len(read.heads) - 1
    yield Line(Check.CHAIN, State.OK, f"the head is {last}:{read.heads[last].hex()}")
    yield Line(Check.DECISIONS, State.OK, f"{bound.check_decisions(read)} counted")
    bound.check_seed(read)
    yield _at_the_end(read, Check.SEED, "the one that event 1 binds")
    yield Line(Check.WORDS, State.OK, f"{bound.check_words(read)} given")
    yield table.check(read)
    deck = bound.check_deck(read)
    yield _at_the_end(read, Check.DECK, f"{len(deck)} cards as the key shuffles them")
    yield _deals(read, bound.check_deals(read))
    cards = bound.check_ballots(read)
    yield _ballots(read, cards)
    replay = Replay(read, deck, cards)
    replay.run()
    yield from _replayed(replay)
    yield _end(read)


def _at_the_end(read: Case, check: Check, told: str) -> Line:
    if read.over:
        return Line(check, State.OK, told)
    return Line(check, State.SEALED, "until the game is over")


def _deals(read: Case, dealt: int) -> Line:
    told = f"{dealt} favourites as they were bound"
    if read.over:
        return Line(Check.DEALS, State.OK, told)
    return Line(Check.DEALS, State.SEALED, f"{told}; those of the round are sealed")


def _ballots(read: Case, cards: Mapping[int, tuple[Card, ...]]) -> Line:
    told = f"{sum(map(len, cards.values()))} cards as they were bound"
    resolved = [event.decision for _, event in read.numbered(ElectionResolved)]
    if all(decision in cards for decision in resolved):
        return Line(Check.BALLOTS, State.OK, told)
    return Line(Check.BALLOTS, State.SEALED, f"{told}; those of the round are sealed")


def _replayed(replay: Replay) -> Iterator[Line]:
    for check, told in _TOLD.items():
        seen, unseen = replay.seen[check], replay.unseen[check]
        if unseen:
            before = f"{told.format(seen)}; " if seen else ""
            yield Line(check, State.SEALED, f"{before}{unseen} sealed")
        else:
            yield Line(check, State.OK, told.format(seen))


def _end(read: Case) -> Line:
    over = read.only(GameOver)
    if over is None:
        return Line(Check.END, State.SEALED, "the game is not over")
    winners = " and ".join(f"seat {seat}" for seat in over.winners) or "nobody"
    return Line(Check.END, State.OK, f"{over.reason}, won by {winners}")
