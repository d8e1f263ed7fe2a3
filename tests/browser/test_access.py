"""Every kind of page can be read and steered by everybody, by day and by night."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser import looks

pytestmark = pytest.mark.browser


def test_no_page_stands_in_anybodys_way(
    open_page: Callable[..., Page], shots: Path
) -> None:
    page = open_page("phone")

    for name, path in (
        ("home", "/"),
        ("new", "/new"),
        ("rules", "/rules"),
        ("mailbox", "/mailbox"),
        ("nowhere", "/nowhere"),
    ):
        page.goto(path)
        looks.check(page, shots, name)
        looks.check_access(page, name)


def test_the_rules_fit_the_narrowest_phone(
    open_page: Callable[..., Page], shots: Path
) -> None:
    page = open_page("phone")
    page.set_viewport_size({"width": 320, "height": 640})

    page.goto("/rules")

    looks.check(page, shots, "rules-narrow")
    for table in page.locator(".wide").all():
        assert table.evaluate("e => e.scrollWidth <= e.clientWidth")


def test_no_page_of_a_game_stands_in_anybodys_way(
    open_page: Callable[..., Page], shots: Path
) -> None:
    page = open_page("desktop")
    page.goto("/")
    page.get_by_role("button", name="Play now: Classic").click()
    seen: set[str] = set()

    while page.get_by_role("button", name="Play again").count() == 0:
        form = page.locator("form.decide")
        if form.count() == 0:
            page.wait_for_timeout(300)
            continue
        kind = form.get_attribute("class") or ""
        if kind not in seen:
            looks.check(page, shots, kind.replace(" ", "-"))
            looks.check_access(page, kind)
            seen.add(kind)
        looks.decide(form)

    looks.check(page, shots, "final")
    looks.check_access(page, "final")
    assert page.locator(".results tbody tr").count() == 4
    assert len(seen) == 2

    page.get_by_role("link", name="The last round").click()
    looks.check(page, shots, "round")
    looks.check_access(page, "round")
    assert page.locator(".turned > li").count() == 4
