"""Whatever waits for people has an end, and the page says which."""

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest
from flask import Flask

from engine.commands import Options
from service.game import time_up
from service.people import deletion
from service.store import clock, tables
from service.store import expiry as expirystore
from service.store.transactions import transaction
from service.tables import creation, expiry, joining, options, rematch, seat_changes
from service.tables.creation import BotSeat, OpenSeat, TableWish
from service.values.errors import NotFound
from tests.rig.browser import Page
from tests.rig.service import seated
from tests.rig.service.hosts import SIMON
from tests.rig.service.seated import run, status
from tests.rig.service.visitor import Visitor
from tests.rig.worker import rows
from tests.rig.worker.mail_server import Sink, send
from tests.rig.worker.people import somebody
from worker.clock import retention, sweeper

PAGE = Path(__file__).parents[3] / "docs" / "architecture.md"
DAY = timedelta(days=1)
WARNED_AFTER = (expirystore.IDLE_DAYS - expirystore.WARNING_DAYS) * DAY

ENDS = {
    "a draft": "tests/worker/clock/test_erased_games.py",
    "a table that fills up, also a rematch": "tests/worker/clock/test_ends.py",
    "an invitation": "tests/worker/clock/test_ends.py",
    "an open seat": "tests/worker/clock/test_ends.py",
    "a decision of a running game": "tests/worker/clock/test_ends.py",
    "a pause": "tests/service/game/test_pauses.py",
    "a decision of a game without a clock": "tests/service/game/test_patience.py",
    "a proposal to call a game off": "tests/service/game/test_agreements.py",
    "a practice game": "tests/worker/clock/test_erased_games.py",
    "an outage": "tests/worker/clock/test_retention.py",
    "an absence": "tests/worker/clock/test_absences.py",
    "somebody named for a kept seat": "tests/service/tables/test_replacements.py",
    "a code": "tests/worker/clock/test_retention.py",
    "a mail": "tests/worker/outgoing/test_smtp.py",
    "an address whose mails are missed": "tests/service/web/test_lost_mail.py",
    "a mail that came in": "tests/worker/clock/test_retention.py",
    "notices and mails of a game": "tests/worker/clock/test_retention.py",
    "a notice that its hour holds up": "tests/worker/outgoing/test_mail_caps.py",
}
"""What waits for people, and where its end is tested."""


def table(visibility: str = "listed") -> UUID:
    """Rachel's table: Simon is invited, a seat is open, Terry has taken one."""
    wish = TableWish((SIMON, OpenSeat(), OpenSeat()), visibility=visibility)
    if visibility == "players":
        wish = TableWish((SIMON, creation.Guest("terry@example.org", "Terry")))
    game_id = creation.open_table(somebody("Rachel").id, "", wish)
    if visibility == "players":
        seated.accept(game_id, 2)
    else:
        joining.take(game_id, somebody("Terry"), None, "Terry", "")
    return game_id


def tidied_after(span: timedelta) -> None:
    clock.shift(span)
    retention.tidy()


def subjects(sink: Sink, game_id: UUID) -> list[tuple[str, str]]:
    """To whom the latest mails went, and how they begin."""
    before = len(sink.raw)
    send(game_id)
    return sorted(
        (letter.to.partition("@")[0], letter.subject)
        for letter in sink.letters[before:]
    )


def test_the_page_names_all_that_waits() -> None:
    page = PAGE.read_text().partition("## What waits for people")[2]
    rows = re.findall(r"^\| ([^|]+) \|", page.partition("\n## ")[0], re.M)

    assert rows[1:] == list(ENDS)
    assert all((PAGE.parents[1] / file).exists() for file in ENDS.values())


@pytest.mark.parametrize("visibility", ["listed", "link", "players"])
def test_a_table_that_nobody_joins_warns_its_host_and_is_over_a_week_later(
    sink: Sink, visibility: str
) -> None:
    game_id = table(visibility)
    send(game_id)
    tidied_after(WARNED_AFTER - timedelta(minutes=1))
    early = subjects(sink, game_id)

    tidied_after(timedelta(minutes=2))
    retention.tidy()
    warned = subjects(sink, game_id)
    tidied_after(7 * DAY - timedelta(minutes=1))
    waiting = status(game_id)
    tidied_after(timedelta(minutes=2))
    over = subjects(sink, game_id)

    assert (early, waiting, status(game_id)) == ([], "inviting", "over")
    assert warned == [("rachel", "Your table ends in a week")]
    assert over == [(who, "Rachel's table is over") for who in ("rachel", "terry")]
    assert "nobody joined it for 30 days" in sink.letters[-1].text
    assert run("SELECT DISTINCT state FROM invitation WHERE seat = 1") == [
        ("withdrawn",)
    ]
    tidied_after(60 * DAY)
    assert subjects(sink, game_id) == []


def _joins(game_id: UUID) -> None:
    joining.take(game_id, somebody("Paul"), None, "Paul", "")


def _leaves(game_id: UUID) -> None:
    joining.leave(game_id, somebody("Terry").id, 2)


def _declines(game_id: UUID) -> None:
    seated.decline(game_id, 1)


def _is_reseated(game_id: UUID) -> None:
    seat_changes.guest(game_id, 1, "thomas@example.org", "Thomas")


def _is_kept(game_id: UUID) -> None:
    expiry.prolong(game_id)


def _changes_terms(game_id: UUID) -> None:
    run("UPDATE seat SET state = 'open', person_id = NULL WHERE number > 0")
    options.change(game_id, options.TermsChange(rounds=1))


