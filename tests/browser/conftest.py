"""What the browser's tests are given: served pages, windows, a place for pictures."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser import driving
from tests.browser.looks import SIZES


@pytest.fixture(scope="session")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the served pages are."""
    with driving.serving(tmp_path_factory.mktemp("kingup")) as address:
        yield address


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with driving.browsing() as browser:
        yield browser


@pytest.fixture
def open_page(chromium: Browser, origin: str) -> Iterator[Callable[..., Page]]:
    """Opens a window of a size; `script` tells whether pages could run any."""
    contexts = []

    def open_one(size: str, *, script: bool = True) -> Page:
        width, height = SIZES[size]
        context = chromium.new_context(
            base_url=origin,
            viewport={"width": width, "height": height},
            java_script_enabled=script,
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        return page

    yield open_one
    for context in contexts:
        context.close()


@pytest.fixture
def shots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where this test's pictures go; pytest keeps those of its last runs."""
    return tmp_path_factory.mktemp("shots")
