"""What was promised of every game, held to its log, its notices and its mails."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec

from engine.events import ActedBy
from tests.rig.service.seated import run
from tests.rig.simulator import ends, history
from tests.rig.simulator.history import Course
from tests.rig.simulator.mail_server import Delivery
from tests.rig.simulator.people import Person
from tests.rig.simulator.plans import Plan
from tests.rig.simulator.virtual_time import Span

WITHIN: Final = timedelta(weeks=16)
"""Every game of a pace of a day or less is over by then."""

_FOR_EACH: Final = timedelta(days=21 + 2 * 7)
"""So long a game waits for each of its people, by absences and pauses, beyond that."""

_EXTENDED: Final = timedelta(days=3)

_PUNCTUAL: Final = timedelta(minutes=1)
_LEAST_DAILY: Final = timedelta(hours=12)
_CALLED_OFF: Final = timedelta(days=60)
"""After so long without an answer a game without a clock is over."""

_LEAST_AGAIN: Final = timedelta(hours=1)
"""So long a question is open at least that is put again."""

_DAY: Final = 24 * 60 * 60

EXPIRED: Final = "expired"
"""The end of a table that never filled up."""

_ASKING: Final = ("your_turn", "election")
_RESULTS: Final = ("started", "result", "round_over", "game_over")

_FOLDED: Final = ("started", "result", "round_over")

_DEADLINES: Final = """SELECT game_id, decision, due_at FROM due
    WHERE kind = 'deadline' AND claim_at < 'infinity'"""
_OVER: Final = "SELECT id FROM game WHERE status = 'over'"
_LEFT: Final = "SELECT kind FROM due WHERE game_id = :g"
_UNSETTLED: Final = """SELECT message_id, state FROM mail
    WHERE game_id = :g AND settled_at IS NULL"""
_NOTICES: Final = """SELECT n.key, n.kind, n.seat, n.decision, n.superseded_at,
        m.state, m.accepted_maybe
    FROM notice n LEFT JOIN mail m ON m.person_id = n.person_id AND m.id = n.mail_id
    WHERE n.game_id = :g AND n.created_at < :end ORDER BY n.key"""


class Broken(AssertionError):
    """A promise that was not kept, and in which game."""


class Outcome(msgspec.Struct, frozen=True):
    """What a game came to: how long it took, and how many mails went to its people."""

    plan: Plan
    game_id: UUID
    reason: str
    days: float = 0
    decisions: int = 0
    waits: int = 0
    answers: dict[str, int] = {}
    waited: list[float] = []
    """Hours that people took who answered themselves."""
    mails: dict[str, int] = {}
    folded: int = 0
    """Starts and results that were told by a mail that asks, and made none."""
    kept: int = 0
    """Seats that a bot had come to keep by the end."""


class Witness:
    """What can only be seen while it happens: mails as they came, deadlines as set."""

    def __init__(self) -> None:
        self.outages: list[Span] = []
        self.over: set[UUID] = set()
        self.letters: dict[UUID, list[Delivery]] = defaultdict(list)
        self.deadlines: dict[tuple[UUID, int], datetime] = {}
        self.ends: dict[tuple[UUID, int], list[Span]] = defaultdict(list)

    def keep(self, letter: Delivery) -> None:
        """Keep a mail as it came."""
        for game_id in {told.game_id for told in letter.told}:
            self.letters[game_id].append(msgspec.structs.replace(letter, raw=b""))

    def look(self, now: datetime) -> list[UUID]:
        """Note how things stand now; the games that have ended since the last look.

        Raises Broken for a deadline that has passed, and for which nothing was done.
        """
        for (game_id, decision), at in self.note(now).items():
            if at < now - _PUNCTUAL:
                raise Broken(f"{game_id}: deadline of {decision} passed at {at}: {now}")
        ended = [row[0] for row in run(_OVER) if row[0] not in self.over]
        self.over.update(ended)
        return ended

    def note(self, now: datetime) -> dict[tuple[UUID, int], datetime]:
        """Note the deadlines as they stand now; those that are open."""
        open_ones = {(game, number): at for game, number, at in run(_DEADLINES)}
        for key, at in open_ones.items():
            if at != self.deadlines.get(key):
                self.ends[key].append(Span(now, at))
        self.deadlines.update(open_ones)
        return open_ones


def examine(plan: Plan, people: Sequence[Person], witness: Witness) -> Outcome:
    """Hold a game that is over to every promise; what it came to. Raises Broken."""
    game_id = people[0].game_id
    begun = history.has_begun(game_id)
    course = history.read(game_id) if begun else None
    found = list(
        _left_over(game_id)
        if course is None
        else faults(game_id, course, witness, people)
    )
    if found:
        raise Broken(f"{plan}, game {game_id}:\n" + "\n".join(found))
    return _outcome(plan, game_id, course, witness.letters[game_id])


def faults(
    game_id: UUID, course: Course, witness: Witness, people: Sequence[Person] = ()
) -> Iterator[str]:
    """What wasn't kept of all that was promised of a game."""
    yield from _left_over(game_id)
    yield from _too_long(course)
    yield from _fired(game_id, course, witness)
    yield from _blamed(game_id, course, witness)
    yield from ends.unsuitable(course, witness.ends, people)
    yield from _asked(game_id, course)
    yield from _told(game_id, course, witness.letters[game_id])


def _left_over(game_id: UUID) -> Iterator[str]:
    for (kind,) in run(_LEFT, {"g": game_id}):
        yield f"{kind} is due in a game that is over"
    for message_id, state in run(_UNSETTLED, {"g": game_id}):
        yield f"mail {message_id} is still {state}"


