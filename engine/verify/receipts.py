"""One's own word and one's own ballots, beside what the record says of them."""

from typing import Final

import msgspec

from engine import fairness
from engine.board import Seat
from engine.editions import EDITIONS
from engine.events import ElectionResolved, GameCreated, TableClosed
from engine.state import Game, Kind
from engine.verify.evidence import Case
from engine.verify.report import Check, CheckLine, Fact, State, Wrong

_HOST: Final = 0
_MOST_SEATS: Final = max(max(law.seats) for law in EDITIONS.values())
_PERSONS: Final = "a seat of a person"


class BallotReceipt(msgspec.Struct, frozen=True):
    """What somebody got for a ballot: `commitment` in hex."""

    decision: int
    seat: int
    commitment: str


def check_word(read: Case, seat: int, text: str) -> CheckLine:
    """Whether a seat's word is the one the record binds. Raises Wrong."""
    closed = read.only(TableClosed)
    if closed is None:
        return _draft_word(read, seat, text)
    stranger = _stranger(closed, seat)
    if stranger:
        raise _other_word(seat, 2, _PERSONS, stranger)
    return _same_word(read, seat, text, 2, closed.words[seat])


def _draft_word(read: Case, seat: int, text: str) -> CheckLine:
    """The same while only the host's word is in the record."""
    created = read.only(GameCreated)
    if created is not None and seat == _HOST:
        return _same_word(read, seat, text, 1, created.word)
    if seat >= _MOST_SEATS:
        raise _other_word(seat, 1, f"a seat from 0 to {_MOST_SEATS - 1}", seat)
    if read.over:
        detail = "a table that never closed has only the host's word"
        return CheckLine(Check.WORD, State.SKIPPED, detail, _seat(seat))
    return CheckLine(Check.WORD, State.SEALED, "until the table is closed", _seat(seat))


def _same_word(read: Case, seat: int, text: str, number: int, word: str) -> CheckLine:
    try:
        found = fairness.word(read.game, Seat(seat), text).hex()
    except fairness.UnfitWord:
        found = "one that is too long"
    if found != word:
        raise _other_word(seat, number, word, found)
    detail = "the one in the record" if word else "none, as in the record"
    return CheckLine(Check.WORD, State.OK, detail, _seat(seat))


def _other_word(seat: int, number: int, expected: str, found: Fact) -> Wrong:
    return Wrong("own-word-differs", number, expected=expected, found=found, seat=seat)


def _seat(seat: int) -> str:
    return f"seat {seat}"


def _stranger(closed: TableClosed, seat: int) -> str:
    """Who sits there if it is no person; empty for a person."""
    if seat not in range(len(closed.seats)):
        return f"{len(closed.seats)} seats"
    return "a bot" if closed.seats[seat].kind == "bot" else ""


def check_ballot(read: Case, left: Game | None, receipt: BallotReceipt) -> CheckLine:
    """Whether a ballot's receipt is what the record has of it. Raises Wrong.

    It may be missing in one election alone: the one that is open where the record
    ends, as running games and cancellations leave it. `left` is the game there, None
    for a record that isn't true.
    """
    closed, decision, seat = read.only(TableClosed), receipt.decision, receipt.seat
    stranger = closed and _stranger(closed, seat)
    if stranger:
        raise _not(receipt, "missing", 2, _PERSONS, stranger)
    for number, event in read.numbered(ElectionResolved):
        if event.decision == decision:
            if event.ballots[seat] != receipt.commitment:
                raise _not(receipt, "differs", number, event.ballots[seat])
            return _line(receipt, State.OK, "the one in the record")
    if left is None:
        return _line(receipt, State.SKIPPED)
    if _is_open(left, decision):
        return _check_open(read, left, receipt)
    if not read.over and decision > left.last_decision:
        asked = f"{left.last_decision} decisions so far"
        raise _not(receipt, "ahead", None, asked)
    raise _not(receipt, "missing", None, "no election of this number")


def _is_open(left: Game, decision: int) -> bool:
    asked = left.decision
    if asked is None:
        return False
    return asked.number == decision and asked.kind is Kind.ELECTION


def _check_open(read: Case, left: Game, receipt: BallotReceipt) -> CheckLine:
    """A ballot that was never turned over: the key knows which card it binds."""
    if read.sealed is None:
        return _line(receipt, State.SEALED, "its election is open")
    seat = Seat(receipt.seat)
    laid = receipt.decision, seat, receipt.commitment
    card = fairness.card_bound(read.game, read.sealed.key, *laid)
    if card is None:
        raise _not(receipt, "differs", None, "a card bound by the key")
    if card not in left.hands[seat]:
        held = " or ".join(sorted(set(left.hands[seat])))
        raise _not(receipt, "not-held", None, held, card.value)
    detail = "of the election that was open when the game was called off"
    return _line(receipt, State.OK, detail)


def _line(receipt: BallotReceipt, state: State, detail: str = "") -> CheckLine:
    about = f"decision {receipt.decision}, seat {receipt.seat}"
    return CheckLine(Check.BALLOT, state, detail, about)


def _not(
    receipt: BallotReceipt,
    how: str,
    number: int | None,
    expected: str,
    found: str | None = None,
) -> Wrong:
    return Wrong(
        f"own-ballot-{how}",
        number,
        expected=expected,
        found=receipt.commitment if found is None else found,
        decision=receipt.decision,
        seat=receipt.seat,
    )
