"""No mailed link yields more than it was mailed for, whatever is pressed behind it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from service.people import remembered_browsers
from tests.rig.browser import Form, Page
from tests.rig.service import replaced, seated
from tests.rig.service.seated import Seated, run
from tests.rig.service.visitor import Visitor, link, table_link
from worker.outgoing import openings

pytestmark = pytest.mark.usefixtures("inside")

PURPOSES = set(openings._LEADS_TO.values())


def mailed(purpose: str) -> tuple[str, Seated | None]:
    """A fresh link of a purpose, as it would be mailed: its path, and its table."""
    if purpose == "table":
        return table_link(seated.draft(4, bots=3, first=0), 0, "table"), None
    if purpose == "invitation":
        game_id = seated.draft(2, bots=0, first=1, edition="jester")
        seated.confirm(game_id)
        return table_link(game_id, 1, "invitation"), None
    if purpose == "replacement":
        kept = replaced.kept(3)
        replaced.name(kept, replaced.fresh())
        return link(kept, 2, purpose).replace("/d/", "/o/"), kept
    table = seated.in_election(3)
    page = {"devices": "b", "remember": "r", "unsubscribe": "u"}.get(purpose, "d")
    return link(table, 1, purpose).replace("/d/", f"/{page}/"), table


def ways(form: Form) -> Iterator[dict[str, str]]:
    """Everything that can be chosen in a form, and every box of it ticked."""
    ticked = {"remember": "yes", "mine": "yes"}
    options = form.choices()
    if not options:
        yield ticked
    for name, values in options.items():
        others = {each: found[0] for each, found in options.items()}
        for value in values:
            yield {**others, name: value, **ticked}


def press_on(browser: Visitor, page: Page, depth: int) -> None:
    """Press every button of a page, and of the pages that come of it."""
    for form in page.forms:
        if form.action == "/practice":
            continue
        for chosen in ways(form):
            for button in form.buttons:
                done = browser.press(page, form, chosen, button)
                if depth:
                    press_on(browser, done, depth - 1)


@pytest.mark.parametrize("purpose", sorted(PURPOSES))
def test_no_mailed_link_yields_more_than_it_was_mailed_for(
    app: Flask, visitor: Visitor, purpose: str
) -> None:
    path, _table = mailed(purpose)
    counts = "SELECT (SELECT count(*) FROM device), (SELECT count(*) FROM token)"
    ((devices_before, tokens_before),) = run(counts)

    press_on(visitor, visitor.get(path), depth=2)

    remembers = purpose == "remember"
    assert bool(visitor.cookies()) == remembers
    assert run(counts) == [(devices_before + remembers, tokens_before)]


def test_every_way_to_post_by_a_link_is_walked_for_every_purpose(
    app: Flask, visitor: Visitor
) -> None:
    """A cookie comes from one page alone, whichever link is sent to whichever page."""
    acts = [*("open", "answer", "take-back", "remember"), *("renew", "confirm")]
    acts += ["seat", "give-up", "end-replacement", "agree", "refuse"]
    pages = {
        rule.rule.replace("<path:raw>", "{}")
        for rule in app.url_map.iter_rules()
        if "<path:raw>" in rule.rule and "POST" in (rule.methods or ())
    }
    assert {page[1].lower() for page in pages} == set("bdioprtu")

    for purpose in PURPOSES:
        token = mailed(purpose)[0].rpartition("/")[2]
        for page in pages:
            for act in acts:
                sent = {"do": act, "remember": "yes", "mine": "yes", "choice": "in"}
                visitor.fetch("POST", page.format(token), data=sent)

    assert visitor.cookies() == {}


def test_the_seats_cookie_is_set_in_two_places_alone() -> None:
    pages = Path(remembered_browsers.__file__).parents[1] / "web"
    found = {
        file.name
        for file in pages.rglob("*.py")
        if "seat_cookies.keep(" in file.read_text() or "set_cookie(" in file.read_text()
    }

    assert found == {"browsers.py", "home.py", "seat_cookies.py"}
