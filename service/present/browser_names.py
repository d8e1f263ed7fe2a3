"""Browsers by their families: as coarse as helps somebody to tell their own apart."""

from typing import Final

from service.present.languages import gettext as _
from service.store.devices import Agent

# The first that is found counts: many say that they are others, too.
_BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("CriOS/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS: Final = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Macintosh", "Mac"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def families(user_agent: str) -> Agent:
    """The families that a browser's own words name; nothing else of them is kept."""
    browser = (family for mark, family in _BROWSERS if mark in user_agent)
    system = (family for mark, family in _SYSTEMS if mark in user_agent)
    return Agent(next(browser, ""), next(system, ""))


def name(agent: Agent) -> str:
    """What a browser is called, in the reader's language."""
    if agent.browser and agent.system:
        return _(
            "%(browser)s on %(system)s", browser=agent.browser, system=agent.system
        )
    return agent.browser or agent.system or _("Some browser")
