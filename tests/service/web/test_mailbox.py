"""The mailbox page: for browsers of the same machine alone, and only without SMTP."""

import re
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient

from service import config
from service.app import create_app
from service.values import urls
from tests.rig import apps

LOCAL = {"REMOTE_ADDR": "127.0.0.1"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for part in ("new", "cur", "tmp"):
        (tmp_path / "box" / part).mkdir(parents=True)
    return tmp_path / "box"


@pytest.fixture
def local(settings: config.Config, database: str, folder: Path) -> Iterator[Flask]:
    app = create_app(msgspec.structs.replace(settings, mailbox=folder))
    yield app
    apps.put_away(app)


@pytest.fixture
def browser(local: Flask) -> FlaskClient:
    return local.test_client()


def drop(folder: Path, subject: str, to: str = "Rachel <rachel@example.org>") -> None:
    mail = EmailMessage()
    mail["To"] = to
    mail["From"] = "King Up! <kingup@localhost>"
    mail["Subject"] = subject
    mail.set_content("Open your cards:\n\nhttp://localhost/d/abc\n")
    html = '<p style="color:red">Open <a href="http://localhost/d/abc">them</a></p>'
    mail.add_alternative(f"{html}<script>alert(1)</script>", subtype="html")
    (folder / "new" / subject).write_bytes(mail.as_bytes())


def test_the_picture_that_came_with_a_mail_is_shown_in_it(
    browser: FlaskClient, folder: Path
) -> None:
    mail = EmailMessage()
    mail["To"], mail["Subject"] = "rachel@example.org", "castle"
    mail.set_content("The castle")
    mail.add_alternative('<img src="cid:castle.1@localhost">', subtype="html")
    *_text, page = mail.iter_parts()
    assert isinstance(page, EmailMessage)
    page.add_related(b"\x89PNG", "image", "png", cid="<castle.1@localhost>")
    (folder / "new" / "castle").write_bytes(mail.as_bytes())

    text = browser.get("/mailbox/1").text

    assert "data:image/png;base64,iVBORw==" in text
    assert "cid:" not in text


def test_mails_are_listed_newest_first(browser: FlaskClient, folder: Path) -> None:
    drop(folder, "first")
    drop(folder, "second")

    text = browser.get("/mailbox").text

    assert text.index("second") < text.index("first")
    assert "rachel@example.org" in text


def test_the_list_has_pages_of_fifty(browser: FlaskClient, folder: Path) -> None:
    for number in range(120):
        drop(folder, f"mail {number:03}")

    pages = [browser.get(f"/mailbox?page={page}").text for page in (1, 2, 3, 9)]

    found = [re.findall(r"mail (\d{3})", page) for page in pages]
    assert [len(page) for page in found] == [50, 50, 20, 20]
    assert found[0][0] == "119"
    assert found[0] + found[1] + found[2] == [f"{n:03}" for n in range(119, -1, -1)]
    assert "Older" in pages[0]
    assert "Newer" not in pages[0]
    assert "Older" not in pages[2]


def test_the_mails_of_one_person_can_be_picked(
    browser: FlaskClient, folder: Path
) -> None:
    drop(folder, "for Rachel")
    drop(folder, "for Simon", "Simon <simon@example.org>")

    everybody = browser.get("/mailbox").text
    simon = browser.get("/mailbox?to=simon@example.org").text

    assert "for Rachel" in everybody
    assert "for Simon" in everybody
    assert "for Rachel" not in simon
    assert "for Simon" in simon
    assert 'href="/mailbox/2"' in simon


def test_the_badge_counts_unread_mails_on_every_page(
    browser: FlaskClient, folder: Path
) -> None:
    badge = '<span class="badge">2<span'
    drop(folder, "first")
    drop(folder, "second")

    assert badge in browser.get("/").text
    assert badge in browser.get("/nowhere").text
    browser.get("/mailbox/1")
    assert badge.replace("2", "1") in browser.get("/new").text
    browser.get("/mailbox/2")
    assert '<span class="badge">' not in browser.get("/").text


def test_a_mail_is_shown_as_it_looks_in_a_frame_without_scripts(
    browser: FlaskClient, folder: Path
) -> None:
    drop(folder, "first")

    response = browser.get("/mailbox/1")

    assert 'sandbox="allow-top-navigation-by-user-activation"' in response.text
    assert "&lt;p style=&#34;color:red&#34;&gt;" in response.text
    assert '<a href="http://localhost/d/abc"' in response.text
    assert "<script" not in response.text
    assert "script-src" not in response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in response.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("headers", "overrides"),
    [
        ({}, {"REMOTE_ADDR": "192.0.2.7"}),
        ({}, {"REMOTE_ADDR": "::ffff:192.0.2.7"}),
        ({"X-Forwarded-For": "192.0.2.7"}, LOCAL),
        ({"Forwarded": "for=192.0.2.7"}, LOCAL),
        ({"Host": "kingup.example"}, LOCAL),
        ({"Host": "127.0.0.1.example"}, LOCAL),
    ],
)
def test_nobody_from_elsewhere_sees_a_mail_or_a_badge(
    browser: FlaskClient,
    folder: Path,
    headers: dict[str, str],
    overrides: dict[str, str],
) -> None:
    drop(folder, "first")
    for path in ("/mailbox", "/mailbox/1"):
        response = browser.get(path, headers=headers, environ_overrides=overrides)

        assert response.status_code == 404
        assert "rachel" not in response.text

    home = browser.get("/", headers=headers, environ_overrides=overrides).text
    assert "Mailbox" not in home


def test_with_a_mail_server_there_is_no_mailbox(
    settings: config.Config, database: str, folder: Path
) -> None:
    drop(folder, "first")
    sending = msgspec.structs.replace(
        settings, mailbox=folder, mail_server=urls.smtp("smtp://127.0.0.1:2525")
    )
    app = create_app(sending)

    response = app.test_client().get("/mailbox")

    assert response.status_code == 404
    apps.put_away(app)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8000", "[::1]:8000"])
def test_a_browser_of_this_machine_sees_it(
    browser: FlaskClient, folder: Path, host: str
) -> None:
    drop(folder, "first")

    assert browser.get("/mailbox", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("number", ["0", "2", "99999999999999999999"])
def test_a_mail_that_isnt_there_is_not_found(
    browser: FlaskClient, folder: Path, number: str
) -> None:
    drop(folder, "first")

    assert browser.get(f"/mailbox/{number}").status_code == 404
