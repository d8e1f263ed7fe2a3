"""The checks of a record alone, one behind the other, each with its line."""

from collections.abc import Iterator, Mapping
from typing import Final

from engine.board import Card
from engine.events import ElectionResolved, GameOver
from engine.verify import bound, table
from engine.verify.case import Case
from engine.verify.finding import Check, Line, State, Wrong
from engine.verify.replay import Replay

MADE: Final[tuple[Check, ...]] = tuple(
    check for check in Check if check not in (Check.MAIL, Check.WORD, Check.BALLOT)
)
"""The checks of a record alone."""

_TOLD: Final[Mapping[Check, tuple[str, str]]] = {
    Check.FIRST: ("", "as it was drawn or chosen"),
    Check.LOTS: ("round", "placed as drawn"),
    Check.CLOCK: ("answer", "of the clock as drawn"),
    Check.HANDS: ("card", "laid by who held them"),
    Check.RULES: ("event", "as the rules have them"),
    Check.SCORES: ("round", "scored by the rules"),
}
"""What the replay has counted, and what it found it to be."""


def lines(read: Case) -> Iterator[Line]:
    """A line for each check, in order, up to the first thing wrong. Raises Wrong."""
    yield Line(Check.FORMAT, State.OK, _some(len(read.events), "event"))
    yield Line(Check.ORDER, State.OK, "each behind what may come before it")
    last = len(read.heads) - 1
    yield Line(Check.CHAIN, State.OK, f"the head is {last}:{read.heads[last].hex()}")
    yield Line(Check.DECISIONS, State.OK, f"{bound.check_decisions(read)} counted")
    bound.check_seed(read)
    yield _at_the_end(read, Check.SEED, "the one that event 1 binds")
    yield Line(Check.WORDS, State.OK, f"{_some(bound.check_words(read), 'word')} given")
    yield table.check(read)
    deck = bound.check_deck(read)
    yield _at_the_end(read, Check.DECK, f"{len(deck)} cards as the key shuffles them")
    yield _deals(read, bound.check_deals(read))
    cards = bound.check_ballots(read)
    yield _ballots(read, cards)
    replay = Replay(read, deck, cards)
    try:
        replay.run()
    except Wrong as wrong:
        yield from _up_to_there(replay, wrong)
        raise
    yield from _replayed(replay)
    yield _end(read)


def _at_the_end(read: Case, check: Check, told: str) -> Line:
    if read.over:
        return Line(check, State.OK, told)
    return Line(check, State.SEALED, "until the game is over")


def _deals(read: Case, dealt: int) -> Line:
    told = f"{_some(dealt, 'card')} of favourites as bound"
    if read.over:
        return Line(Check.DEALS, State.OK, told)
    return _of_this_round(Check.DEALS, told if dealt else "")


def _ballots(read: Case, cards: Mapping[int, tuple[Card, ...]]) -> Line:
    laid = sum(map(len, cards.values()))
    told = f"{_some(laid, 'card')} as bound"
    resolved = [event.decision for _, event in read.numbered(ElectionResolved)]
    if all(decision in cards for decision in resolved):
        return Line(Check.BALLOTS, State.OK, told)
    return _of_this_round(Check.BALLOTS, told if laid else "")


def _of_this_round(check: Check, before: str) -> Line:
    """What is sealed until its round is over, behind what is open already."""
    told = (
        f"{before}; those of the round are sealed" if before else "until a round ends"
    )
    return Line(check, State.SEALED, told)


def _replayed(replay: Replay) -> Iterator[Line]:
    for check, (what, how) in _TOLD.items():
        seen, unseen = replay.seen[check], replay.unseen[check]
        told = f"{_some(seen, what)} {how}".lstrip()
        if not unseen:
            yield Line(check, State.OK, told)
            continue
        before = f"{told}; " if seen else ""
        yield Line(
            check, State.SEALED, f"{before}{_some(unseen, what)} not open yet".lstrip()
        )


def _up_to_there(replay: Replay, wrong: Wrong) -> Iterator[Line]:
    """What was found right before the first thing wrong, and counted at all."""
    for line in _replayed(replay):
        counted = replay.seen[line.check] or replay.unseen[line.check]
        if counted and line.check is not wrong.check:
            told = f"up to event {replay.done}: {line.told}"
            yield Line(line.check, line.state, told)


def _some(number: int, what: str) -> str:
    """So many of them, in words; nothing for what needs no number."""
    return f"{number or 'no'} {what}{'' if number == 1 else 's'}" if what else ""


def _end(read: Case) -> Line:
    over = read.only(GameOver)
    if over is None:
        return Line(Check.END, State.SEALED, "the game is not over")
    winners = " and ".join(f"seat {seat}" for seat in over.winners) or "nobody"
    return Line(Check.END, State.OK, f"{over.reason}, won by {winners}")
