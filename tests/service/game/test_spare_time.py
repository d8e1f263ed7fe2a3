"""Spare time: used a piece at a time by whoever still owes an answer."""

import threading
from datetime import UTC, datetime, time, timedelta

import pytest
from flask import Flask

from engine.board import Card
from engine.commands import Ballot, PlacementOption
from service.game import table_acts, time_up
from service.people import absences
from service.people.absences import AbsenceWish
from service.store import clock
from service.store.transactions import transaction
from service.values.enums import AbsenceChoice, DueKind
from tests.rig.service import seated
from tests.rig.service.deadlines import deadline, sweep_after
from tests.rig.service.programs import Api, Table
from tests.rig.service.seated import Seated, run

PIECE = timedelta(seconds=seated.PACE)

pytestmark = pytest.mark.usefixtures("inside")


def in_election(spare: int) -> Seated:
    lot = PlacementOption.RANDOM
    table = seated.started(3, spare=spare, rounds=1, placement=lot)
    table.nominate()
    return table


def used(table: Seated) -> list[int]:
    rows = run(
        "SELECT spare_used FROM seat WHERE game_id = :g ORDER BY number",
        {"g": table.id},
    )
    return [int(pieces) for (pieces,) in rows]


def reminders(table: Seated) -> list[int]:
    found = run(
        "SELECT seat FROM notice WHERE game_id = :g AND kind = 'reminder'"
        " ORDER BY seat",
        {"g": table.id},
    )
    return [int(seat) for (seat,) in found]


def test_whoever_owes_an_answer_goes_on_piece_by_piece_until_the_clock_plays() -> None:
    table = seated.started(3, spare=2)
    (asked,), decision, end = table.game.asked(), table.decision, deadline(table)

    for piece in (1, 2):
        sweep_after(PIECE)

        assert table.decision == decision
        assert used(table) == [piece if seat == asked else 0 for seat in range(3)]
        assert deadline(table) == end + piece * PIECE
    sweep_after(PIECE)

    assert table.decision == decision + 1
    assert used(table)[asked] == 2


def test_each_piece_is_a_reminder_of_its_own() -> None:
    table = seated.started(3, spare=3)
    (asked,) = table.game.asked()

    for pieces in (1, 2, 3):
        sweep_after(PIECE)
        # The two of the time that there was at first would hurry for what is up.
        assert reminders(table) == [asked] * pieces


@pytest.mark.parametrize("up_first", [False, True])
def test_of_what_is_up_nobody_is_reminded_whichever_a_late_worker_finds_first(
    *, up_first: bool
) -> None:
    table = seated.started(3, spare=1)
    (asked,) = table.game.asked()
    clock.shift(PIECE + timedelta(seconds=1))

    if up_first:
        time_up.run_out(table.id, 1)
    for kind in (DueKind.REMINDER, DueKind.LAST_REMINDER):
        time_up.remind(table.id, 1, kind=kind, when_due=True)
    if not up_first:
        time_up.run_out(table.id, 1)

    assert reminders(table) == [asked]


def test_each_piece_reminds_all_who_owe_however_much_each_has_used() -> None:
    table = in_election(spare=3)
    run(
        "UPDATE seat SET spare_used = 2 WHERE game_id = :g AND number = 0",
        {"g": table.id},
    )
    table.answer(1, Ballot(Card.YES))

    # Seat 0 pays its third piece with the first, and after that only seat 2 pays.
    for pieces in (1, 2, 3):
        sweep_after(PIECE)
        assert reminders(table) == [0] * pieces + [2] * pieces


def test_what_reminds_of_a_piece_tells_nobody_who_has_used_how_much() -> None:
    table = in_election(spare=3)
    used_up = "UPDATE seat SET spare_used = 2 WHERE game_id = :g AND number = 0"
    run(used_up, {"g": table.id})
    sweep_after(PIECE)

    keys = run(
        "SELECT key FROM notice WHERE game_id = :g AND key LIKE '%/spare%'",
        {"g": table.id},
    )
    assert len({key.rpartition("/")[0] for (key,) in keys}) == 1
    assert f"{deadline(table):%Y-%m-%dT%H:%M:%SZ}" in keys[0][0]


