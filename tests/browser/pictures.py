"""What `make pictures` runs: the README's pictures, of a practice game played here."""

import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import click
from playwright.sync_api import Page

from tests.browser import driving, looks

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"

_PATIENCE = 120.0
_OVER = ".ended"

# A first turn explains more than it shows; from the second on the news stand on top.
_SHOWN: Mapping[str, str] = {
    "turn": ".page:has(#news):not(:has(.lesson, .reveal)) form.decide-move",
    "reveal": ".page:has(form.decide) .reveal .verdict",
    "end": _OVER,
}
"""By the name of a picture, what stands on the page that it is taken of."""


def main() -> None:
    """Play until every page has been seen, and keep a phone's picture of each."""
    FOLDER.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        driving.serving(Path(folder)) as origin,
        driving.browsing() as browser,
    ):
        width, height = looks.SIZES["phone"]
        page = browser.new_page(
            base_url=origin,
            viewport={"width": width, "height": height},
            reduced_motion="reduce",
        )
        page.goto("/")
        page.get_by_role("button", name="Play now: Classic").click()
        for name in _taken(page):
            file = FOLDER / f"{name}.png"
            click.echo(f"{file.name}: {file.stat().st_size} bytes")


def _taken(page: Page) -> Iterator[str]:
    """Play game after game, and take each picture at the first page that has it."""
    missing, patience = dict(_SHOWN), time.monotonic() + _PATIENCE
    while missing:
        if time.monotonic() > patience:
            raise TimeoutError(f"These were never seen: {', '.join(missing)}.")
        for name in [n for n, shown in missing.items() if page.locator(shown).count()]:
            page.evaluate("scrollTo(0, 0)")
            page.screenshot(path=FOLDER / f"{name}.png")
            del missing[name]
            yield name
        _go_on(page)


def _go_on(page: Page) -> None:
    """Answer what is asked, wait for the bots, or begin another game."""
    form = page.locator("form.decide")
    if form.count():
        looks.decide(form)
    elif page.locator(_OVER).count():
        page.get_by_role("button", name="Play again").click()
    else:
        page.wait_for_timeout(300)


if __name__ == "__main__":
    main()
