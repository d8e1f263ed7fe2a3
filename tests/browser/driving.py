"""A real `kingup serve`, and a real browser that is driven in front of it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from service import config
from tests.browser.looks import CHROMIUM
from tests.rig.house import answers
from tests.rig.parts import Part, free_ports, wait_until
from tests.rig.served import SERVE


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Where the pages are of a service that keeps all it has in a folder."""
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


@contextmanager
def browsing() -> Iterator[Browser]:
    """A browser without a window."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--headless"]
        )
        yield browser
        browser.close()
