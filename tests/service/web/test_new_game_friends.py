"""The form of a new game: friends as a list, the zone guessed, and what comes back."""

import html
import re
from uuid import UUID

import pytest
from flask import Flask

from service.values.names import NAME_LIMIT
from service.web.table import pasted_friends, time_zones
from service.web.table.pasted_friends import PastedFriend
from tests.rig.browser import Page
from tests.rig.service import seated
from tests.rig.service.seated import run
from tests.rig.service.visitor import Visitor, states

pytestmark = pytest.mark.usefixtures("inside")

HOST = {"name": "Rachel", "address": "rachel@example.org"}


def new(visitor: Visitor, **filled: str) -> Page:
    page = visitor.get("/new")
    return visitor.press(page, page.the_form("Mail me"), {**HOST, **filled})


def the_game() -> UUID:
    return UUID(str(run("SELECT id FROM game")[-1][0]))


def opened(page: Page) -> list[str]:
    """What stands on the summaries of the page's details that are open."""
    body = page.body.decode()
    return re.findall(r"<details[^>]* open[^>]*><summary>([^<:]*)", body)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        (" ,;\n ", []),
        ("simon@example.org", [("simon@example.org", "Simon")]),
        (
            "simon@example.org, terry@example.org;paul@example.org\nann@example.org",
            [
                (f"{w}@example.org", w.title())
                for w in ("simon", "terry", "paul", "ann")
            ],
        ),
        ("Si <simon@example.org>", [("simon@example.org", "Si")]),
        ('"Miller, Si" <simon@example.org>', [("simon@example.org", "Miller, Si")]),
        ("Miller, Si <simon@example.org>", [("simon@example.org", "Miller, Si")]),
        ("Si Miller simon@example.org", [("simon@example.org", "Si Miller")]),
        (
            "a@example.org b@example.org",
            [("a@example.org", "A"), ("b@example.org", "B")],
        ),
        ("mailto:simon@example.org", [("simon@example.org", "Simon")]),
        (
            "ann-sophie.lee99+games@example.org",
            [
                ("ann-sophie.lee99+games@example.org", "Ann Sophie Lee"),
            ],
        ),
        (
            "simon@one.example\nsimon@two.example",
            [
                ("simon@one.example", "Simon"),
                ("simon@two.example", ""),
            ],
        ),
        ("rachel@two.example", [("rachel@two.example", "")]),
        (
            f"{'x' * (NAME_LIMIT + 1)}@example.org",
            [
                (f"{'x' * (NAME_LIMIT + 1)}@example.org", ""),
            ],
        ),
    ],
)
def test_a_list_is_read_as_people_write_it(
    text: str, found: list[tuple[str, str]]
) -> None:
    read = pasted_friends.read(text, ["Rachel"])

    assert list(read) == [PastedFriend(*each) for each in found]


def test_what_is_no_address_is_kept_to_be_told() -> None:
    read = pasted_friends.read("simon.example.org, terry@example.org, Paul")

    assert [each.address for each in read] == [
        "simon.example.org",
        "terry@example.org",
        "Paul",
    ]


def test_a_list_and_a_number_of_bots_make_a_table(visitor: Visitor) -> None:
    page = new(visitor, friends="simon@example.org, Terry <t@example.org>", bots="1")

    assert "We mailed you" in page.text
    assert states(the_game()) == [
        ("Rachel", None, "invited"),
        ("Simon", None, "invited"),
        ("Terry", None, "invited"),
        ("Robot Uno", "steady", "joined"),
    ]


def test_the_listed_take_the_seats_that_stay_free(visitor: Visitor) -> None:
    new(
        visitor,
        friends="simon@example.org terry@example.org",
        seat2_kind="bot",
        seat2_bot="shrewd",
        first="3",
    )

    assert states(the_game())[1:] == [
        ("Simon", None, "invited"),
        ("Robot Uno", "shrewd", "joined"),
        ("Terry", None, "invited"),
    ]
    assert run("SELECT options->>'first' FROM game") == [("3",)]


