"""Having a browser remembered as people do: by the link that is mailed for it."""

from collections.abc import Callable, Mapping
from typing import Protocol
from urllib.parse import urlsplit

from tests.rig.browser import Form, Page
from tests.rig.letters import Letter

SUBJECT = "Remember a device?"
ENDING = "Your devices and days off"


class Looking(Protocol):
    """A browser over HTTP, or one in process."""

    def get(self, url: str, /) -> Page:
        """A page."""

    def press(self, page: Page, form: Form, chosen: Mapping[str, str], /) -> Page:
        """What comes of a form."""


def remember(browser: Looking, letter: Letter, path_alone: bool = True) -> Page:
    """Open the mailed link in a browser, tick, and press."""
    assert letter.subject.startswith(SUBJECT), letter.subject
    page = browser.get(where(letter) if path_alone else letter.url)
    return browser.press(page, page.the_form("Remember this device"), {"mine": "yes"})


def where(letter: Letter) -> str:
    """The path of a mail's one link."""
    return urlsplit(letter.url).path


def latest(letters: Callable[[], list[Letter]], subject: str) -> Letter:
    """The newest mail of a kind."""
    return [each for each in letters() if each.subject.startswith(subject)][-1]
