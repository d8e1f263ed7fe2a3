"""Who had to wait for a lock is judged by the time at which they have it."""

from datetime import timedelta
from pathlib import Path
from uuid import UUID

import psycopg
import pytest
from flask import Flask

from service.people import accounts, remembered_browsers
from service.people.accounts import Arrival
from service.rate_limits import network_digests
from service.store import clock, codes, composition, devices, links
from service.store import expiry as expirystore
from service.store.expiry import IDLE_DAYS, WARNING_DAYS
from service.tables import creation, expiry, seat_changes
from service.tables.creation import TableWish
from service.values import addresses
from service.values.conflicts import CodeRefused
from tests.rig.service import held, seated
from tests.rig.service.hosts import RACHEL, SIMON, TERRY
from tests.rig.service.postbox import RITA, Postbox
from tests.rig.service.seated import run

pytestmark = pytest.mark.usefixtures("inside")

GAME = "SELECT FROM game WHERE id = %(id)s FOR UPDATE"
COMPOSING = "SELECT pg_advisory_xact_lock(5464873, hashtext(%(id)s::text))"
BUCKET = "SELECT pg_advisory_xact_lock(%(number)s)"
CODE = "SELECT FROM mailed_code WHERE id = %(id)s FOR UPDATE"

HOUR, DAY = timedelta(hours=1, seconds=1), timedelta(days=1, seconds=1)


def number_of(bucket: bytes) -> int:
    """By which number a bucket is held."""
    return int.from_bytes(bucket[:8], signed=True)


def test_a_table_whose_step_falls_due_meanwhile_takes_it(
    inside: Flask, outside: psycopg.Connection
) -> None:
    table = creation.draft(RACHEL, TableWish((SIMON, TERRY)))
    seated.confirm(table)

    held.while_held(
        inside,
        outside,
        GAME,
        {"id": table},
        lambda: expiry.step(table),
        lambda: clock.shift(timedelta(days=IDLE_DAYS - WARNING_DAYS)),
    )

    assert expirystore.is_warned(table)


def test_a_link_that_is_over_meanwhile_has_no_browser_remembered(
    inside: Flask, outside: psycopg.Connection
) -> None:
    table = seated.started(3)
    link = seated.link(table.id, 0, "remember")
    token = links.add(link)

    planted = held.while_held(
        inside,
        outside,
        GAME,
        {"id": table.id},
        lambda: remembered_browsers.plant(link, token, devices.UNKNOWN),
        lambda: clock.shift(HOUR),
    )

    assert planted is None


def test_a_code_that_is_over_meanwhile_is_no_good(
    app: Flask,
    outside: psycopg.Connection,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    post = Postbox(app, tmp_path, monkeypatch)
    sign_in = UUID(post.ask())
    code = post.code()

    found = held.while_held(
        app,
        outside,
        CODE,
        {"id": sign_in},
        lambda: accounts.sign_in(sign_in, code, Arrival("a program", None, None)),
        lambda: clock.shift(timedelta(minutes=codes.MINUTES)),
    )

    assert isinstance(found, CodeRefused)


def test_a_notice_that_falls_due_meanwhile_is_mailed(
    inside: Flask, outside: psycopg.Connection
) -> None:
    table = seated.started(3)
    run("UPDATE notice SET due_at = kingup_now() + interval '1 hour'")

    composed = held.while_held(
        inside,
        outside,
        COMPOSING,
        {"id": table.id},
        lambda: composition.compose(table.id, "king.example"),
        lambda: clock.shift(HOUR),
    )

    assert composed


def test_an_invitation_of_a_day_ago_meanwhile_counts_no_more(
    inside: Flask, outside: psycopg.Connection
) -> None:
    tables = [creation.draft(RACHEL, TableWish((SIMON, TERRY))) for _ in range(2)]
    for table in tables:
        seated.confirm(table)
    seat_changes.guest(tables[1], 1, SIMON.address, SIMON.name)
    host = seated.person_on(tables[1], 0)

    held.while_held(
        inside,
        outside,
        BUCKET,
        {"number": number_of(network_digests.of_address("host", str(host)))},
        lambda: seat_changes.guest(tables[1], 1, SIMON.address, SIMON.name),
        lambda: clock.shift(DAY),
    )

    asked = "SELECT count(*) FROM invitation WHERE game_id = :g AND seat = 1"
    assert run(asked, {"g": tables[1]}) == [(3,)]


def test_a_code_of_an_hour_ago_meanwhile_counts_no_more(
    inside: Flask, outside: psycopg.Connection
) -> None:
    def ask() -> object:
        return accounts.ask_to_sign_in(RITA, "192.0.2.1")

    for _ in range(codes.AN_HOUR):
        ask()
    bucket = network_digests.of_address("codes", addresses.parse(RITA, "").key)

    asked = held.while_held(
        inside,
        outside,
        BUCKET,
        {"number": number_of(bucket)},
        ask,
        lambda: clock.shift(HOUR),
    )

    counted = "SELECT counted FROM mailed_code WHERE id = :id"
    assert run(counted, {"id": asked}) == [(True,)]