def longest(course: Course) -> timedelta:
    """How long a game of this course may have taken at most."""
    options, seats = course.game.table, len(course.game.seats)
    more = _FOR_EACH * seats + _EXTENDED
    if options.decision_time is None:
        return _CALLED_OFF * len(course.opened)
    step = timedelta(seconds=options.decision_time)
    if step <= timedelta(seconds=_DAY):
        return WITHIN + more
    # Each decision is answered in its time; beyond that there is only spare time.
    return step * (len(course.opened) + options.spare * seats) + more


def _too_long(course: Course) -> Iterator[str]:
    if course.ended_at - course.began_at > longest(course):
        yield f"it took {course.days:.1f} days"


def _fired(game_id: UUID, course: Course, witness: Witness) -> Iterator[str]:
    """Deadlines: none fires early, none twice."""
    options = course.game.table
    least = timedelta(seconds=options.decision_time or 0)
    if options.daily_at is not None:
        least = _LEAST_DAILY
    hands: Counter[tuple[int, int]] = Counter()
    for at, decision, seat, source, _ in course.answered:
        hands[decision, seat] += 1
        if source != ActedBy.CLOCK:
            continue
        opened = course.opened[decision]
        lost = sum(map(Span(opened, at).within, witness.outages), timedelta(0))
        asked_for = _LEAST_AGAIN if decision in course.reopened else least
        if at < opened + asked_for + lost:
            yield f"the clock answered {decision} early, at {at}"
        told = witness.deadlines.get((game_id, decision))
        if told is None or at < told:
            yield f"the clock answered {decision} at {at}, before {told}"
    for (number, chair), times in hands.items():
        if times > 1:
            yield f"{number} was answered {times} times for seat {chair}"


def _blamed(game_id: UUID, course: Course, witness: Witness) -> Iterator[str]:
    """No bot comes for what somebody let pass while the service was away.

    Whatever the clock answered late, nobody is to blame for.
    """
    answered = {(each.decision, each.seat): each.at for each in course.answered}
    for at, seat, misses in course.kept:
        blamed = [
            number
            for number in misses
            if answered[number, seat] <= witness.deadlines[game_id, number] + _PUNCTUAL
        ]
        if len(blamed) < course.game.table.misses:
            yield f"a bot took seat {seat} at {at}, after {blamed} of {misses}"


class _Notice(NamedTuple):
    key: str
    kind: str
    seat: int
    decision: int | None
    superseded_at: datetime | None
    state: str | None
    accepted_maybe: bool | None


def _notices(game_id: UUID, course: Course) -> list[_Notice]:
    """Those of the game's time: what comes later may be on its way."""
    end = course.ended_at + timedelta(hours=1)
    rows: list[Any] = run(_NOTICES, {"g": game_id, "end": end})
    return [_Notice(*row) for row in rows]


def _asked(game_id: UUID, course: Course) -> Iterator[str]:
    """Each change of who must act makes exactly one notice."""
    wanted = Counter((each.decision, int(each.seat)) for each in course.asked)
    made = Counter(
        (each.decision, each.seat)
        for each in _notices(game_id, course)
        if each.kind in _ASKING
    )
    for decision, seat in sorted({*wanted, *made}, key=repr):
        found, right = made[decision, seat], wanted[decision, seat]
        if found != right:
            yield f"seat {seat} has {found} notices of {decision}, not {right}"


def _told(game_id: UUID, course: Course, letters: list[Delivery]) -> Iterator[str]:
    """Each notice is in one mail or superseded, and no mail asks what is over."""
    carriers: dict[str, set[str]] = defaultdict(set)
    for letter in letters:
        for told in letter.told:
            carriers[told.key].add(letter.message_id)
            if told.stale:
                yield f"{letter.message_id} asked what was over: {told}"
    for notice in _notices(game_id, course):
        mails = carriers[notice.key]
        if len(mails) > 1:
            yield f"{notice.key} was told in {len(mails)} mails"
        # One that was taken in a line that broke is told, but nobody can know.
        if mails and notice.superseded_at is not None and not notice.accepted_maybe:
            yield f"{notice.key} was told and superseded"
        if not mails and notice.superseded_at is None and notice.state != "failed":
            yield f"{notice.key} was never told: {notice}"


def _outcome(
    plan: Plan, game_id: UUID, course: Course | None, letters: list[Delivery]
) -> Outcome:
    mails = Counter(kind_of(letter) for letter in letters)
    if course is None:
        return Outcome(plan, game_id, EXPIRED, mails=mails)
    asked = {(each.decision, each.seat): each.at for each in course.asked}
    waited = [
        (at - asked[decision, seat]).total_seconds() / 3600
        for at, decision, seat, source, _ in course.answered
        if source == ActedBy.SEAT and (decision, seat) in asked
    ]
    return Outcome(
        plan=plan,
        game_id=game_id,
        reason=course.game.reason or "",
        days=course.days,
        decisions=len(course.opened),
        waits=course.waits,
        answers=Counter(str(each.source) for each in course.answered),
        waited=waited,
        mails=mails,
        folded=sum(map(folded_in, letters)),
        kept=sum(map(bool, course.game.kept)),
    )


def kind_of(letter: Delivery) -> str:
    """What a mail is for, by the most urgent of what it tells."""
    kinds = {told.kind for told in letter.told}
    if kinds & set(_ASKING):
        return "asks"
    if "reminder" in kinds:
        return "reminders"
    return "results" if kinds & set(_RESULTS) else "other"


def folded_in(letter: Delivery) -> int:
    """How many starts and results a mail tells that asks something."""
    return sum(each.kind in _FOLDED for each in letter.told) if letter.asks else 0
