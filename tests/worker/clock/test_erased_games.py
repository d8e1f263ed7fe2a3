"""Practice games and drafts are erased when their time is over, and nothing else is."""

import random
from datetime import timedelta

from flask import Flask

from service.models.tables import Base
from service.store import clock
from service.tables import practice
from tests.rig.service import seated
from tests.rig.service.seated import run
from worker.clock import retention

DAY = timedelta(days=1)


def rows_but(*kept: str) -> dict[str, int]:
    """How many rows each table has that isn't empty."""
    counts = {
        table: run(f'SELECT count(*) FROM "{table}"')[0][0]
        for table in Base.metadata.tables
        if table not in ("clock", *kept)
    }
    return {table: count for table, count in counts.items() if count}


def test_nothing_is_left_of_a_practice_game_a_day_after_its_last_answer(
    inside: Flask,
) -> None:
    begun = practice.practise("Rita")
    run(
        "INSERT INTO kept_answer (principal, key, fingerprint, game_id)"
        f" VALUES ('a', 'k', 'f', '{begun.game_id}')"
    )
    table, chance = seated.Seated(begun.game_id), random.Random(1)
    for _ in range(2):
        clock.shift(DAY - timedelta(minutes=1))
        retention.tidy()
        table.step(chance)
    clock.shift(DAY - timedelta(minutes=1))
    retention.tidy()
    assert rows_but()["token"] == rows_but()["person"] == 1

    clock.shift(timedelta(minutes=2))
    retention.tidy()

    assert rows_but() == {}


def test_more_practice_games_than_one_batch_are_all_erased(inside: Flask) -> None:
    for _ in range(retention.BATCH + 2):
        practice.practise("Rita")
    table = seated.started(3)
    clock.shift(DAY + timedelta(minutes=1))

    retention.tidy()

    assert run("SELECT id FROM game") == [(table.id,)]
    assert run("SELECT count(*) FROM person") == [(3,)]


def test_a_draft_is_forgotten_after_a_week_with_whoever_was_named_for_it(
    inside: Flask,
) -> None:
    seated.draft(3)
    confirmed = seated.draft(3, tag="+kept")
    seated.confirm(confirmed)
    known = seated.started(3)
    run(
        "UPDATE seat SET person_id = (SELECT person_id FROM seat"
        " WHERE game_id = :known AND number = 1) WHERE number = 2"
        " AND game_id IN (SELECT id FROM game WHERE status = 'draft')",
        {"known": known.id},
    )
    clock.shift(7 * DAY - timedelta(minutes=1))
    retention.tidy()
    before = run("SELECT count(*) FROM game")

    clock.shift(timedelta(minutes=2))
    retention.tidy()

    assert before == [(3,)]
    assert {row[0] for row in run("SELECT id FROM game")} == {confirmed, known.id}
    left = [row[0] for row in run("SELECT address FROM person ORDER BY address")]
    assert "rachel@example.org" not in left
    assert "simon@example.org" not in left
    assert len([address for address in left if "+kept" in address]) == 3
