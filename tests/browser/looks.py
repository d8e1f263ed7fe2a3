"""What a page must look like on any screen, and what it may not do there."""

from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page

CHROMIUM = "/usr/bin/chromium"

_THUMB = 44
_TEXT = 15.9
_GRAVE = ("serious", "critical")

_SMALL_TEXT = """least => [...document.querySelectorAll('main p, li, label, button')]
    .filter(e => parseFloat(getComputedStyle(e).fontSize) < least)
    .map(e => e.className + ': ' + e.innerText.slice(0, 40))"""


def check(page: Page, shots: Path, name: str) -> None:
    """Take a picture; nothing runs off the side, is too small to read or to touch."""
    page.screenshot(path=shots / f"{name}.png", full_page=True)
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= page.viewport_size["width"], f"{name} is {width} wide"
    for target in page.locator("button, .button, .choice, .kinds label").all():
        if target.is_visible():
            box = target.bounding_box()
            assert box, target.inner_text()
            assert box["height"] >= _THUMB, target.inner_text()


def check_access(page: Page, name: str) -> None:
    """Nothing grave stands in the way of people who see or steer differently."""
    results = Axe().run(page)
    grave = [v for v in results.response["violations"] if v["impact"] in _GRAVE]
    assert not grave, f"{name}: {results.generate_report()}"
    assert page.evaluate(_SMALL_TEXT, _TEXT) == []


def decide(form: Locator) -> str:
    """Choose in a decision form as somebody in a hurry does; returns its kind."""
    kind = (form.get_attribute("class") or "").rpartition("decide-")[2]
    for field in form.locator("fieldset").all():
        field.locator("input").first.check()
    form.locator("button").click()
    return kind
