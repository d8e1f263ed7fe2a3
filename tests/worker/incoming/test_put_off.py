"""Mails that nothing is wrong with, and nobody can handle yet: they wait, and act."""

from datetime import timedelta

from service.store import clock
from tests.rig.service.seated import Seated, run
from tests.rig.worker.answered import Mailboxes, deliver, journal, mail, to_move
from worker.incoming import handling

WAIT = "SELECT round(extract(epoch FROM claim_at - kingup_now())) FROM incoming_mail"
"""For how many seconds the one mail that waits is left alone."""


def by_newer(table: Seated, steps: int) -> None:
    """Have a process written a game that is newer by so many versions."""
    of = {"g": table.id, "n": steps}
    run("UPDATE game SET snapshot_format = snapshot_format + :n WHERE id = :g", of)
    run("UPDATE event SET version = version + :n WHERE game_id = :g", of)


def test_what_only_a_newer_process_can_handle_waits_for_it_and_acts(
    boxes: Mailboxes,
) -> None:
    table, seat, name = to_move()
    number = table.decision
    raw = mail(table, boxes.asked(table, seat), f"move {name}")

    by_newer(table, 1_000)
    deliver(raw)
    waits = []
    for hours in (0, 1, 5, 40):
        clock.shift(timedelta(hours=hours, seconds=10))
        handling.sweep()
        ((wait,),) = run(WAIT)
        waits.append(wait)
    assert run("SELECT attempts FROM incoming_mail") == [(0,)]
    assert journal() == []
    by_newer(table, -1_000)
    clock.shift(timedelta(hours=1))
    handling.sweep()

    assert waits == sorted(waits)
    assert waits[0] < 60
    assert waits[-1] == 3600
    assert journal() == ["read"]
    assert table.decision == number + 1