@pytest.mark.parametrize(
    ("friends", "sentence"),
    [
        ("simon.example.org, terry@example.org", "“simon.example.org” is no e-mail"),
        ("a@example.org, A@example.org", "A@example.org has a seat at the table"),
        ("rachel@example.org, b@example.org", "rachel@example.org has a seat at the"),
        ("Si <a@example.org>, Si <b@example.org>", "Si reads like another name"),
        (
            f"{'x' * 33} <a@example.org>, b@example.org",
            "“Name of a@example.org” must have 32 characters at most.",
        ),
        ("a@example.org", "Add at least one more player or bot."),
        (
            ", ".join(f"a{letter}@example.org" for letter in "abcdefgh"),
            "This edition is for 6 players at most, and these are 9:",
        ),
    ],
)
def test_what_is_wrong_in_a_list_is_said_beside_it_and_the_list_kept(
    app: Flask, visitor: Visitor, friends: str, sentence: str
) -> None:
    before = seated.everything(app)

    page = new(visitor, friends=friends, pace="week")

    assert page.status in (409, 422)
    # Beside the field, and once more in the list on top, which leads there.
    assert page.text.count(sentence) == 2
    body = page.body.decode()
    assert all(f'id="{each[1:]}"' in body for each in page.links if each[:1] == "#")
    sent = page.the_form("Mail me").sent({}, None)
    assert sent["friends"].strip() == friends
    assert sent["pace"] == "week"
    assert seated.everything(app) == before


@pytest.mark.parametrize(
    ("filled", "wanted"),
    [
        ({"name": ""}, []),
        ({"first": "6"}, ["More"]),
        ({"word": "x" * 65}, ["More"]),
        ({"placement": "compensated"}, ["More"]),
        ({"seat1_kind": "friend"}, ["Seat by seat"]),
    ],
)
def test_what_is_folded_is_open_where_something_in_it_is_wrong(
    visitor: Visitor, filled: dict[str, str], wanted: list[str]
) -> None:
    assert opened(visitor.get("/new")) == []

    page = new(visitor, friends="a@example.org b@example.org", **filled)

    assert page.status in (409, 422)
    assert opened(page) == wanted


def test_the_mail_is_told_with_its_address_and_the_form_comes_back(
    visitor: Visitor,
) -> None:
    sent = {"friends": "a@example.org\nb@example.org", "pace": "week", "bots": "2"}
    page = new(visitor, address="Rachel@Example.org", **sent)

    assert "The mail goes to <bdi>Rachel@Example.org</bdi>." in page.body.decode()
    back = visitor.press(page, page.the_form("Fill the form in once more"))
    form = back.the_form("Mail me")
    assert back.status == 200
    kept = form.sent({}, None)
    assert {name: kept[name].strip() for name in sent} == sent
    assert "We mailed you" in visitor.press(back, form).text
    assert len(run("SELECT FROM game")) == 2


def test_no_address_stands_in_a_url(visitor: Visitor) -> None:
    page = new(visitor, friends="a@example.org, b@example.org")

    assert "@" not in page.url


@pytest.mark.parametrize(
    ("languages", "zone"),
    [
        ("de-CH,de;q=0.8", "Europe/Zurich"),
        ("fr, de-DE;q=0.5", "Europe/Berlin"),
        ("en-GB", "Europe/London"),
        ("en-US", "UTC"),
        ("de", "UTC"),
        ("zh-Hant", "UTC"),
        ("de-XX", "UTC"),
        ("de-CH;q=0", "UTC"),
        ("", "UTC"),
    ],
)
def test_a_zone_is_guessed_where_a_country_has_one_clock(
    app: Flask, languages: str, zone: str
) -> None:
    with app.test_request_context(headers={"Accept-Language": languages}):
        assert time_zones.guessed() == zone


def test_the_form_offers_the_guessed_zone_until_another_is_chosen(
    app: Flask,
) -> None:
    headers = {"Accept-Language": "de-CH"}

    asked = app.test_client().get("/new", headers=headers)
    sent = app.test_client().post("/new", headers=headers, data={"zone": "Asia/Tokyo"})

    chosen = r"<option selected>([^<]*/[^<]*)</option>"
    assert re.findall(chosen, html.unescape(asked.text)) == ["Europe/Zurich"]
    assert re.findall(chosen, html.unescape(sent.text)) == ["Asia/Tokyo"]


def test_a_remembered_browser_begins_with_its_own_zone(visitor: Visitor) -> None:
    table = seated.started(3)
    set_zone = "UPDATE person SET zone = 'Asia/Tokyo' WHERE id = :p"
    run(set_zone, {"p": seated.person_on(table.id, 1)})
    assert visitor.get("/new").the_form("Mail me").fields["zone"] == "UTC"

    visitor.remember(table, 1)

    assert visitor.get("/new").the_form("Mail me").fields["zone"] == "Asia/Tokyo"


def test_the_form_says_its_limits(visitor: Visitor) -> None:
    text = visitor.get("/new").text

    assert f"Your name {NAME_LIMIT} characters at most" in text
    assert "A word for the shuffle 64 characters at most" in text