def test_in_an_election_those_pay_who_have_laid_no_card_and_it_is_shown_then() -> None:
    table = in_election(spare=2)
    decision = table.decision
    table.answer(1, Ballot(Card.YES))
    sweep_after(PIECE)
    assert used(table) == [1, 0, 1]
    assert run("SELECT laid FROM game WHERE id = :g", {"g": table.id}) == [([1],)]

    table.answer(2, Ballot(Card.YES))
    # A card tells nothing before the next piece.
    assert used(table) == [1, 0, 1]
    assert run("SELECT laid FROM game WHERE id = :g", {"g": table.id}) == [([1],)]
    sweep_after(PIECE)

    assert used(table) == [2, 0, 1]
    assert run("SELECT laid FROM game WHERE id = :g", {"g": table.id}) == [([1, 2],)]
    sweep_after(PIECE)
    assert run("SELECT decision FROM event WHERE type = 'election_resolved'") == [
        (decision,)
    ]


def test_it_goes_on_for_all_while_one_of_them_has_some_left() -> None:
    table = in_election(spare=1)
    run(
        "UPDATE seat SET spare_used = 1 WHERE game_id = :g AND number <> 2",
        {"g": table.id},
    )
    decision = table.decision

    sweep_after(PIECE)

    assert (table.decision, used(table)) == (decision, [1, 1, 1])


def go_away(table: Seated, seat: int, days: int) -> datetime:
    """Somebody is away from tomorrow on; when their next questions may end."""
    run("UPDATE person SET zone = 'UTC'")
    with transaction():
        today = clock.now().astimezone(UTC).date()
    first, last = today + timedelta(days=1), today + timedelta(days=days)
    wish = AbsenceWish(first, last, AbsenceChoice.WAIT)
    absences.announce(seated.person_on(table.id, seat), wish)
    return datetime.combine(last + timedelta(days=1), time(9), UTC)


def test_no_piece_passes_in_announced_days_and_they_count() -> None:
    table = seated.started(3, spare=2)
    (asked,) = table.game.asked()
    back = go_away(table, asked, 6)
    wanted = (deadline(table) + PIECE).astimezone(UTC).date()

    sweep_after(PIECE)

    assert deadline(table) == back
    assert used(table)[asked] == 1
    waited = "SELECT away_days FROM seat WHERE game_id = :g AND number = :s"
    assert run(waited, {"g": table.id, "s": asked}) == [((back.date() - wanted).days,)]


@pytest.mark.parametrize("laid", [0, 1, 2])
def test_a_piece_ends_as_suits_all_who_were_asked_whoever_has_laid(laid: int) -> None:
    table = in_election(spare=2)
    back = go_away(table, 2, 6)
    table.answer(laid, Ballot(Card.YES))

    sweep_after(PIECE)

    assert deadline(table) == back


def test_for_whoever_a_bot_plays_by_now_no_piece_waits() -> None:
    table = in_election(spare=2)
    back = go_away(table, 2, 6)
    table_acts.depart(table.id, table.holder(2), 2)

    sweep_after(PIECE)

    assert deadline(table) < back - timedelta(days=2)


def test_many_who_come_at_once_use_one_piece(inside: Flask) -> None:
    table = seated.started(3, spare=6)
    decision = table.decision
    clock.shift(PIECE)

    def run_out() -> None:
        with inside.app_context():
            time_up.run_out(table.id, decision)

    threads = [threading.Thread(target=run_out) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert (table.decision, sum(used(table))) == (decision, 1)


def test_after_a_worker_was_away_for_days_nothing_ends_in_the_past() -> None:
    table = seated.started(3, spare=6)
    decision = table.decision

    sweep_after(2 * PIECE + timedelta(hours=1))

    assert table.decision == decision
    assert sum(used(table)) == 1
    assert deadline(table) > clock.now()


def test_everybody_sees_what_is_used_and_the_new_end(api: Api) -> None:
    table = Table(api, spare=1)
    before = table.view()
    with api.app.app_context():
        sweep_after(timedelta(seconds=table.view().json["options"]["decision_time"]))

    after = api.get(
        f"/v1/games/{table.id}/view", **{"If-None-Match": before.headers["ETag"]}
    )

    assert after.status_code == 200
    assert [seat["spare_used"] for seat in after.json["seats"]] == [
        int(seat == table.asked) for seat in range(3)
    ]
    assert after.json["options"]["spare"] == 1
    assert after.json["decision"]["deadline"] > before.json["decision"]["deadline"]
