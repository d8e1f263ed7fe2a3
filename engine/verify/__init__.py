"""The verifier: whether a record is what protocol and rules make of its seed.

Source: docs/fairness.md. It needs the record alone, and mails or receipts to compare.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from engine import fairness
from engine.export import Export
from engine.verify import checklist, evidence, mails
from engine.verify.checklist import Judge
from engine.verify.receipts import BallotReceipt
from engine.verify.report import CODES, Check, CheckLine, Report, State, Wrong

__all__ = [
    "CODES",
    "Check",
    "CheckLine",
    "BallotReceipt",
    "Report",
    "State",
    "Wrong",
    "verify",
]

_Look: TypeAlias = tuple[Check, str, Callable[[], CheckLine] | None]
"""A check of something kept, what it is about, and how to look; None: it can't be."""


def verify(
    export: Export,
    kept: Mapping[str, bytes] | None = None,
    words: Mapping[int, str] | None = None,
    receipts: Sequence[BallotReceipt] = (),
) -> Report:
    """What is true, sealed and wrong in a record; never raises for what is in it.

    `kept` are mails by a name for them, `words` texts by the seat that typed them.
    """
    heads = fairness.heads(export.game, export.record)
    lines = {check: CheckLine(check, State.SKIPPED, "") for check in checklist.MADE}
    found, rest = list[Wrong](), list[CheckLine]()
    judge: Judge | None = None
    try:
        judge = Judge(evidence.read(export, heads))
        for line in judge.lines():
            lines[line.check] = line
    except Wrong as wrong:
        found.append(wrong)
        lines[wrong.check] = _wrong_line(wrong)
    looks = (
        *_mail_looks(export.game, heads, kept or {}),
        *_word_looks(judge, words or {}),
        *_ballot_looks(judge, receipts),
    )
    for check, about, look in looks:
        try:
            # In a record that can't be read, words and ballots aren't found at all.
            line = look() if look else CheckLine(check, State.SKIPPED, "", about)
        except Wrong as wrong:
            found.append(wrong)
            line = _wrong_line(wrong, about)
        rest.append(line)
    return Report((*lines.values(), *rest), found[0] if found else None)


def _wrong_line(wrong: Wrong, about: str = "") -> CheckLine:
    return CheckLine(wrong.check, State.WRONG, str(wrong), about)


def _mail_looks(
    game: str, heads: tuple[bytes, ...], kept: Mapping[str, bytes]
) -> Iterator[_Look]:
    """Mails, each with its name and how to look at it."""
    found = [(name, mails.read(raw)) for name, raw in kept.items()]
    # The mail that knows least of the game shows best where its record went astray.
    for name, mail in sorted(found, key=lambda each: each[1].heads[:1]):
        yield Check.MAIL, name, partial(mails.check, name, mail, game, heads)


def _word_looks(judge: Judge | None, words: Mapping[int, str]) -> Iterator[_Look]:
    for seat, text in words.items():
        look = None if judge is None else partial(judge.word, seat, text)
        yield Check.WORD, f"seat {seat}", look


def _ballot_looks(
    judge: Judge | None, receipts: Sequence[BallotReceipt]
) -> Iterator[_Look]:
    for receipt in receipts:
        about = f"decision {receipt.decision}, seat {receipt.seat}"
        look = None if judge is None else partial(judge.ballot, receipt)
        yield Check.BALLOT, about, look
