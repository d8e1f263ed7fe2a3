"""A look at a page, however it is taken, changes nothing; nor does its first button."""

import re
from collections.abc import Callable, Mapping

import pytest
from flask import Flask

from engine.commands import PlacementOption
from service.store import links
from service.store.transactions import transaction
from service.values import entropy, signed_tokens
from tests.rig.browser import Page
from tests.rig.service import seated
from tests.rig.service.visitor import Visitor, asked, choices, link

PREFETCH = (
    {"Sec-Purpose": "prefetch;prerender", "Purpose": "prefetch"},
    {"User-Agent": "Mozilla/5.0 HeadlessChrome/120", "X-Moz": "prefetch"},
    {"User-Agent": "Barracuda Sentinel (EE)", "Accept": "*/*"},
)
OPEN = "Open my cards"


pytestmark = pytest.mark.usefixtures("inside")


def table_link(purpose: str, seat: int, status: str) -> str:
    game_id = seated.draft(4, bots=1)
    if status == "inviting":
        seated.confirm(game_id)
    with transaction():
        token = links.add(seated.link(game_id, seat, purpose))
    return f"/{purpose[0]}/{token}"


def placing() -> str:
    table = seated.started(3)
    return link(table, asked(table))


def moving() -> str:
    table = seated.started(4, placement=PlacementOption.RANDOM)
    return link(table, asked(table))


def voting() -> str:
    return link(seated.in_election(3), 1)


def over() -> str:
    table = seated.started(4, placement=PlacementOption.RANDOM, rounds=1)
    path = link(table, asked(table))
    table.finish()
    return path


def remembering() -> str:
    return link(seated.started(3), 1, "game")


MAILED: Mapping[str, Callable[[], str]] = {
    "draft": lambda: table_link("table", 0, "draft"),
    "table": lambda: table_link("table", 0, "inviting"),
    "invitation": lambda: table_link("invitation", 1, "inviting"),
    "placement": placing,
    "move": moving,
    "election": voting,
    "over": over,
    "remember": remembering,
}


@pytest.mark.parametrize("kind", MAILED)
def test_a_look_changes_no_row_and_sets_no_cookie(
    app: Flask, visitor: Visitor, kind: str
) -> None:
    path = MAILED[kind]()
    before = seated.everything(app)

    for headers in PREFETCH:
        for method in ("GET", "HEAD", "OPTIONS"):
            page = visitor.fetch(method, path, headers)
            assert page.status == 200
            assert "set-cookie" not in page.headers

    assert seated.everything(app) == before


@pytest.mark.parametrize("kind", MAILED)
def test_every_button_of_the_mailed_page_changes_no_row(
    app: Flask, visitor: Visitor, kind: str
) -> None:
    path = MAILED[kind]()
    page = visitor.get(path)
    before = seated.everything(app)

    pressed = 0
    for _ in range(2):
        for form in reversed(page.forms):
            for button in form.buttons:
                visitor.press(page, form, {}, button)
                pressed += 1

    assert seated.everything(app) == before
    assert pressed or kind in ("over", "remember")


@pytest.mark.parametrize("kind", ["placement", "move", "election"])
def test_the_player_acts_at_the_first_try_after_a_scanner(
    app: Flask, visitor: Visitor, kind: str
) -> None:
    path = MAILED[kind]()
    scanner = Visitor(app)
    for headers in PREFETCH:
        page = scanner.fetch("GET", path, headers)
        scanner.press(page, page.the_form(OPEN))

    done = act(visitor, path)

    assert done.status == 200
    assert "You " in done.text


def act(visitor: Visitor, path: str) -> Page:
    page = visitor.get(path)
    opened = visitor.press(page, page.the_form(OPEN))
    form = next(form for form in opened.forms if form.radios)
    return visitor.press(opened, form, choices(form))


def test_the_mailed_page_has_one_button(visitor: Visitor) -> None:
    for path in (placing(), moving(), voting()):
        page = visitor.get(path)

        assert [b.label for f in page.forms for b in f.buttons] == [OPEN]


def test_the_mailed_page_says_the_same_to_everybody_but_their_name(
    visitor: Visitor,
) -> None:
    table = seated.in_election(3)

    pages = set()
    for seat in range(3):
        page = visitor.get(link(table, seat)).body
        # What is new begins behind what they did last in the open; the castle marks it.
        common = re.sub(rb'<section class="news".*?</section>', b"", page, flags=re.S)
        common = re.sub(rb'<svg class="castle".*?</svg>', b"", common, flags=re.S)
        common = re.sub(rb"<bdi>\w+</bdi>, this is for you", b"", common)
        pages.add(b" ".join(common.split()))

    assert len(pages) == 1
    assert b"eyes only" not in pages.pop()


@pytest.mark.parametrize("kind", ["move", "invitation", "draft", "remember"])
def test_what_mail_programs_do_to_a_link_is_forgiven(
    visitor: Visitor, kind: str
) -> None:
    path = MAILED[kind]()
    whole = visitor.get(path)

    for glued in (".", ")", ">", "%3E", "%20", "/", "=", ".)", "?utm_source=mail"):
        assert visitor.get(f"{path}{glued}").text == whole.text
    assert visitor.get(path.upper()).text == whole.text
    assert visitor.get(f"{path[:12]}={path[12:]}").text == whole.text
    assert whole.status == 200


@pytest.mark.parametrize("path", ["/d/", "/d/x", "/t/" + "a" * 26, "/i/%00", "/d/%FF"])
def test_an_unknown_link_is_explained(visitor: Visitor, path: str) -> None:
    page = visitor.get(path)

    assert page.status == 404
    assert "newest mail" in page.text


def test_a_link_is_good_for_its_own_page_alone(visitor: Visitor) -> None:
    token = table_link("table", 0, "draft").removeprefix("/t/")

    assert visitor.get(f"/t/{token}").status == 200
    assert visitor.get(f"/d/{token}").status == 404
    assert visitor.get(f"/i/{token}").status == 404


def test_pages_of_a_game_are_kept_by_nobody_and_run_no_script(
    visitor: Visitor,
) -> None:
    for path in (moving(), remembering(), table_link("invitation", 1, "inviting"), "/"):
        headers = visitor.get(path).headers

        assert headers["cache-control"] == "no-store"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy


def test_a_page_fetches_from_its_own_house_alone(visitor: Visitor) -> None:
    for path in (moving(), "/", "/new"):
        body = visitor.get(path).body.decode()

        assert "<script" not in body
        assert "style=" not in body
        assert "http" not in body.replace("http://www.w3.org/2000/svg", "").replace(
            "http-equiv", ""
        )


def test_links_never_come_from_the_host_header(visitor: Visitor) -> None:
    body = visitor.get(moving(), Host="evil.example").body

    assert b"evil.example" not in body


def test_a_token_is_read_in_its_own_letters_alone() -> None:
    token = "k" * entropy.TOKEN_LENGTH

    assert signed_tokens.normalise(f" {token.upper()}.") == token
    assert signed_tokens.normalise("\u212a" * entropy.TOKEN_LENGTH) == ""
