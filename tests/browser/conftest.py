"""A real `kingup serve`, and a real browser in front of it."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from service import config
from tests.browser.looks import CHROMIUM, SIZES
from tests.rig.house import answers
from tests.rig.parts import Part, free_ports, wait_until
from tests.rig.served import SERVE


@pytest.fixture(scope="session")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the served pages are."""
    folder = tmp_path_factory.mktemp("kingup")
    [port] = free_ports(1)
    settings = {
        "KINGUP_HOME": str(folder),
        "KINGUP_PORT": str(port),
        "KINGUP_RATE_LIMITS": "0",
        "KINGUP_BOT_DELAY": "1",
    }
    environ = config.child_environ(settings, {"PATH": os.defpath})
    serve = Part("serve", SERVE, environ, folder / "serve.log")
    serve.start()
    try:
        wait_until(lambda: answers(port, "/"), "the first page")
        yield f"http://127.0.0.1:{port}"
    finally:
        serve.stop()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--headless"]
        )
        yield browser
        browser.close()


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
