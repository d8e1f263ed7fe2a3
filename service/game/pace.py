"""The pace of a game: until when a decision waits, and when somebody is reminded.

All moments are made here, from the terms of the game and one `now`: a moment after the
game was locked.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, time, timedelta
from functools import partial
from typing import Final
from zoneinfo import ZoneInfo

import msgspec
from flask import current_app

from engine.commands import Options
from engine.errors import BadTable
from engine.state import Kind
from service import config
from service.game import postponement
from service.game.postponement import Suitable
from service.store.availability import Availability
from service.values import clocks, patient_pace
from service.values.enums import DueKind

USUAL: Final = 24 * 60 * 60
"""Seconds a decision waits for unless the host says otherwise."""

USUAL_SPARE: Final = 6
"""How often each seat may go on for as long again, in a whole game."""

LEAST, MOST = 60 * 60, 14 * 24 * 60 * 60
"""Seconds a host may choose: from an hour to two weeks."""

DAY: Final = timedelta(days=1)
_SILENCE: Final = timedelta(days=patient_pace.SILENT_DAYS)
_LAST: Final = timedelta(days=patient_pace.LAST_DAYS)
_EVENING: Final = (time(18), time(22))
"""When everybody has had time to look at an open vote, on their own clocks."""

_LEAST_DAILY: Final = timedelta(hours=12)
"""So long there is at least until the moment of the day at which decisions end."""

_HARDLY: Final = timedelta(hours=1)
"""What a pause may take from a decision that ends at an hour of the day, or it would
cost everybody a day."""

_PUNCTUAL: Final = timedelta(minutes=5)
"""So late the worker may end a pause, or the clock has stood still meanwhile, too."""

_TIME_TO_STAND: Final = timedelta(minutes=1)
"""So long after its moment an answer has been given, also by a worker with much to do:
nobody is mailed a question that is answered as they read."""

_HARDLY_ANY: Final = 1 / 16
"""Of the time for a decision: so much of it its mail may wait at most."""

_FOLDED: Final = timedelta(hours=8)
"""So long a result waits for the next question."""

_TO_AGREE: Final = timedelta(days=3)
"""How long a table has to agree to something."""

_TIME_OF_DAY: Final = re.compile("([01][0-9]|2[0-3]):[0-5][0-9]", re.ASCII)
_NEAR_THE_END: Final = 1 / 8
_LEAST_FOR_TWO: Final = timedelta(hours=6)

_LATE: Final = timedelta(minutes=1)
"""So late a deadline may be dealt with, and still be its player's matter."""


def is_time_of_day(text: str) -> bool:
    """Whether something is a time of the day as HH:MM."""
    return _TIME_OF_DAY.fullmatch(text) is not None


def settled(options: Options) -> Options:
    """Options whose pace can be kept; a zone alone means nothing.

    Without a clock there is nothing to prolong either.

    Raises BadTable for a daily end without a zone, or of another pace than a day.
    """
    if options.decision_time is None:
        options = msgspec.structs.replace(options, spare=0)
    if options.daily_at is None:
        return msgspec.structs.replace(options, zone=None)
    if options.zone is None:
        raise BadTable("zone", "")
    if options.decision_time != USUAL:
        raise BadTable("decision_time", options.decision_time or 0)
    return options


class Pace(msgspec.Struct, frozen=True):
    """When one decision's time is up, and when whoever still owes it is reminded.

    `waited` are those for whose absences it waits, with all days used so far.
    """

    deadline: datetime
    reminder: datetime
    last_reminder: datetime | None
    waited: tuple[Availability, ...] = ()


class StandingMoments(msgspec.Struct, frozen=True):
    """When bots and standing answers answer what is asked now.

    Whoever has a standing answer is asked by mail at another moment, should it be open
    then.
    """

    stands_at: datetime
    asks_at: datetime


def standing(now: datetime, *, at_once: bool) -> StandingMoments:
    """The moments after this instance's delay, the same whatever is asked or held.

    `at_once` is where nobody waits: in practice, and where bots alone play.
    """
    delay = 0 if at_once else config.of(current_app).bot_delay
    stands_at = now + timedelta(seconds=delay)
    return StandingMoments(stands_at, stands_at + _TIME_TO_STAND)


