"""Simulated games, and faults that are planted to see them found."""

import re
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from flask import Flask

from engine.commands import EXTENSIONS, PlacementOption
from service.game import consequences, pace, timing
from service.game.postponement import Suitable
from service.store.transactions import transaction
from service.values.free_time import FreeTime, QuietHours
from tests.rig.service.seated import run
from tests.rig.simulator import fates, history, invariants, report, runs
from tests.rig.simulator.invariants import Witness
from tests.rig.simulator.mail_server import Mood
from tests.rig.simulator.plans import Means, Plan, plan
from tests.rig.simulator.runs import Place
from tests.rig.simulator.virtual_time import Span
from tests.rig.worker import rows
from worker.clock import sweeper
from worker.outgoing import kind_rules

GAMES = 2
ANSWERED_AHEAD = 1
BY_HTTP = 1


@pytest.fixture
def place(inside: Flask, database: str, environ: dict[str, str]) -> Place:
    """The tests' app, on its empty database."""
    return Place(inside, database, environ)


def short(number: int, means: Means, **more: object) -> Plan:
    """The game of a number, in one round, with characters placed by lot."""
    brief = {"rounds": 1, "placement": PlacementOption.RANDOM, **more}
    return msgspec.structs.replace(plan(number, means), **brief)


def tiny() -> Plan:
    """A game that is soon over, though its people are too slow for its pace."""
    return short(1, Means.HANDLERS, edition="jester", seats=2, bots=0, pace="hour")


@pytest.mark.timeout(900)
def test_games_that_people_play_and_leave_keep_every_promise(place: Place) -> None:
    plans = [
        *(short(number, Means.HANDLERS) for number in range(GAMES)),
        *(
            short(number, Means.HANDLERS, ahead=True)
            for number in range(ANSWERED_AHEAD)
        ),
        *(short(number, Means.HTTP) for number in range(BY_HTTP)),
    ]

    outcomes = runs.play(place, plans, "slow")

    assert len(outcomes) == GAMES + ANSWERED_AHEAD + BY_HTTP
    assert {each.plan.edition for each in outcomes} == {"classic", "jester"}
    assert sum(each.answers.get("clock", 0) for each in outcomes) > 0
    sys.stdout.write("\n".join(["", *report.lines(outcomes), ""]))


def test_a_game_that_one_holds_up_ends_within_the_limit(place: Place) -> None:
    plans = [short(3, Means.HANDLERS, pace="day", griefer=True, edition="classic")]

    (outcome,) = runs.play(place, plans)

    assert rows.events(outcome.game_id, "paused") >= timing.MOST
    assert rows.events(outcome.game_id, "extended") == EXTENSIONS
    assert rows.events(outcome.game_id, "taken_back") > 0
    assert outcome.days <= invariants.WITHIN.days


def an_hour_early(patch: pytest.MonkeyPatch) -> None:
    """Decisions end an hour before their time."""
    made = pace.at_opening

    def early(*terms: object) -> pace.Pace | None:
        found = made(*terms)
        if found is None:
            return None
        sooner = found.deadline - timedelta(hours=0.5)
        return msgspec.structs.replace(found, deadline=sooner)

    patch.setattr(pace, "at_opening", early)


def twice(patch: pytest.MonkeyPatch) -> None:
    """Whoever is asked has two notices of it."""
    made = consequences.notices_of

    def doubled(*args: object) -> tuple[object, ...]:
        found = made(*args)
        again = (msgspec.structs.replace(each, key=f"{each.key}+") for each in found)
        return (*found, *again)

    patch.setattr(consequences, "notices_of", doubled)


def whatever_holds(patch: pytest.MonkeyPatch) -> None:
    """Mails are sent though what they ask is over."""
    patch.setattr(kind_rules, "holds", lambda notice, now: True)


