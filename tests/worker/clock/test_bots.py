"""Bots: each answers when it is asked, at a moment that tells nothing."""

import random
from datetime import timedelta

import pytest

from engine.board import Card, Seat
from engine.bots import BOTS
from engine.commands import Answer, Ballot, PlacementOption
from engine.state import Kind
from engine.views import View
from service import config
from service.store import clock
from service.store.due import Claimed
from tests.rig.service import seated
from tests.rig.service.seated import run
from tests.rig.worker import rows
from worker.clock import bots, sweeper


def test_bots_answer_a_second_after_they_were_asked_and_people_never() -> None:
    table = seated.started(3, bots=2)
    seat = table.game.asked()[0]
    if seat == 0:
        table.answer(0, seated.own(table.game, 0).legal[0].answer)
    asked = table.game.asked()
    sweeper.sweep()
    assert table.game.asked() == asked
    clock.shift(timedelta(seconds=config.USUAL_BOT_DELAY))

    sweeper.sweep()

    assert table.game.asked() != asked
    assert run("SELECT DISTINCT source FROM answer WHERE seat > 0") == [("bot",)]


def test_bots_play_on_until_a_person_is_asked() -> None:
    table = seated.started(4, bots=3)
    for _ in range(12):
        if table.game.asked() == (Seat(0),):
            break
        clock.shift(timedelta(seconds=config.USUAL_BOT_DELAY))
        sweeper.sweep()

    assert table.game.asked() == (Seat(0),)
    assert {row[1] for row in rows.due(table.id)} == {
        "deadline",
        "last_reminder",
        "reminder",
    }


def test_bots_vote_and_the_sweep_resolves() -> None:
    table = seated.started(3, bots=2, placement=PlacementOption.RANDOM)
    table.nominate()
    election = table.decision
    assert table.game.decision is not None
    assert table.game.decision.kind is Kind.ELECTION
    table.answer(0, Ballot(Card.YES))
    clock.shift(timedelta(seconds=config.USUAL_BOT_DELAY))

    sweeper.sweep()

    assert table.game.last_decision > election or not table.game.running
    assert rows.events(table.id, "election_resolved") == 1


class Watch:
    """A clock that stands still but for sleeping and thinking."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.mark.parametrize("seconds", [0.0, 0.02, 0.2])
def test_a_bot_answers_at_the_same_moment_however_long_it_thinks(
    seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch, given = Watch(), []

    def think(view: View, chance: random.Random) -> Answer:
        watch.sleep(seconds)
        return BOTS["random"](view, chance)

    def give(row: Claimed, answer: Answer) -> None:
        given.append(watch.now)

    monkeypatch.setattr(sweeper, "time", watch)
    monkeypatch.setattr(bots, "BOTS", {**BOTS, "steady": think})
    monkeypatch.setattr(bots, "give", give)
    table = seated.started(3, bots=2)
    if table.game.asked() == (Seat(0),):
        table.answer(0, seated.own(table.game, 0).legal[0].answer)
    clock.shift(timedelta(seconds=config.USUAL_BOT_DELAY))

    sweeper.sweep()

    assert given == [pytest.approx(100.0 + bots.STEP_SECONDS)]
