"""What a page must look like on any screen, and what it may not do there."""

from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page

CHROMIUM = "/usr/bin/chromium"
SIZES = {"phone": (390, 844), "desktop": (1280, 900)}
"""Widths and heights of windows, in pixels."""

_THUMB = 44
_TEXT = 15.9
_GRAVE = ("serious", "critical")

_SMALL_TEXT = """least => [...document.querySelectorAll('main p, li, label, button')]
    .filter(e => parseFloat(getComputedStyle(e).fontSize) < least)
    .map(e => e.className + ': ' + e.innerText.slice(0, 40))"""

_SMALL_TARGETS = """least => [...document.querySelectorAll(
        'button, .button, .choice, .kinds label')]
    .filter(e => e.checkVisibility({visibilityProperty: true}))
    .map(e => [e.getBoundingClientRect().height, e.innerText])
    .filter(([height]) => 0 < height && height < least)"""


def check(page: Page, shots: Path, name: str) -> None:
    """Nothing runs off the side or is too small to touch; takes a picture of a name."""
    picture = shots / f"{name}.png"
    if not picture.exists():
        page.screenshot(path=picture, full_page=True)
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= page.viewport_size["width"], f"{name} is {width} wide"
    small = page.evaluate(_SMALL_TARGETS, _THUMB)
    assert small == [], f"{name}: {small}"


def check_access(page: Page, name: str) -> None:
    """Nothing grave is in the way of who sees or steers differently, day or night."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        results = Axe().run(page)
        grave = [v for v in results.response["violations"] if v["impact"] in _GRAVE]
        assert not grave, f"{name}, {scheme}: {results.generate_report()}"
    assert page.evaluate(_SMALL_TEXT, _TEXT) == []


def decide(form: Locator) -> str:
    """Choose in a decision form as somebody in a hurry does; returns its kind."""
    kind = (form.get_attribute("class") or "").rpartition("decide-")[2]
    for field in form.locator("fieldset").all():
        field.locator("input").first.check()
    form.locator("button").click()
    return kind