def at_night(patch: pytest.MonkeyPatch) -> None:
    """Spare time ends in the night, which everybody keeps free."""
    quiet = FreeTime(QuietHours("22:00", "08:00"))
    patch.setattr(fates, "free_time", lambda chance: quiet)
    made = pace.prolonged

    def later(*terms: Any) -> Suitable:
        found = made(*terms)
        half_a_day = found.moment + timedelta(hours=12)
        return msgspec.structs.replace(found, moment=half_a_day)

    patch.setattr(pace, "prolonged", later)


def never(patch: pytest.MonkeyPatch) -> None:
    """No sweep finds what is due."""
    patch.setattr(sweeper, "sweep", lambda: None)


@pytest.mark.proof
@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (an_hour_early, "the clock answered [0-9]+ early"),
        (twice, "has 2 notices of"),
        (whatever_holds, "asked what was over"),
        (never, "the worker gets nothing done"),
        (at_night, "was to end by spare time at"),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_a_fault_of_the_service_is_found(
    place: Place,
    monkeypatch: pytest.MonkeyPatch,
    fault: Callable[[pytest.MonkeyPatch], None],
    words: str,
) -> None:
    fault(monkeypatch)

    with pytest.raises(AssertionError, match=words):
        runs.play(place, [tiny()], mood=Mood(later=0.9))


FAULTS = {
    "is due in a game that is over": """INSERT INTO due (game_id, decision, kind, seat,
            due_at, claim_at)
        SELECT id, 1, 'deadline', -1, kingup_now(), kingup_now() FROM game""",
    "is still retry": "UPDATE mail SET state = 'retry', settled_at = NULL",
    "it took [0-9.]+ days": """UPDATE event SET recorded_at = recorded_at
            - interval '300 days'
        WHERE position < (SELECT max(position) FROM event)""",
    "the clock answered .* before": """UPDATE event SET recorded_at = recorded_at
        - interval '1 minute'""",
    "has 0 notices": "DELETE FROM notice WHERE kind IN ('your_turn', 'election')",
    "was told and superseded": "UPDATE notice SET superseded_at = kingup_now()",
    "was never told": """INSERT INTO notice (game_id, key, person_id, seat, kind,
            created_at)
        SELECT id, 'new', host_id, 0, 'result', started_at FROM game""",
}
"""What is said of a game whose rows are changed, and how."""


def test_rows_and_mails_that_break_a_promise_are_found(place: Place) -> None:
    with runs.simulation(place, "", Mood()) as running:
        running.play([tiny()])
        witness = running.witness

    assert found_with("SELECT 1", witness) == ""
    for words, change in FAULTS.items():
        assert re.search(words, found_with(change, witness)), words
    (game_id,) = witness.over
    letter = witness.letters[game_id][-1]
    copy = msgspec.structs.replace(letter, message_id="<another>")
    witness.letters[game_id].append(copy)
    assert "was told in 2 mails" in found_with("SELECT 1", witness)


def found_with(change: str, witness: Witness) -> str:
    """What is found with a change, which is undone afterwards."""
    (game_id,) = witness.over
    found: list[str] = []
    with suppress(Undone), transaction():
        run(change)
        found += invariants.faults(game_id, history.read(game_id), witness)
        raise Undone
    return "\n".join(found)


class Undone(Exception):
    """Nothing of it shall stay."""


@pytest.mark.proof
def test_a_miss_in_an_outage_or_after_its_time_is_found(place: Place) -> None:
    with runs.simulation(place, "", Mood()) as running:
        running.play([msgspec.structs.replace(tiny(), misses=1)])
        witness = running.witness
    (game_id,) = witness.over
    course = history.read(game_id)
    always = Span(course.began_at, course.ended_at)

    assert course.kept
    witness.outages.append(always)
    assert re.search("the clock answered [0-9]+ early", found_with("SELECT 1", witness))
    witness.outages.remove(always)
    sooner = timedelta(minutes=5)
    witness.deadlines = {key: at - sooner for key, at in witness.deadlines.items()}
    assert "a bot took seat" in found_with("SELECT 1", witness)
