"""The verifier: whether a record is what protocol and rules make of its seed.

Source: docs/fairness.md. It needs the record alone, and mails or receipts to compare.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from engine import fairness
from engine.export import Export
from engine.verify import case, judged, mails, own
from engine.verify.case import Case
from engine.verify.finding import CODES, Check, Line, Report, State, Wrong
from engine.verify.own import Receipt

__all__ = ["CODES", "Check", "Line", "Receipt", "Report", "State", "Wrong", "verify"]

_Look: TypeAlias = Callable[[], Line]


def verify(
    export: Export,
    kept: Mapping[str, bytes] | None = None,
    words: Mapping[int, str] | None = None,
    receipts: Sequence[Receipt] = (),
) -> Report:
    """What is true, sealed and wrong in a record; never raises for what is in it.

    `kept` are mails by a name for them, `words` texts by the seat that typed them.
    """
    heads = fairness.heads(export.game, export.record)
    made = {check: Line(check, State.SKIPPED, "") for check in judged.MADE}
    found: list[Wrong] = []
    read: Case | None = None
    try:
        read = case.read(export, heads)
        for line in judged.lines(read):
            made[line.check] = line
    except Wrong as wrong:
        found.append(wrong)
        made[wrong.check] = _wrong_line(wrong)
    looks = [*_mail_looks(export.game, heads, kept or {})]
    # A record that can't be read has neither words nor ballots to compare with.
    if read is not None:
        looks += _own_looks(read, words or {}, receipts)
    rest: list[Line] = []
    for about, look in looks:
        try:
            rest.append(look())
        except Wrong as wrong:
            found.append(wrong)
            rest.append(_wrong_line(wrong, about))
    return Report((*made.values(), *rest), found[0] if found else None)


def _wrong_line(wrong: Wrong, about: str = "") -> Line:
    return Line(wrong.check, State.WRONG, str(wrong), about)


def _mail_looks(
    game: str, heads: tuple[bytes, ...], kept: Mapping[str, bytes]
) -> Iterator[tuple[str, _Look]]:
    """Mails, each with its name and how to look at it."""
    found = [(name, mails.read(raw)) for name, raw in kept.items()]
    # The mail that knows least of the game shows best where its record went astray.
    for name, mail in sorted(found, key=lambda each: each[1].heads[:1]):
        yield name, partial(mails.check, name, mail, game, heads)


def _own_looks(
    read: Case, words: Mapping[int, str], receipts: Sequence[Receipt]
) -> Iterator[tuple[str, _Look]]:
    """Words and receipts, each with its name and how to look at it."""
    for seat, text in words.items():
        yield f"seat {seat}", partial(own.check_word, read, seat, text)
    for receipt in receipts:
        about = f"decision {receipt.decision}, seat {receipt.seat}"
        yield about, partial(own.check_ballot, read, receipt)