@pytest.mark.parametrize(
    "change",
    [_joins, _leaves, _declines, _is_reseated, _is_kept, _changes_terms],
    ids=lambda each: each.__name__,
)
def test_any_change_gives_a_table_the_whole_time_anew(
    sink: Sink, change: Callable[[UUID], None]
) -> None:
    game_id = table()
    tidied_after(29 * DAY)
    change(game_id)

    tidied_after(WARNED_AFTER - timedelta(minutes=1))
    kinds = seated.kinds(game_id).count("expiring")
    tidied_after(timedelta(minutes=2))

    assert (kinds, status(game_id)) == (1, "inviting")
    assert seated.kinds(game_id).count("expiring") == 2
    tidied_after(7 * DAY)
    assert status(game_id) == "over"


def test_a_warning_that_came_too_late_isn_t_sent(sink: Sink) -> None:
    game_id = table()
    send(game_id)
    tidied_after(WARNED_AFTER)
    _joins(game_id)

    assert subjects(sink, game_id) == []


def test_however_long_nothing_was_tidied_a_week_follows_the_warning() -> None:
    game_id = table()

    tidied_after(100 * DAY)
    first = status(game_id)
    tidied_after(6 * DAY)
    then = status(game_id)
    tidied_after(2 * DAY)

    assert (first, then, status(game_id)) == ("inviting", "inviting", "over")


def linked(visitor: Visitor, sink: Sink) -> Page:
    link = re.search(r"/t/\S+", sink.letters[-1].text)
    assert link is not None
    return visitor.get(link[0])


def test_the_mailed_link_keeps_the_table_only_by_its_button(
    app: Flask, sink: Sink
) -> None:
    game_id, visitor = table(), Visitor(app)
    send(game_id)
    tidied_after(WARNED_AFTER)
    send(game_id)
    before = run("SELECT expiry_at, expiry_warned FROM game")

    page = linked(visitor, sink)
    form = page.the_form("Keep it open")
    unticked = visitor.press(page, form)
    opened = run("SELECT expiry_at, expiry_warned FROM game")
    kept = visitor.press(page, form, {"choice": "yes"})

    assert (opened, unticked.status) == (before, 422)
    assert kept.status == 200
    assert "Keep it open" not in kept.text
    tidied_after(WARNED_AFTER - timedelta(minutes=1))
    assert seated.kinds(game_id).count("expiring") == 1
    tidied_after(timedelta(minutes=2))
    assert seated.kinds(game_id).count("expiring") == 2


def test_a_rematch_that_nobody_joins_leaves_room_for_another() -> None:
    game = seated.started(3, rounds=1)
    game.finish()
    (asker,) = run("SELECT host_id FROM game")[0]
    laid, _ = rematch.again(game.id, asker)
    tidied_after(WARNED_AFTER)

    tidied_after(8 * DAY)

    assert status(laid) == "over"
    assert tables.rematch_of(game.id) is None
    assert rematch.again(game.id, asker)[1]


def test_a_table_kept_open_too_late_stays_over() -> None:
    game_id = table()
    tidied_after(WARNED_AFTER)
    tidied_after(8 * DAY)

    with pytest.raises(NotFound):
        expiry.prolong(game_id)


def test_a_game_whose_people_have_all_left_is_played_to_its_end() -> None:
    game = seated.started(3, rounds=1)
    for (person,) in run("SELECT person_id FROM seat ORDER BY number"):
        deletion.erase(person)

    for _ in range(200):
        if not game.game.running:
            break
        clock.shift(timedelta(hours=24, minutes=1))
        sweeper.sweep()

    assert status(game.id) == "over"
    assert run("SELECT 1 FROM due") == []


def test_no_game_begins_without_a_clock() -> None:
    seated.started(3)
    creation.open_table(somebody("Rita").id, "", TableWish((BotSeat(), BotSeat())))

    found = run("SELECT options, deadline FROM game")

    assert len(found) == 2
    for chosen, deadline in found:
        assert Options(**chosen).decision_time
        assert deadline is not None


def test_tables_that_end_are_found_by_an_index_of_their_own() -> None:
    with transaction():
        run("SET LOCAL enable_seqscan = off")

        plan = run(f"EXPLAIN {expirystore._DUE}", {"id": None, "at": None, "limit": 50})

    assert "ix_game_expiry" in str(plan)


def test_more_tables_than_one_batch_all_end_and_one_that_fails_stops_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(retention, "BATCH", 2)
    games = [table(), *(_idle(number) for number in range(4))]
    run(
        "UPDATE game SET snapshot_format = 9999, expiry_at = expiry_at - interval"
        " '1 hour' WHERE id = :g",
        {"g": games[0]},
    )
    tidied_after(WARNED_AFTER)

    tidied_after(8 * DAY)

    assert [status(game) for game in games] == ["inviting", *["over"] * 4]


def _idle(number: int) -> UUID:
    host = somebody(("Anna", "Bert", "Carl", "Dora")[number])
    return creation.open_table(host.id, "", TableWish((OpenSeat(), OpenSeat())))


@pytest.mark.parametrize("late", [False, True])
def test_nobody_is_reminded_of_what_is_up(inside: Flask, late: bool) -> None:
    table = seated.started(3)
    clock.shift(timedelta(seconds=seated.PACE + 60 if late else seated.PACE / 2 + 60))

    time_up.remind(table.id, table.decision, when_due=True)

    assert rows.reminders(table.id, table.decision) == (0 if late else 1)
