"""The command `kingup verify`, which needs nothing but files."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from engine import export
from engine.export import UnreadableExport
from engine.verify import Check, Line, Receipt, Report, verify
from service.commands import reading

_UNREADABLE: Final = 2
_KEPT: Final = (Check.MAIL, Check.BALLOT)
"""The checks of what somebody has kept."""
_WIDTH: Final = 15


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
    help="The commitment you got for a ballot.",
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

    Prints a line for each check: ok, sealed (while the game runs) or WRONG. Ends with
    0 when nothing is wrong, 1 when something is, 2 when a file can't be read.
    """
    try:
        game = export.read(reading.read(file))
    except UnreadableExport as error:
        click.echo(f"{file} is no record: {error}", err=True)
        ctx.exit(_UNREADABLE)
    report = verify(
        game,
        {str(mail): reading.read(mail) for mail in mails},
        dict(_word(text) for text in words),
        [_receipt(text) for text in receipts],
    )
    for line in report.lines:
        click.echo(_told(line))
    if any(game.names):
        click.echo(f"{'names':{_WIDTH}} prove nothing: they are no part of the record")
    click.echo(_summary(report))
    ctx.exit(0 if report.wrong is None else 1)


def _word(text: str) -> tuple[int, str]:
    seat, sign, word = text.partition("=")
    if not sign or not seat.isascii() or not seat.isdecimal():
        raise click.BadParameter(f"{text!r} is not SEAT=TEXT", param_hint="--word")
    return int(seat), word


def _receipt(text: str) -> Receipt:
    found = re.fullmatch(r"([0-9]{1,9}):([0-9]{1,9}):([0-9a-f]{64})", text.lower())
    if found is None:
        raise click.BadParameter(
            f"{text!r} is not DECISION:SEAT:HEX", param_hint="--receipt"
        )
    decision, seat, commitment = found.groups()
    return Receipt(int(decision), int(seat), commitment)


def _told(line: Line) -> str:
    about = f"{line.about}: " if line.about else ""
    text = f"{line.check.value:{_WIDTH}} {line.state.value:6} {about}{line.told}"
    return reading.printable(text.rstrip())


def _summary(report: Report) -> str:
    if report.wrong is not None:
        return f"WRONG: {reading.printable(str(report.wrong))}"
    if report.sealed:
        return "Nothing is wrong so far. The rest is sealed while the game runs."
    if any(line.check in _KEPT for line in report.lines):
        return "Everything that the record can prove is true."
    return (
        "Everything that the record can prove is true. Whether it was rewritten since,"
        " only a mail or receipt that somebody kept can show."
    )
