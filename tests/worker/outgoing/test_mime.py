"""A mail's bytes: what any program reads of them is what was to be said."""

from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest

from worker.outgoing import mime
from worker.outgoing.mime import InlinePicture

TEXT = "It is your turn.\n\nhttp://localhost/d/secret\n"
PAGE = "<p>It is your turn.</p>\n"
PICTURE = InlinePicture("castle.1@localhost", bytes(range(256)) * 9)


def parsed(raw: bytes) -> EmailMessage:
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    assert not any(part.defects for part in message.walk())
    return message


def with_header(name: str, value: str, *, utf8: bool = False) -> bytes:
    return mime.assemble([(name, value)], TEXT, PAGE, None, "b", utf8=utf8)


@pytest.mark.parametrize(
    "subject",
    [
        "Round 1",
        "Round 1 · Jürgen's table",
        "two  spaces",
        "long " * 40 + "end",
        "王様" * 40,
    ],
)
def test_a_subject_is_read_as_it_was_meant(subject: str) -> None:
    raw = with_header("Subject", subject)

    assert parsed(raw)["Subject"] == subject
    assert raw.isascii()
    assert max(map(len, raw.split(b"\r\n"))) <= 78


@pytest.mark.parametrize("name", ["Simon", '"A, B" ', "Jürgen Groß", "x " * 45])
def test_a_name_makes_no_second_recipient(name: str) -> None:
    raw = with_header("To", f"{name.strip()} <a@example.org>")

    (found,) = parsed(raw)["To"].addresses
    assert found.display_name == name.strip().strip('"').rstrip()
    assert found.addr_spec == "a@example.org"


def test_an_address_beyond_ascii_leaves_in_utf8_where_it_may() -> None:
    raw = with_header("To", "Jürgen <jürgen@example.org>", utf8=True)

    assert "jürgen@example.org".encode() in raw


@pytest.mark.parametrize("value", ["a\nBcc: x@example.org", "a\r\n b", "·\nBcc: x"])
def test_no_value_begins_a_header_of_its_own(value: str) -> None:
    with pytest.raises(ValueError, match="linefeed"):
        with_header("Subject", value)


def test_no_header_is_remembered_but_subjects() -> None:
    before = mime._remembered.cache_info().misses

    with_header("Reply-To", f"King Up! <game+{'secret' * 12}@play.example.org>")
    with_header("To", "Jürgen Vergessen <j@example.org>")
    assert mime._remembered.cache_info().misses == before
    with_header("Subject", "Jürgen's table, remembered")

    assert mime._remembered.cache_info().misses == before + 1


def test_what_looks_encoded_is_no_shorter_way_to_a_line() -> None:
    raw = with_header("Subject", "=?utf-8?q?a=0Ab?= table")

    assert b"Subject: =?utf-8?q?a=0Ab?= table\r\n" not in raw


@pytest.mark.parametrize(
    "text", [TEXT, TEXT + "Jürgen · " * 30 + "\n", ".\n..\nFrom x\n"]
)
def test_text_and_page_come_whole(text: str) -> None:
    message = parsed(mime.assemble([], text, PAGE, None, "b", utf8=False))

    plain, page = message.iter_parts()
    assert message.get_content_type() == "multipart/alternative"
    assert (plain.get_content_type(), page.get_content_type()) == (
        "text/plain",
        "text/html",
    )
    assert plain.get_content().splitlines() == text.splitlines()
    assert page.get_content().splitlines() == PAGE.splitlines()


@pytest.mark.parametrize(("length", "coding"), [(998, "7bit"), (999, "quoted-print")])
@pytest.mark.parametrize("end", ["\n", ""])
def test_no_line_is_longer_than_servers_take(
    length: int, coding: str, end: str
) -> None:
    text, page = TEXT + "a" * length + end, "<p>" + "=" * (length - 7) + "</p>" + end

    raw = mime.assemble([], text, page, PICTURE, "b", utf8=False)

    assert max(map(len, raw.split(b"\r\n"))) <= 998
    message = parsed(raw)
    for kind, meant in (("plain", text), ("html", page)):
        part = message.get_body((kind,))
        assert part is not None
        assert part["Content-Transfer-Encoding"].startswith(coding)
        assert part.get_content().splitlines() == meant.splitlines()


def test_a_picture_stands_beside_the_page_that_names_it() -> None:
    message = parsed(mime.assemble([], TEXT, PAGE, PICTURE, "b", utf8=False))

    _text, related = message.iter_parts()
    page, picture = related.iter_parts()
    assert related.get_content_type() == "multipart/related"
    assert page.get_content_type() == "text/html"
    assert picture["Content-ID"] == f"<{PICTURE.name}>"
    assert picture.get_content() == PICTURE.png


def test_no_boundary_begins_like_the_one_around_it() -> None:
    message = parsed(mime.assemble([], TEXT, PAGE, PICTURE, "b", utf8=False))

    # A line is a boundary by what it begins with (RFC 2046, 5.1.1).
    outer, inner = (
        str(part.get_boundary()) for part in message.walk() if part.is_multipart()
    )
    assert not inner.startswith(outer)
    assert not outer.startswith(inner)
