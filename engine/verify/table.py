"""The table as it was closed: whether anybody could have sat down to it."""

import re
from collections.abc import Iterator
from typing import Final

from engine.bots import BOTS
from engine.commands import MISSES, Chair, Options
from engine.editions import pinned
from engine.errors import BadTable
from engine.events import BotSeated, TableClosed
from engine.verify.evidence import Case
from engine.verify.report import Check, CheckLine, State, Wrong

PACES: Final = range(60, 60 * 24 * 60 * 60 + 1)
"""Seconds for a decision that a service can give: a minute to sixty days."""

SPARE: Final = range(100)
"""How often a service may let a seat take as long again."""

_TIME_OF_DAY: Final = re.compile("([01][0-9]|2[0-3]):[0-5][0-9]")
_HOST: Final = 0
_BOT: Final = re.compile(r"[a-z0-9-]{1,32}")


def check(case: Case) -> CheckLine:
    """The table, if it is closed; its edition can be played at it. Raises Wrong."""
    closed = case.only(TableClosed)
    if closed is None:
        return CheckLine(Check.TABLE, State.OK, "never closed")
    _check_edition(closed)
    _check_pace(closed.options)
    for seat, chair in enumerate(closed.seats):
        _check_chair(seat, chair)
    for number, seated in case.numbered(BotSeated):
        _check_keeper(number, seated)
    detail = f"{closed.edition}, rules {closed.rules}, {len(closed.seats)} seats"
    return CheckLine(Check.TABLE, State.OK, detail + "".join(_unknown(case)))


def _check_edition(closed: TableClosed) -> None:
    law, options = pinned(closed.edition, closed.rules), closed.options
    if law is None:
        found = f"{closed.edition} {closed.rules}"
        raise Wrong("unknown-rules", 2, expected="an edition known here", found=found)
    try:
        law.check_options(options, len(closed.seats))
    except BadTable as error:
        found = f"{error.option} {error.value}"
        raise _bad("a table of the edition", found) from None


def _check_pace(options: Options) -> None:
    if options.decision_time is not None and options.decision_time not in PACES:
        expected = f"no decision_time, or {PACES.start} to {PACES.stop - 1} seconds"
        raise _bad(expected, f"decision_time {options.decision_time}")
    if options.spare not in SPARE:
        raise _bad(f"spare up to {SPARE.stop - 1}", f"spare {options.spare}")
    if options.misses not in MISSES:
        expected = f"misses {MISSES.start} to {MISSES.stop - 1}"
        raise _bad(expected, f"misses {options.misses}")
    daily = options.daily_at is not None
    if daily and not _TIME_OF_DAY.fullmatch(options.daily_at or ""):
        raise _bad("daily_at as HH:MM", f"daily_at {options.daily_at}")
    if daily != (options.zone is not None):
        raise _bad("daily_at with a zone, or neither", f"zone {options.zone}")


def _check_chair(seat: int, chair: Chair) -> None:
    if chair.kind == "person" and chair.bot is None:
        return
    if seat == _HOST:
        raise _bad("a person, who hosts", f"{chair.kind} {chair.bot}", seat)
    if chair.kind != "bot" or not _BOT.fullmatch(chair.bot or ""):
        found = f"{chair.kind} {chair.bot}"
        raise _bad("a person, or a bot by its name", found, seat)


def _check_keeper(number: int, seated: BotSeated) -> None:
    if not _BOT.fullmatch(seated.bot):
        raise Wrong(
            "bad-table",
            number,
            expected="a bot by its name",
            found=seated.bot,
            seat=seated.seat,
        )


def _bad(expected: str, found: str, seat: int | None = None) -> Wrong:
    return Wrong("bad-table", 2, expected=expected, found=found, seat=seat)


def _unknown(case: Case) -> Iterator[str]:
    """Bots of other versions, each once: what they answered is checked all the same."""
    chairs = (chair.bot for _, e in case.numbered(TableClosed) for chair in e.seats)
    keepers = (seated.bot for _, seated in case.numbered(BotSeated))
    names = {name for name in (*chairs, *keepers) if name is not None}
    return (f", unknown bot {name!r}" for name in sorted(names - set(BOTS)))
