"""One's own word and one's own ballots, beside what the record says of them."""

from collections.abc import Sequence

import msgspec

from engine import fairness
from engine.board import Seat
from engine.events import ElectionResolved, GameCreated, TableClosed
from engine.verify.case import Case
from engine.verify.finding import Check, Line, State, Wrong


class Receipt(msgspec.Struct, frozen=True):
    """What somebody got for a ballot: `commitment` in hex."""

    decision: int
    seat: int
    commitment: str


def check_word(read: Case, seat: int, text: str) -> Line:
    """Whether a seat's word is the one the record binds. Raises Wrong."""
    number, words = _words(read)
    if not words[seat:] and number == 1:
        return Line(Check.WORD, State.SEALED, "until the table is closed", _seat(seat))
    if seat not in range(len(words)):
        seats = f"a seat from 0 to {len(words) - 1}"
        raise _other_word(seat, number, seats, f"seat {seat}")
    try:
        found = fairness.word(read.game, Seat(seat), text).hex()
    except fairness.UnfitWord:
        found = "one that is too long"
    if found != words[seat]:
        raise _other_word(seat, number, words[seat], found)
    return Line(Check.WORD, State.OK, "the one in the record", _seat(seat))


def _other_word(seat: int, number: int, expected: str, found: str) -> Wrong:
    return Wrong("own-word-differs", number, expected=expected, found=found, seat=seat)


def _seat(seat: int) -> str:
    return f"seat {seat}"


def _words(read: Case) -> tuple[int, Sequence[str]]:
    """The words in the record, and the number of the event that has them."""
    created, closed = read.only(GameCreated), read.only(TableClosed)
    if closed is not None:
        return 2, closed.words
    return 1, () if created is None else (created.word,)


def check_ballot(read: Case, receipt: Receipt) -> Line:
    """Whether a ballot's receipt is what the record turned over. Raises Wrong."""
    about = f"decision {receipt.decision}, seat {receipt.seat}"
    decision, seat = receipt.decision, receipt.seat
    for number, event in read.numbered(ElectionResolved):
        if event.decision == decision and seat in range(read.seats):
            if event.ballots[seat] == receipt.commitment:
                return Line(Check.BALLOT, State.OK, "the one in the record", about)
            raise _differs(receipt, number, event.ballots[seat])
    if read.sealed is None:
        return Line(Check.BALLOT, State.SEALED, "not turned over so far", about)
    laid = decision, Seat(seat), receipt.commitment
    if fairness.card_bound(read.game, read.sealed.key, *laid) is not None:
        told = "of an election that was called off with the game"
        return Line(Check.BALLOT, State.OK, told, about)
    raise _differs(receipt, None, "no ballot of this seat in this decision")


def _differs(receipt: Receipt, number: int | None, expected: str) -> Wrong:
    return Wrong(
        "own-ballot-differs",
        number,
        expected=expected,
        found=receipt.commitment,
        decision=receipt.decision,
        seat=receipt.seat,
    )
