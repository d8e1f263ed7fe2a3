"""The command `kingup verify`, which needs nothing but files."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from engine import export
from engine.export import UnreadableExport
from engine.verify import BallotReceipt, Check, CheckLine, Report, State, verify
from service.commands import reading

_UNREADABLE: Final = 2
_WIDTH: Final = 15
_RECEIPT: Final = re.compile(r"([0-9]{1,9}):([0-9]{1,9}):([0-9a-f]{64})")


@click.command("verify")
@click.argument("file", type=reading.FILE)
@click.argument("mails", type=reading.FILE, nargs=-1, metavar="[MAIL]...")
@click.option(
    "--word",
    "words",
    multiple=True,
    metavar="SEAT=TEXT",
    help="Your word for the shuffle, as you typed it; seats count from 0.",
)
@click.option(
    "--receipt",
    "receipts",
    multiple=True,
    metavar="DECISION:SEAT:HEX",
    help="What the page or program gave you for a ballot.",
)
@click.pass_context
def verify_game(
    ctx: click.Context,
    file: Path,
    mails: Sequence[Path],
    words: Sequence[str],
    receipts: Sequence[str],
) -> None:
    """Check the record in FILE, and the stamps in MAILs that somebody kept.

    Prints a line for each check: ok, sealed (while the game runs), not reached or
    WRONG. Ends with 0 when nothing is wrong, 1 when something is, 2 when a file can't
    be read. Without a mail or receipt it says only that the game can have been played
    like this: not that it was.
    """
    try:
        game = export.read(reading.read(file))
    except UnreadableExport as error:
        click.echo(f"{file} is no record: {error}", err=True)
        ctx.exit(_UNREADABLE)
    report = verify(
        game,
        {str(mail): reading.read(mail) for mail in mails},
        _words(words),
        _receipts(receipts),
    )
    for line in report.lines:
        click.echo(_text(line))
    if any(game.names):
        click.echo(f"{'names':{_WIDTH}} prove nothing: they are no part of the record")
    click.echo(_summary(report, len(game.record)))
    ctx.exit(0 if report.wrong is None else 1)


def _words(texts: Sequence[str]) -> dict[int, str]:
    """The words by seat; a seat has given one at most."""
    words: dict[int, str] = {}
    for text in texts:
        seat, sign, word = text.partition("=")
        if not sign or not seat.isascii() or not seat.isdecimal():
            raise click.BadParameter(f"{text!r} is not SEAT=TEXT", param_hint="--word")
        if words.setdefault(int(seat), word) != word:
            raise click.BadParameter(f"two for seat {int(seat)}", param_hint="--word")
    return words


def _receipts(texts: Sequence[str]) -> list[BallotReceipt]:
    """The receipts in their order; a ballot has one at most."""
    receipts: dict[tuple[int, int], BallotReceipt] = {}
    for text in texts:
        receipt = _receipt(text)
        ballot = receipt.decision, receipt.seat
        if receipts.setdefault(ballot, receipt) != receipt:
            raise click.BadParameter(
                f"two for seat {receipt.seat} in decision {receipt.decision}",
                param_hint="--receipt",
            )
    return list(receipts.values())


def _receipt(text: str) -> BallotReceipt:
    found = _RECEIPT.fullmatch(text.strip().lower())
    if found is None:
        raise click.BadParameter(
            f"{text!r} is not DECISION:SEAT:HEX", param_hint="--receipt"
        )
    decision, seat, commitment = found.groups()
    return BallotReceipt(int(decision), int(seat), commitment)


def _text(line: CheckLine) -> str:
    about = f"{line.about}: " if line.about else ""
    text = f"{line.check.value:{_WIDTH}} {line.state.value:6} {about}{line.detail}"
    return reading.printable(text.rstrip())


def _summary(report: Report, events: int) -> str:
    if report.wrong is not None:
        first = next(line for line in report.lines if line.state is State.WRONG)
        where = f" ({first.about})" if first.check is Check.MAIL else ""
        return reading.printable(f"WRONG: {report.wrong}{where}")
    if report.sealed:
        proved = "Nothing is wrong so far. The rest is sealed while the game runs."
    else:
        proved = "Everything that the record can prove is true."
    return f"{proved} {_fixed(report, events)}"


def _fixed(report: Report, events: int) -> str:
    """How much of a true record is also known to be the one that was played."""
    if report.fixed == events:
        return "It was not rewritten since a mail that was kept: that fixes all of it."
    if report.fixed:
        return (
            f"A kept mail fixes it up to event {report.fixed} of {events}. Whether the"
            " rest was rewritten since, only a later mail or a receipt can show."
        )
    if any(line.check is Check.BALLOT for line in report.lines):
        return (
            "The receipts fix their own ballots alone. Whether the rest was rewritten"
            " since, only a mail that somebody kept can show."
        )
    return (
        "Whether it was rewritten since, only a mail or receipt that somebody kept"
        " can show."
    )
