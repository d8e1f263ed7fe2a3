"""Mails wait for the end of their reader's quiet hours, but for what can't."""

from datetime import timedelta

import pytest

from engine.board import Card
from engine.commands import Ballot
from service.people import accounts, remembered_browsers
from service.people.accounts import AccountChange
from service.store import clock, games
from service.values.free_time import QuietHours
from service.values.principals import System
from service.web.play import fresh_links
from tests.rig.service import seated
from tests.rig.service.deadlines import deadline
from tests.rig.service.seated import Seated, run
from tests.rig.worker import rows
from tests.rig.worker.mail_server import Sink, deliver_due, send

HOUR = timedelta(hours=1)
HOURS = timedelta(hours=3)


def quiet_for_three_hours(table: Seated, seat: int) -> None:
    """Somebody's quiet hours began an hour ago."""
    now = clock.now()
    hours = QuietHours(f"{now - HOUR:%H:%M}", f"{now + HOURS:%H:%M}")
    wish = AccountChange(zone="UTC", quiet_hours=hours)
    accounts.change(seated.person_on(table.id, seat), wish, None)


def in_election() -> Seated:
    """An open election of which nothing is mailed yet, at night for Rachel."""
    table = seated.in_election(3)
    run("UPDATE notice SET superseded_at = now() WHERE kind <> 'election'")
    quiet_for_three_hours(table, 0)
    return table


def readers(sink: Sink) -> list[str]:
    return sorted(letter.to.partition("+")[0] for letter in sink.letters)


def test_a_question_waits_for_the_morning_of_its_reader_and_of_nobody_else(
    sink: Sink,
) -> None:
    table = in_election()
    before = deadline(table)

    send(table.id)
    assert readers(sink) == ["simon", "terry"]
    clock.shift(HOURS - timedelta(minutes=2))
    deliver_due()
    assert readers(sink) == ["simon", "terry"]
    clock.shift(timedelta(minutes=2))
    deliver_due()

    assert readers(sink) == ["rachel", "simon", "terry"]
    assert deadline(table) == before
    assert run("SELECT max(attempts) FROM mail") == [(1,)]


def test_all_of_a_night_is_one_mail_of_what_still_holds(sink: Sink) -> None:
    table = in_election()
    send(table.id)
    table.lay([Card.YES, Card.YES, Card.NO])
    table.resolve()
    send(table.id)

    clock.shift(HOURS)
    deliver_due()

    (letter,) = [each for each in sink.letters if each.to.startswith("rachel")]
    assert rows.superseded(table.id).count("election") == 1
    assert "No" in letter.text
    assert letter.notice != "election"


def test_what_would_end_within_an_hour_of_the_morning_leaves_at_once(
    sink: Sink,
) -> None:
    table = seated.started(3, decision_time=3 * 3600)
    run("UPDATE notice SET superseded_at = now() WHERE kind <> 'your_turn'")
    (seat,) = table.game.asked()
    quiet_for_three_hours(table, int(seat))

    send(table.id)

    assert readers(sink) == [seated.NAMES[seat].lower()]


@pytest.mark.parametrize("page", ["over", "browser"])
def test_who_waits_at_a_page_has_the_mail_at_night(sink: Sink, page: str) -> None:
    table = in_election()
    send(table.id)
    before = len(readers(sink))

    seen = games.read(table.id, System())
    link = seated.link(table.id, 0, "decision")
    assert seen is not None
    if page == "over":
        assert fresh_links.mail(seen, link)
    else:
        remembered_browsers.ask(table.id, link.person_id, 0)
    send(table.id)

    assert readers(sink).count("rachel") == 1
    assert len(readers(sink)) == before + 1


def test_who_answers_at_night_is_not_asked_in_the_morning(sink: Sink) -> None:
    table = in_election()
    send(table.id)
    table.answer(0, Ballot(Card.YES))

    clock.shift(HOURS)
    deliver_due()

    assert readers(sink) == ["simon", "terry"]
    assert rows.states(table.id)["superseded"] == 1