class MailMoments(msgspec.Struct, frozen=True):
    """From when on mails tell what happens now: of a result, and of what goes on."""

    goes_on: datetime
    result: datetime


def mailed(now: datetime, until: datetime | None) -> MailMoments:
    """When mails leave of what happens now, if it still holds by then.

    Whoever answers at once, or takes an act back, spares somebody a mail. It takes this
    instance's time, and hardly any of what there is `until` the deadline. A result asks
    nothing: it waits longer for a mail that does.
    """
    settle = timedelta(seconds=config.of(current_app).mail_settle)
    if until is None:
        hours = _FOLDED if settle else settle
        return MailMoments(now + settle, now + hours)
    settle = min(settle, (until - now) * _HARDLY_ANY)
    hours = min(_FOLDED, (until - now) / 4) if settle else settle
    return MailMoments(now + settle, now + hours)


def at_opening(
    options: Options, kind: Kind, now: datetime, people: Sequence[Availability]
) -> Pace | None:
    """The pace of a decision that opens now; None where it waits for ever.

    `people` are all who are asked, whatever they have laid. An election at a pace of a
    day or more holds a whole evening of each of them. Nothing ends in their quiet
    hours, weekends and absences, as far as `postponement` reaches.
    """
    if options.decision_time is None:
        return None
    wanted = timedelta(seconds=options.decision_time)
    earliest = now + (wanted if options.daily_at is None else _LEAST_DAILY)
    if holds_an_evening(options, kind):
        zones = {person.zone for person in people}
        earliest = max([earliest, *(_after_an_evening(now, zone) for zone in zones)])
    on_the_hour = partial(_on_the_hour, options)
    found = postponement.first_suitable(on_the_hour(earliest), people, on_the_hour)
    return _until(found.moment, now, found.waited)


def at_reopening(fresh: Pace, kept: datetime | None, now: datetime) -> Pace:
    """The pace of a decision that is put again: until it would have waited before.

    At least an hour, or as long as a `fresh` one, also off the hour of the day at which
    decisions end: a whole day would be a gift. `kept` is None where nobody knows any
    more.
    """
    if kept is None:
        return fresh
    least = min(now + timedelta(seconds=LEAST), fresh.deadline)
    # Its absences were waited for when it was put first.
    return _until(max(kept, least), now, ())


def _until(deadline: datetime, now: datetime, waited: tuple[Availability, ...]) -> Pace:
    """The pace of a decision that waits from now until a moment."""
    span = deadline - now
    near = deadline - span * _NEAR_THE_END
    return Pace(
        deadline=deadline,
        reminder=now + span / 2,
        last_reminder=near if span >= _LEAST_FOR_TWO else None,
        waited=waited,
    )


def silent_from(opened_at: datetime) -> datetime:
    """From when on anybody at the table may end a wait that has no clock."""
    return opened_at + _SILENCE


def called_off_at(opened_at: datetime) -> datetime:
    """When a game without a clock is called off for want of an answer."""
    return opened_at + _LAST


def holds_an_evening(options: Options, kind: Kind) -> bool:
    """Whether a decision has to wait for an evening of everybody who is asked."""
    wanted = options.decision_time or 0
    return kind is Kind.ELECTION and wanted >= DAY.total_seconds()


def most_for_mails(options: Options) -> timedelta:
    """By how much late mails move the deadline of one decision, in all.

    By its own time, and a day at most: or a table of an hour's pace would wait a day
    for each question that a broken mail server takes from nobody.
    """
    return min(DAY, timedelta(seconds=options.decision_time or USUAL))


def is_late(deadline: datetime, now: datetime) -> bool:
    """Whether a deadline is dealt with so late that nobody is to blame for it."""
    return now - deadline > _LATE


def prolonged(
    options: Options, deadline: datetime, now: datetime, people: Sequence[Availability]
) -> Suitable:
    """The deadline after one that has passed, by spare time; never in the past.

    A whole piece each time: where the worker was away it counts from its return. It
    suits all `people` who were asked, as a decision's first one does.
    """
    later = _later(options, now if is_late(deadline, now) else deadline)
    return postponement.first_suitable(later, people, partial(_on_the_hour, options))


def pause_end(options: Options, since: datetime, days: int) -> datetime:
    """The end of a pause: at the same hour on the wall, where decisions end at one."""
    if options.zone is None:
        return since + days * DAY
    wall = since.astimezone(clocks.zone(options.zone))
    return (wall + days * DAY).astimezone(UTC)


