"""Hints for the worker: what follows in many games travels as one."""

import pytest
from flask import Flask

from service.game import task_hints
from service.game.task_hints import DELIVER, FOLLOW_UP
from service.store.transactions import transaction
from tests.rig.parts import wait_until
from tests.rig.service import hints

pytestmark = pytest.mark.usefixtures("inside")


def test_what_follows_in_many_games_leaves_as_one_with_elections_first(
    inside: Flask,
) -> None:
    wanted = [
        (FOLLOW_UP, ("one",)),
        (DELIVER, ("mail",)),
        (FOLLOW_UP, ("two", 7)),
        (FOLLOW_UP, ("three",)),
    ]

    inside.extensions["kingup_task_hints"]._publish_all(wanted)

    games = [("two", 7), ("one",), ("three",)]
    assert hints.waiting(inside, FOLLOW_UP) == [(games,)]
    assert hints.waiting(inside, DELIVER) == [("mail",)]


def undone() -> None:
    with transaction():
        task_hints.send(FOLLOW_UP, "undone")
        raise LookupError


def test_a_hint_leaves_after_the_commit_and_never_without_one(inside: Flask) -> None:
    with pytest.raises(LookupError):
        undone()

    with transaction():
        task_hints.send(FOLLOW_UP, "done")

    wait_until(lambda: hints.waiting(inside, FOLLOW_UP), "the hint")
    assert hints.waiting(inside, FOLLOW_UP) == [([("done",)],)]
