"""From whom a mail says it is: one mailbox, and no trick makes two of it."""

import pytest

from worker.incoming import headers


@pytest.fixture(autouse=True)
def inside() -> None:
    """No database: headers are bytes."""


def sender(*froms: str) -> str:
    raw = "".join(f"{each}\r\n" for each in froms).encode() + b"\r\nyes\r\n"
    return headers.sender(headers.of(raw)).address


@pytest.mark.parametrize(
    "said",
    [
        "From: ann@example.org",
        "from: <ann@example.org>",
        "From: Ann <ann@example.org>",
        'From: "Moor, Ann" <ann@example.org>',
        'From: "Ann \\"A\\" Moor" <ann@example.org>',
        "From:\r\n Ann Moor\r\n <ann@example.org>",
        "From: =?utf-8?B?Vm/DnywgSsO8cmdlbg==?= <ann@example.org>",
        'From: "bob@example.org" <ann@example.org>',
    ],
)
def test_one_mailbox_is_who_sent_it(said: str) -> None:
    assert sender(said) == "ann@example.org"


@pytest.mark.parametrize(
    "froms",
    [
        ("From: ann@example.org", "From: bob@example.org"),
        ("From: ann@example.org", "from: ann@example.org"),
        ("From: ann@example.org, bob@example.org",),
        ("From: ann@example.org <bob@example.org>",),
        ("From: <ann@example.org> <bob@example.org>",),
        ("From: <ann@example.org>, Bob <bob@example.org>",),
        ("From: people: ann@example.org;",),
        ("From: people:;",),
        ("From: ann@example.org (Ann)",),
        ("From: Ann (bob@example.org) <ann@example.org>",),
        ('From: "ann@example.org <bob@example.org>',),
        ("From: <@bob.example.org:ann@example.org>",),
        ("From: ann@example.org@bob.example.org",),
        ("From: =?utf-8?Q?ann=40example.org?=",),
        ("From: ann@example.org\rFrom: bob@example.org",),
        ("From: ann@example.org;bob@example.org",),
        ('From: "ann@example.org"@bob.example.org',),
        ("From: ann@example.org bob",),
        ("From: ann",),
        ("From: ",),
        ("Author: ann@example.org",),
    ],
)
def test_what_may_be_read_as_another_is_nobody(froms: tuple[str, ...]) -> None:
    assert sender(*froms) == ""


def test_a_from_below_the_headers_is_text() -> None:
    raw = b"From: ann@example.org\r\n\r\nFrom: bob@example.org\r\n"

    assert headers.of(raw)["from"] == ["ann@example.org"]


def test_an_encoded_name_is_a_name_alone() -> None:
    name = "=?utf-8?Q?=3Cbob=40example=2Eorg=3E?="
    raw = f"From: {name} <ann@example.org>\r\n\r\n".encode()

    found = headers.sender(headers.of(raw))

    assert found == headers.Author("ann@example.org", "<bob@example.org>")
