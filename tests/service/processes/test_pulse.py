"""The sign of life of web processes: there exactly while people can answer."""

import psycopg
import pytest
from flask import Flask

from service.processes import pulse
from service.processes.pulse import Pulse
from tests.rig.service.seated import run

pytestmark = pytest.mark.usefixtures("inside")

SIGNS = "SELECT at FROM sign_of_life WHERE name = 'web'"


def test_whoever_can_answer_says_so(inside: Flask) -> None:
    pulse.beat(inside)

    assert len(run(SIGNS)) == 1


def test_one_process_speaks_for_all_that_are_alive(inside: Flask) -> None:
    pulse.beat(inside)
    before = run(SIGNS)

    pulse.beat(inside)

    assert run(SIGNS) == before


def test_a_database_that_is_too_old_takes_no_answers(inside: Flask) -> None:
    [(version,)] = run("SELECT version_num FROM alembic_version")
    run("UPDATE alembic_version SET version_num = '0035'")
    try:
        pulse.beat(inside)

        assert run(SIGNS) == []
    finally:
        run("UPDATE alembic_version SET version_num = :v", {"v": version})


def test_a_row_that_somebody_holds_stops_nothing_but_this_sign(
    inside: Flask, outside: psycopg.Connection
) -> None:
    pulse.beat(inside)
    run("UPDATE sign_of_life SET at = at - interval '1 hour'")
    before = run(SIGNS)
    outside.execute("SELECT FROM sign_of_life FOR UPDATE")

    pulse.beat(inside)

    assert run(SIGNS) == before


def test_a_process_whose_main_thread_hangs_is_not_alive(
    inside: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    heart = Pulse(inside)
    monkeypatch.setattr(pulse, "_HUNG_SECONDS", 0.0)
    heart.beat()
    assert run(SIGNS) == []
    monkeypatch.undo()

    heart.feel()
    heart.beat()

    assert len(run(SIGNS)) == 1
