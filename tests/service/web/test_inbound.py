"""Mails brought over HTTP: by whoever shows the secret, and all answered alike."""

import base64
from http import HTTPStatus

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service import config
from tests.rig.service import mailing_in
from tests.rig.service.seated import run

SECRET = "a secret of thirty-two characters".replace(" ", "-")
MAIL = b"From: rita@example.org\r\nTo: game@play.example.org\r\n\r\nyes\r\n"


@pytest.fixture
def client(app: Flask, monkeypatch: pytest.MonkeyPatch) -> FlaskClient:
    """A client of an instance that takes mails in."""
    mailing_in.open_to(app, monkeypatch)
    settings = msgspec.structs.replace(app.config["KINGUP"], inbound_secret=SECRET)
    monkeypatch.setitem(app.config, "KINGUP", settings)
    return app.test_client()


def bring(
    client: FlaskClient,
    raw: bytes = MAIL,
    shown: str = f"Bearer {SECRET}",
    kind: str = "message/rfc822",
    query: str = "",
) -> TestResponse:
    return client.post(
        f"/inbound{query}",
        data=raw,
        headers={"Authorization": shown, "Content-Type": kind},
    )


def kept(app: Flask) -> list[tuple[bytes, str]]:
    with app.app_context():
        rows = run("SELECT raw, envelope FROM incoming_mail ORDER BY created_at")
    return [(bytes(raw), envelope) for raw, envelope in rows]


def test_a_mail_is_kept_byte_by_byte_with_the_address_it_went_to(
    app: Flask, client: FlaskClient
) -> None:
    raw = MAIL + bytes(range(256)) * 1024

    answer = bring(client, raw, query="?to=game%2Babc%40play.example.org")

    assert answer.status_code == HTTPStatus.NO_CONTENT
    assert kept(app) == [(raw, "game+abc@play.example.org")]


def test_whatever_it_is_and_however_often_it_comes_the_answer_is_the_same(
    client: FlaskClient,
) -> None:
    answers = [bring(client, raw) for raw in (MAIL, MAIL, b"", b"\xff\x00rubbish")]

    told = {(a.status_code, a.data, tuple(sorted(a.headers))) for a in answers}
    assert len(told) == 1


def test_the_secret_may_be_a_password(app: Flask, client: FlaskClient) -> None:
    pair = base64.b64encode(f"anybody:{SECRET}".encode()).decode()

    assert bring(client, shown=f"Basic {pair}").status_code == HTTPStatus.NO_CONTENT
    assert len(kept(app)) == 1


@pytest.mark.parametrize(
    "shown",
    ["", "Bearer", "Bearer ", f"Bearer {SECRET}x", f"Token {SECRET}", "Basic !", "Ä"],
)
def test_whoever_does_not_show_it_brings_nothing(
    app: Flask, client: FlaskClient, shown: str
) -> None:
    assert bring(client, shown=shown).status_code == HTTPStatus.UNAUTHORIZED
    assert kept(app) == []


def test_without_an_address_or_a_secret_there_is_no_such_page(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = app.config["KINGUP"]
    for name in ("inbound_address", "inbound_secret"):
        without = msgspec.structs.replace(settings, **{name: None})
        monkeypatch.setitem(app.config, "KINGUP", without)
        assert bring(client).status_code == HTTPStatus.NOT_FOUND


def test_what_is_too_long_or_no_mail_is_refused(
    app: Flask, client: FlaskClient
) -> None:
    too_long = bring(client, b"x" * (config.MAIL_LIMIT + 1))
    no_mail = bring(client, kind="application/json")

    assert too_long.status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    assert no_mail.status_code == HTTPStatus.UNSUPPORTED_MEDIA_TYPE
    assert kept(app) == []


def test_mails_without_a_secret_of_ours_never_fill_the_place_of_others(
    app: Flask, client: FlaskClient
) -> None:
    from service.values import signed_tokens

    answers = [bring(client).status_code for _ in range(102)]
    with app.app_context():
        token = signed_tokens.make()
    ours = bring(client, query=f"?to=game%2B{token}%40play.example.org")

    assert answers.count(HTTPStatus.NO_CONTENT) == 100
    assert answers[100:] == [HTTPStatus.SERVICE_UNAVAILABLE] * 2
    assert ours.status_code == HTTPStatus.NO_CONTENT


@pytest.mark.parametrize("to", ["game%00%40play.example.org", "game%0A%40x.example"])
def test_what_no_address_can_be_is_refused(
    app: Flask, client: FlaskClient, to: str
) -> None:
    answer = bring(client, query=f"?to={to}")

    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert kept(app) == []
