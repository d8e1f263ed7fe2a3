"""Mails say what comes when the time is up: first what spare time there is."""

from datetime import timedelta

import pytest

from engine.commands import PlacementOption
from service.store import clock
from tests.rig.letters import Letter
from tests.rig.service import replaced, seated
from tests.rig.service.seated import Seated, run
from tests.rig.worker.mail_server import Sink, send
from worker.clock import sweeper

LOT = "the choice is made by lot."
YES = "the clock lays Yes for whoever is missing."


def asked(sink: Sink, table: Seated, seat: int) -> Letter:
    send(table.id)
    address = replaced.address_on(table, seat)
    return [each for each in sink.letters if each.to == address][-1]


def used(table: Seated, *pieces: int) -> None:
    for seat, count in enumerate(pieces):
        run(
            "UPDATE seat SET spare_used = :n WHERE game_id = :g AND number = :s",
            {"n": count, "g": table.id, "s": seat},
        )


@pytest.mark.parametrize(
    ("hours", "left", "said"),
    [
        (24, 5, "Then you go on for a day more, up to 5 times in this game, and"),
        (48, 1, "Then you go on for 2 days more, once in this game, and"),
        (6, 2, "Then you go on for 6 hours more, up to 2 times in this game, and"),
    ],
)
def test_who_has_spare_time_is_told_that_it_is_used_first(
    sink: Sink, hours: int, left: int, said: str
) -> None:
    table = seated.started(3, decision_time=hours * 3600, spare=6)
    seat = int(table.game.asked()[0])
    used(table, *(6 - left if each == seat else 6 for each in range(3)))

    letter = asked(sink, table, seat)

    whole = f"{said} after that {LOT}"
    assert whole in letter.text.splitlines()
    assert whole in letter.html
    assert f"After that {LOT}" not in letter.text


def test_who_has_none_left_is_told_as_before(sink: Sink) -> None:
    table = seated.started(3, decision_time=24 * 3600, spare=6)
    seat = int(table.game.asked()[0])
    used(table, *(6 if each == seat else 0 for each in range(3)))

    letter = asked(sink, table, seat)

    assert f"After that {LOT}" in letter.text.splitlines()


def test_everybody_in_an_election_is_told_their_own_alone(sink: Sink) -> None:
    lot = PlacementOption.RANDOM
    table = seated.started(3, decision_time=24 * 3600, spare=6, placement=lot)
    used(table, 6, 5, 0)
    table.nominate()

    texts = [asked(sink, table, seat).text for seat in range(3)]

    assert f"After that {YES}" in texts[0].splitlines()
    assert f"a day more, once in this game, and after that {YES}" in texts[1]
    assert f"a day more, up to 6 times in this game, and after that {YES}" in texts[2]


def test_a_reminder_counts_what_was_used_meanwhile(sink: Sink) -> None:
    table = seated.started(3, decision_time=24 * 3600, spare=2)
    seat = int(table.game.asked()[0])
    send(table.id)

    clock.shift(timedelta(hours=24, minutes=1))
    sweeper.sweep()
    letter = asked(sink, table, seat)

    assert letter.notice == "reminder"
    assert "Then you go on for a day more, once in this game" in letter.text