def pause_ended(until: datetime, now: datetime) -> datetime:
    """When a pause was over that should have ended by now: as was said, or just now.

    Who waited for a worker that was away finds their time as it was.
    """
    return until if now - until <= _PUNCTUAL else now


def proposal_end(now: datetime) -> datetime:
    """When a proposal lapses that is made now."""
    return now + _TO_AGREE


def gone_on(
    options: Options,
    waiting: Mapping[DueKind, datetime],
    since: datetime,
    at: datetime,
) -> dict[DueKind, datetime]:
    """Moments of a decision for which the clock stood still from `since` to `at`.

    Each is that much later. A deadline at an hour of the day stays at it, and is late
    enough that nothing is lost but, while much is left, an hour. One that is off it,
    since something was taken back, isn't put off to it.
    """
    moved = {kind: moment + (at - since) for kind, moment in waiting.items()}
    deadline = waiting.get(DueKind.DEADLINE)
    if (
        deadline is not None
        and options.zone is not None
        and deadline == _on_the_hour(options, deadline)
    ):
        zone = clocks.zone(options.zone)
        # Moments of one zone differ by what its clocks show.
        left = deadline.astimezone(zone) - since.astimezone(zone)
        needed = max(timedelta(), left - _HARDLY, min(left, _HARDLY))
        earliest = (at.astimezone(zone) + needed).astimezone(UTC)
        moved[DueKind.DEADLINE] = _on_the_hour(options, earliest)
    return moved


class Longer(msgspec.Struct, frozen=True):
    """What of a decision falls due later, and those for whose absences it waits.

    `added` is what it has more by the terms of the game, whoever is asked: where the
    deadline is yet later, that tells somebody's hours.
    """

    moments: Mapping[DueKind, datetime]
    added: timedelta = timedelta()
    waited: tuple[Availability, ...] = ()


def extended(
    options: Options,
    waiting: Mapping[DueKind, datetime],
    people: Sequence[Availability],
) -> Longer:
    """Deadline and last reminder of a decision a day later: on the wall, if at an hour.

    It suits all `people` who were asked; while the clock stands still there are none.
    What has fallen due stays away, and the first reminder as it is.
    """
    deadline = waiting.get(DueKind.DEADLINE)
    if deadline is None:
        return Longer({})
    later = deadline + DAY
    if options.daily_at is not None:
        later = _on_the_hour(options, deadline + _LEAST_DAILY)
    found = postponement.first_suitable(later, people, partial(_on_the_hour, options))
    moved = {DueKind.DEADLINE: found.moment}
    if DueKind.LAST_REMINDER in waiting:
        last = waiting[DueKind.LAST_REMINDER]
        moved[DueKind.LAST_REMINDER] = last + (found.moment - deadline)
    return Longer(moved, later - deadline, found.waited)


def _later(options: Options, deadline: datetime) -> datetime:
    if options.daily_at is None:
        return deadline + timedelta(seconds=options.decision_time or USUAL)
    return _on_the_hour(options, deadline + _LEAST_DAILY)


def _on_the_hour(options: Options, earliest: datetime) -> datetime:
    """The first moment from `earliest` on at which a decision may end."""
    if options.daily_at is None or options.zone is None:
        return earliest
    zone, hour = clocks.zone(options.zone), time.fromisoformat(options.daily_at)
    return next(each for each in _days(earliest, hour, zone) if each >= earliest)


def _after_an_evening(now: datetime, zone_name: str) -> datetime:
    """The end of the first evening that is yet to begin."""
    (begin, end), zone = _EVENING, clocks.zone(zone_name)
    evenings = zip(_days(now, begin, zone), _days(now, end, zone), strict=False)
    return next(last for first, last in evenings if first >= now)


def _days(since: datetime, hour: time, zone: ZoneInfo) -> Iterator[datetime]:
    """A time of the day, day by day from the day of a moment on, in UTC.

    One that the change to summer time leaves out comes an hour later on the clocks, of
    one that comes twice it is the first.
    """
    day = since.astimezone(zone).date()
    while True:
        wall = datetime.combine(day, hour, zone)
        yield wall.astimezone(UTC)
        day += DAY
