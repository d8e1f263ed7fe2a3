"""The parts of a mail: which of them somebody wrote, and how their letters are read."""

import pytest

from tests.rig.worker import reading
from tests.rig.worker.reading import from_ann, lines, mail, part, parted


@pytest.fixture(autouse=True)
def inside() -> None:
    """No database: a mail is bytes."""


def test_of_alternatives_the_plain_one_is_read() -> None:
    raw = from_ann(parted("alternative", part("yes"), part("<p>no", "html")))

    assert lines(raw) == ("yes",)


@pytest.mark.parametrize("empty", ["", " \r\n\t\r\n"])
def test_of_alternatives_the_first_that_says_anything_is_read(empty: str) -> None:
    raw = from_ann(parted("alternative", part(empty), part("<p>yes", "html")))

    assert lines(raw) == ("yes",)


def test_a_footer_that_a_server_adds_hides_no_page() -> None:
    raw = from_ann(parted("mixed", part("<p>yes", "html"), part("No viruses found.")))

    assert lines(raw) == ("yes", "No viruses found.")


def test_a_mail_that_is_attached_is_somebody_elses() -> None:
    attached = b"Content-Type: message/rfc822\r\n\r\nFrom: b@example.org\r\n\r\nyes"

    assert lines(from_ann(parted("mixed", part(""), attached))) == ()
    assert lines(from_ann(parted("mixed", part("no"), attached))) == ("no",)
    assert lines(from_ann(attached)) == ()


def test_a_file_that_is_attached_is_not_read() -> None:
    file = b"Content-Disposition: attachment\r\nContent-Type: text/plain\r\n\r\nyes"

    assert lines(from_ann(parted("mixed", file, part("no")))) == ("no",)


@pytest.mark.parametrize(("depth", "read"), [(10, ("yes",)), (11, ())])
def test_ten_parts_inside_each_other_are_looked_into(
    depth: int, read: tuple[str, ...]
) -> None:
    entity = part("yes")
    for level in range(depth):
        entity = parted("mixed", entity).replace(b"edge", b"edge%d." % level, -1)

    assert lines(from_ann(entity)) == read


@pytest.mark.parametrize(
    ("charset", "encoded"),
    [
        ("iso-8859-1", "Sì".encode("latin-1")),
        ("windows-1252", "Sì".encode("cp1252")),
        ("us-ascii", "Sì".encode()),
        ("utf-16", "Sì".encode("utf-16")),
        ("nowhere", "Sì".encode()),
        ('"utf-8', "Sì".encode()),
    ],
)
def test_letters_are_read_as_they_were_written(charset: str, encoded: bytes) -> None:
    raw = mail(encoded, f"Content-Type: text/plain; charset={charset}")

    assert lines(raw) == ("Sì",)


@pytest.mark.parametrize("charset", ["utf-7", "punycode", "unicode_escape", "idna"])
def test_charsets_that_hide_letters_are_not_read(charset: str) -> None:
    hidden = b"+AHkAZQBz- -yes \\x79es"
    raw = mail(hidden, f"Content-Type: text/plain; charset={charset}")

    assert lines(raw) == (hidden.decode(),)


@pytest.mark.parametrize(
    ("encoding", "encoded"),
    [
        ("quoted-printable", b"ye=\r\ns=20"),
        ("base64", b"eWVz\r\n"),
        ("BASE64", b"eW!Vz"),
        ("8bit", b"yes"),
        ("unheard-of", b"yes"),
        ("x-uuencode", b"begin 666 a\n#>65S\n`\nend"),
    ],
)
def test_a_text_is_read_however_it_is_encoded(encoding: str, encoded: bytes) -> None:
    raw = mail(encoded, f"Content-Transfer-Encoding: {encoding}")

    assert lines(raw) == ("yes",)


def test_a_line_that_flows_on_is_one() -> None:
    flowed = "Content-Type: text/plain; format=flowed"
    text = b"> said \r\n\r\nyes \r\nbut not \r\nnow\r\n\r\n-- \r\nAnn\r\n"

    assert lines(mail(text, flowed)) == ("yes but not now",)
    assert reading.lines(mail(text)) == ("yes", "but not", "now")
