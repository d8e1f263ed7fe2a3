"""About how long a game takes, and when it will be over: guesses from public facts."""

from datetime import date, datetime, timedelta
from math import ceil
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from engine.commands import Options
from engine.editions import edition
from engine.editions.base import UsualWaits
from engine.state import Game
from service.present import times
from service.present.languages import gettext as _
from service.present.languages import ngettext
from service.store.games import GameReadModel
from service.store.lists import Listed

_HOUR: Final = timedelta(hours=1)
_DAY: Final = timedelta(days=1)
_QUICK: Final = 3 * _HOUR
"""How long somebody usually takes to answer a mail: half of all are quicker."""

_SLOW: Final = 10 * _HOUR
"""The same where nights and work come in between; without a clock it is a day."""

_PATIENT: Final = _DAY
_UNHURRIED: Final = 8
"""Where there are many days, whoever is slow takes such a part of them."""

_LEAST_LEFT: Final = 3
"""A round goes on for so many decisions at least, however long it has lasted."""

_FAR: Final = timedelta(hours=30)
"""What lets a decision wait for so much longer than the pace is somebody who is away.

Evenings, quiet hours, a day more and a piece of spare time that is a day are less.
"""

_WEIGHT: Final = 12
"""After so many decisions a game's own pace counts as much as the usual one."""


class ExpectedDays(msgspec.Struct, frozen=True):
    """About how many days a game takes from its start to its end, when played by mail.

    What is usual, and no promise: most games are quicker or slower than one of the two.
    """

    least: Annotated[int, Meta(description="If people answer within some hours.")]
    most: Annotated[int, Meta(description="If they mostly answer a few times a day.")]


def expected_days(game: GameReadModel | Listed) -> ExpectedDays | None:
    """About how long a game takes by its terms; None in practice."""
    if game.practice:
        return None
    options = msgspec.convert(game.options, Options)
    people = sum(1 for seat in game.seats if seat.bot is None or seat.kept)
    return of_terms(game.edition, options, len(game.seats), people)


def of_terms(
    edition_id: str, options: Options, seats: int, people: int
) -> ExpectedDays:
    """About how long a game takes in which some of the seats are people's."""
    waits = edition(edition_id).usual_waits(seats, options.placement)
    share = _share(waits, people / seats)
    quick, slow = _paces(options)
    whole = options.rounds * waits.total * share
    return ExpectedDays(
        least=max(1, round(whole * quick / _DAY)),
        most=max(1, ceil(whole * slow / _DAY)),
    )


def _share(waits: UsualWaits, people: float) -> float:
    """The share of all decisions that wait for somebody: bots take no time.

    An election waits for all, so one person in it is enough.
    """
    alone = waits.placements + waits.moves
    return (alone * people + waits.elections * (people > 0)) / waits.total


def _paces(options: Options) -> tuple[timedelta, timedelta]:
    """How long a decision waits for people who are quick, and who are slow."""
    if options.decision_time is None:
        return _QUICK, _PATIENT
    most = timedelta(seconds=options.decision_time)
    return min(_QUICK, most), min(max(_SLOW, most / _UNHURRIED), most)


def expected_end(seen: GameReadModel) -> date | None:
    """On about which day a running game is over, in UTC; None for any other.

    Made of what everybody knows since the open decision was put: its number, moment and
    deadline, and until when the game is paused. No ballot and no hour passed has a part
    in it.
    """
    game, begun, opened = seen.game, seen.started_at, seen.opened_at
    if seen.practice or not game.running or begun is None or opened is None:
        return None
    options, done = game.table, game.last_decision - 1
    people = sum(1 for chair in game.seats if chair.kind == "person")
    waits = game.law.usual_waits(len(game.seats), options.placement)
    quick, slow = _paces(options)
    usual = _share(waits, people / len(game.seats)) * (quick + slow) / 2
    pace = (usual * _WEIGHT + (opened - begun)) / (_WEIGHT + done)
    return (_goes_on(seen, opened) + pace * _left(game, waits)).date()


def _goes_on(seen: GameReadModel, opened: datetime) -> datetime:
    """From when on answers are to be expected again, by what everybody is shown."""
    pauses = (seat.paused_until for seat in seen.seats)
    known = [opened, *(until for until in pauses if until is not None)]
    pace = timedelta(seconds=seen.game.table.decision_time or 0)
    if seen.deadline is not None and seen.deadline - opened > pace + _FAR:
        known.append(seen.deadline)
    return max(known)


def ends_about(seen: GameReadModel) -> str:
    """That day in the reader's language; empty for a game of which nobody can tell."""
    day = expected_end(seen)
    return "" if day is None else times.days(day, day)


def _left(game: Game, waits: UsualWaits) -> int:
    """How many decisions a game will still put, with the open one."""
    rounds = game.table.rounds - game.round
    before = (game.round - 1) * waits.total
    placed = sum(game.placed)
    # How long earlier rounds were isn't kept: what is more than usual is this one's.
    here = max(placed, min(game.last_decision - 1 - before, waits.total))
    return max(_LEAST_LEFT, waits.total - here) + rounds * waits.total


def in_words(days: ExpectedDays) -> str:
    """About how long a game takes, as a sentence."""
    if days.least == days.most:
        return ngettext(
            "Games like this take about a day.",
            "Games like this take about %(num)s days.",
            days.most,
        )
    return _(
        "Games like this take about %(least)s to %(most)s days.",
        least=days.least,
        most=days.most,
    )
