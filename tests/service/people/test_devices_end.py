"""Remembered devices end: by disuse, with their game, by a button, by a mail."""

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest
from flask import Flask

from engine.board import Card
from service.auth import last_use
from service.people import accounts, deletion
from service.store import clock, codes, games, links, people
from service.store import devices as devicestore
from service.store.transactions import transaction
from service.tables import cancellation, joining
from tests.rig.service import seated
from tests.rig.service.devices import device_of, of_seat, sees
from tests.rig.service.postbox import Postbox
from tests.rig.service.seated import person_on, run
from tests.rig.service.visitor import Visitor, path_of
from worker.clock import retention

pytestmark = pytest.mark.usefixtures("inside")


@pytest.fixture
def post(app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Postbox:
    return Postbox(app, tmp_path, monkeypatch)


def test_a_device_ends_180_days_after_its_last_use(visitor: Visitor) -> None:
    table = seated.in_election(3)
    device_of(visitor, table)
    clock.shift(timedelta(days=179))
    before = sees(visitor, table)
    last_use.current().keep()
    clock.shift(timedelta(days=179))
    used = sees(visitor, table)
    # What was noted is lost with its process: this use doesn't count.
    clock.shift(timedelta(days=2))

    assert (before, used) == (True, True)
    assert not sees(visitor, table)
    assert visitor.fetch("POST", path_of(table)).status == 403
    assert of_seat(table) == 0
    assert run("SELECT count(*) FROM device WHERE seat = 1") == [(1,)]


def test_a_device_answers_for_its_seat_no_more_once_it_has_ended() -> None:
    table = seated.in_election(3)
    holder = table.holder(1)
    assert games.lock(table.id, holder, table.decision) is not None
    clock.shift(timedelta(days=181))

    assert games.lock(table.id, holder, table.decision) is None


def test_a_device_ends_30_days_after_its_game(visitor: Visitor) -> None:
    table = seated.in_election(3)
    visitor.remember(table, 1)
    table.finish()
    clock.shift(timedelta(days=29))
    before = visitor.get(path_of(table)).form("Forget this device") is not None
    last_use.current().keep()
    clock.shift(timedelta(days=1, seconds=1))

    assert before
    assert of_seat(table) == 0
    assert visitor.get(path_of(table)).form("Forget this device") is None


def test_a_table_that_is_called_off_ends_its_devices_in_time() -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    with transaction():
        devicestore.remember(game_id, person_on(game_id, 0), 0)

    cancellation.give_up(game_id)

    ends = "SELECT closes_at - kingup_now() BETWEEN '29 days' AND '30 days' FROM device"
    assert run(ends) == [(True,)]


def test_a_device_planted_after_the_end_lives_no_longer(visitor: Visitor) -> None:
    table = seated.in_election(3)
    table.finish()
    clock.shift(timedelta(days=20))
    device_of(visitor, table)
    clock.shift(timedelta(days=9))
    before = of_seat(table)
    clock.shift(timedelta(days=2))

    assert (before, of_seat(table)) == (1, 0)


def test_looking_writes_nothing_and_the_last_use_is_kept_once_a_day(
    app: Flask, visitor: Visitor
) -> None:
    table = seated.in_election(3)
    device_of(visitor, table)
    last = "SELECT last_used_at FROM device WHERE seat = 1"
    first = run(last)
    clock.shift(timedelta(hours=23))
    sees(visitor, table)
    last_use.current().keep()
    same_day = run(last)
    clock.shift(timedelta(hours=2))
    sees(visitor, table)
    looked = run(last)
    last_use.current().keep()

    assert first == same_day == looked
    assert run(last) > first


def test_a_made_up_cookie_is_noted_nowhere(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = seated.in_election(3)
    noted: list[bytes] = []
    monkeypatch.setattr(last_use.current(), "note_device", noted.append)
    visitor.client.set_cookie(f"seat_{table.id.hex}", "nonsense")

    visitor.get(path_of(table))
    visitor.get("/")

    assert noted == []


def test_ended_devices_are_erased_in_batches_and_no_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(retention, "BATCH", 2)
    over, running = seated.in_election(3), seated.in_election(3)
    over.finish()
    clock.shift(timedelta(days=31))
    retention.tidy()
    after_the_game = run("SELECT DISTINCT game_id FROM device")
    clock.shift(timedelta(days=150))

    retention.tidy()

    assert after_the_game == [(running.id,)]
    assert run("SELECT count(*) FROM device") == [(0,)]


@pytest.mark.parametrize(
    ("statement", "index"),
    [
        (devicestore._OLD, "ix_device_last_used_at"),
        (devicestore._OLD, "ix_device_closes_at"),
        (devicestore._TELL, "ix_device_untold"),
        (links._OLD, "ix_link_short_lived"),
    ],
)
def test_tidying_looks_at_what_has_ended_alone(statement: object, index: str) -> None:
    """Its cost may not grow with devices and links that have nothing to do with it."""
    values: dict[str, object] = {"limit": 50}
    many_devices()
    if statement is devicestore._TELL:
        values["game"] = None

    run("SET enable_seqscan = off")
    plan = " ".join(row[0] for row in run(f"EXPLAIN {statement}", values))
    run("RESET enable_seqscan")

    assert index in plan


def many_devices() -> None:
    """Browsers of one seat that nobody has to be told of, and statistics of them."""
    table = seated.started(3)
    run(
        "INSERT INTO device (token_hash, game_id, person_id, seat, told_at)"
        " SELECT sha256(n::text::bytea), :g, :p, 0, kingup_now()"
        " FROM generate_series(1, 2000) n",
        {"g": table.id, "p": person_on(table.id, 0)},
    )
    run("ANALYZE device")


def test_a_device_forgets_itself_and_no_other(app: Flask, visitor: Visitor) -> None:
    table, other = seated.in_election(3), Visitor(app)
    device_of(visitor, table)
    other.remember(table, 1)
    page = visitor.get(path_of(table))
    forged = visitor.press(
        page, page.the_form("Forget this device"), {"form_token": "forged"}
    )

    done = visitor.press(page, page.the_form("Forget this device"))

    assert forged.status == 403
    assert "This device is forgotten" in done.text
    assert visitor.cookies() == {}
    assert not sees(visitor, table)
    assert sees(other, table)


def test_a_practice_game_offers_no_button_that_loses_it(visitor: Visitor) -> None:
    page = visitor.fetch("POST", "/practice")

    assert page.form("Forget this device") is None
    assert len(visitor.cookies()) == 1


def leave(game_id: UUID) -> None:
    joining.leave(game_id, person_on(game_id, 1), 1)


def send_away(game_id: UUID) -> None:
    joining.leave(game_id, person_on(game_id, 0), 1)


def erase(game_id: UUID) -> None:
    deletion.erase(person_on(game_id, 1))


def move(game_id: UUID) -> None:
    person = person_on(game_id, 1)
    change = accounts.AccountChange(None, None, None, None, "simone@example.org")
    accounts.change(person, change, None)
    digests = []
    for kind in ("old_address", "new_address"):
        code = "BCDF-GHJK"
        digests.append(code)
        rows = run("SELECT id FROM mailed_code WHERE kind = :k", {"k": kind})
        with transaction():
            codes.write(rows[0][0], code)
    accounts.confirm_address(person, *digests)


@pytest.mark.parametrize("goes", [leave, send_away, erase, move])
def test_devices_end_when_the_seat_or_its_address_is_anothers(
    goes: Callable[[UUID], None],
) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    seated.accept(game_id, 1)
    person = person_on(game_id, 1)
    with transaction():
        devicestore.remember(game_id, person, 1)
        devicestore.remember(game_id, person_on(game_id, 0), 0)
        for purpose in links.SHORT_LIVED:
            links.add(links.LinkRow(purpose, game_id, person, 1, None))

    goes(game_id)

    assert run("SELECT seat FROM device") == [(0,)]
    if goes in (erase, move):
        kept = "SELECT count(*) FROM link WHERE purpose IN ('remember', 'devices')"
        assert run(kept) == [(0,)]


def test_the_card_laid_by_a_device_stays_when_it_is_forgotten(
    visitor: Visitor,
) -> None:
    table = seated.in_election(3)
    device_of(visitor, table)
    page = visitor.get(path_of(table))
    form = next(form for form in page.forms if form.radios)
    done = visitor.press(page, form, {"card": "no"})

    visitor.press(done, done.the_form("Forget this device"))

    assert table.game.ballots[1] is Card.NO


def test_every_statement_that_believes_a_device_asks_whether_it_has_ended() -> None:
    store = Path(devicestore.__file__).parent
    believing = re.compile(r"(?:FROM|JOIN) device \w+\b.*?token_hash\b", re.S)

    found = [
        (file.name, statement)
        for file in store.glob("*.py")
        if file.name != "devices.py"
        for statement in re.findall(r'"""(.*?)"""', file.read_text(), re.S)
        if believing.search(statement)
    ]

    assert {name for name, _ in found} == {
        "games.py",
        "proved_networks.py",
        "people.py",
    }
    for name, statement in found:
        assert "{devices.LIVE}" in statement, (name, statement)
    assert proved_by_a_device_of_180_days() is None


def proved_by_a_device_of_180_days() -> UUID | None:
    table = seated.in_election(3)
    holder = table.holder(1)
    assert people.proved_by([holder.token_hash]) is not None
    clock.shift(timedelta(days=181))
    return people.proved_by([holder.token_hash])
