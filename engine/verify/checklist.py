"""The checks of a record alone, one behind the other, each with its line."""

from collections.abc import Iterator, Mapping
from typing import Final

from engine.board import Card
from engine.events import ElectionResolved, GameOver, TableClosed
from engine.state import Game
from engine.verify import commitments, receipts, table
from engine.verify.evidence import Case
from engine.verify.receipts import BallotReceipt
from engine.verify.replay import Replay
from engine.verify.report import Check, CheckLine, State, Wrong

MADE: Final[tuple[Check, ...]] = tuple(
    check for check in Check if check not in (Check.MAIL, Check.WORD, Check.BALLOT)
)
"""The checks of a record alone."""

_COUNTED_AS: Final[Mapping[Check, tuple[str, str]]] = {
    Check.FIRST: ("seat", "began as drawn or chosen"),
    Check.LOTS: ("round", "placed as drawn"),
    Check.CLOCK: ("answer", "of the clock as drawn"),
    Check.HANDS: ("card", "laid by who held them"),
    Check.RULES: ("event", "as the rules have them"),
    Check.SCORES: ("round", "scored by the rules"),
}
"""What the replay has counted, and what it found it to be."""


class Judge:
    """Goes through a record, and knows then what it has of somebody's own."""

    def __init__(self, read: Case) -> None:
        self._read = read
        self._left: Game | None = None

    def lines(self) -> Iterator[CheckLine]:
        """A line for each check, up to the first thing wrong. Raises Wrong."""
        read = self._read
        yield from _written(read)
        deck = commitments.check_deck(read)
        shuffled = f"{_some(len(deck), 'card')} as the key shuffles them"
        yield _at_the_end(read, Check.DECK, shuffled)
        yield _deals(read, commitments.check_deals(read))
        cards = commitments.check_ballots(read)
        yield _ballots(read, cards)
        replay = Replay(read, deck, cards)
        try:
            replay.run()
        except Wrong as wrong:
            yield from _up_to_there(replay, wrong)
            raise
        self._left = replay.left
        yield from _replayed(replay)
        yield _end(read)

    def word(self, seat: int, text: str) -> CheckLine:
        """Whether a seat's word is the one in the record. Raises Wrong."""
        return receipts.check_word(self._read, seat, text)

    def ballot(self, receipt: BallotReceipt) -> CheckLine:
        """Whether a receipt is of a ballot in the record. Raises Wrong."""
        return receipts.check_ballot(self._read, self._left, receipt)


def _written(read: Case) -> Iterator[CheckLine]:
    """What can be checked before anything is drawn. Raises Wrong."""
    yield CheckLine(Check.FORMAT, State.OK, _some(len(read.events), "event"))
    yield CheckLine(Check.ORDER, State.OK, "each behind what may come before it")
    last = len(read.heads) - 1
    yield CheckLine(
        Check.CHAIN, State.OK, f"the head is {last}:{read.heads[last].hex()}"
    )
    yield CheckLine(
        Check.DECISIONS, State.OK, _decisions(*commitments.check_decisions(read))
    )
    commitments.check_seed(read)
    yield _at_the_end(read, Check.SEED, "the one that event 1 binds")
    words = f"{_some(commitments.check_words(read), 'word')} given"
    yield _of_the_table(read, CheckLine(Check.WORDS, State.OK, words))
    yield _of_the_table(read, table.check(read))


def _decisions(counted: int, stopped: int | None) -> str:
    """How many; what stopped the count will prove wrong by the rules."""
    before = "" if stopped is None else f"up to event {stopped}: "
    return f"{before}{counted} counted"


def _of_the_table(read: Case, line: CheckLine) -> CheckLine:
    """What a table that is still open can change."""
    if read.over or read.only(TableClosed) is not None:
        return line
    return CheckLine(line.check, State.SEALED, "until the table is closed")


def _at_the_end(read: Case, check: Check, detail: str) -> CheckLine:
    if read.over:
        return CheckLine(check, State.OK, detail)
    return CheckLine(check, State.SEALED, "until the game is over")


def _deals(read: Case, dealt: int) -> CheckLine:
    detail = f"{_some(dealt, 'card')} of favourites as bound"
    if read.over:
        return CheckLine(Check.DEALS, State.OK, detail)
    return _of_this_round(Check.DEALS, detail if dealt else "")


def _ballots(read: Case, cards: Mapping[int, tuple[Card, ...]]) -> CheckLine:
    laid = sum(map(len, cards.values()))
    detail = f"{_some(laid, 'card')} as bound"
    resolved = [event.decision for _, event in read.numbered(ElectionResolved)]
    if all(decision in cards for decision in resolved):
        return CheckLine(Check.BALLOTS, State.OK, detail)
    return _of_this_round(Check.BALLOTS, detail if laid else "")


def _of_this_round(check: Check, before: str) -> CheckLine:
    """What is sealed until its round is over, behind what is open already."""
    detail = (
        f"{before}; those of the round are sealed" if before else "until a round ends"
    )
    return CheckLine(check, State.SEALED, detail)


def _replayed(replay: Replay) -> Iterator[CheckLine]:
    for check, (what, how) in _COUNTED_AS.items():
        seen, unseen = replay.seen[check], replay.unseen[check]
        detail = f"{_some(seen, what)} {how}".lstrip()
        if not unseen:
            yield CheckLine(check, State.OK, detail)
            continue
        before = f"{detail}; " if seen else ""
        yield CheckLine(
            check, State.SEALED, f"{before}{_some(unseen, what)} not open yet".lstrip()
        )


def _up_to_there(replay: Replay, wrong: Wrong) -> Iterator[CheckLine]:
    """What was found right before the first thing wrong, and counted at all."""
    for line in _replayed(replay):
        counted = replay.seen[line.check] or replay.unseen[line.check]
        if counted and line.check is not wrong.check:
            detail = f"up to event {replay.done}: {line.detail}"
            yield CheckLine(line.check, line.state, detail)


def _some(number: int, what: str) -> str:
    """So many of them, in words; nothing for what needs no number."""
    return f"{number or 'no'} {what}{'' if number == 1 else 's'}" if what else ""


def _end(read: Case) -> CheckLine:
    over = read.only(GameOver)
    if over is None:
        return CheckLine(
            Check.END, State.SEALED, "no end: the game runs, or the file is old or cut"
        )
    winners = " and ".join(f"seat {seat}" for seat in over.winners) or "nobody"
    return CheckLine(Check.END, State.OK, f"{over.reason}, won by {winners}")
