"""People who act on pages, by the links of their mails alone."""

import random
from typing import Final
from urllib.parse import urlsplit

from flask import Flask

from tests.rig import letters, people
from tests.rig.browser import Page
from tests.rig.service.visitor import OPEN, Visitor
from tests.rig.simulator.mail_server import Delivery

_COME_BACK: Final = "Come back"
_JOINING: Final = ("send", "in")


class ByPages:
    """Opens what came by mail and does what its page asks for, in a browser."""

    def __init__(
        self, app: Flask, name: str, network: str, zone: str, chance: random.Random
    ) -> None:
        self._visitor = Visitor(app)
        self._visitor.client.environ_base["REMOTE_ADDR"] = network
        self._mind = people.Person(name, chance)
        self._zone = zone

    def answer(self, letter: Delivery | None) -> bool:
        """Follow the link of a mail: join, or choose and answer."""
        if letter is None:
            return False
        page = self._opened(letter)
        for form in page.forms:
            for choice in _JOINING:
                if choice in form.choices().get("choice", ()):
                    return self._join(page, choice)
        if page.form(OPEN) is None:
            return False
        cards = self._visitor.press(page, page.the_form(OPEN))
        asking = [form for form in cards.forms if form.radios]
        if cards.status == 409 or not asking:
            return False
        done = self._visitor.press(cards, asking[0], self._mind.choose(asking[0]))
        assert done.status in (200, 409), done.text
        return done.status == 200

    def _opened(self, letter: Delivery) -> Page:
        path = urlsplit(letters.read(0, letter.raw).url).path
        page = self._visitor.get(path)
        assert page.status == 200, (path, page.status, page.text)
        return page

    def _join(self, page: Page, choice: str) -> bool:
        form = next(f for f in page.forms if choice in f.choices().get("choice", ()))
        zone = {"zone": self._zone} if "zone" in form.fields else {}
        done = self._visitor.press(page, form, {"choice": choice, **zone})
        assert done.status == 200, done.text
        return True

    def hold_up(self, days: int) -> None:
        """Nobody stops a clock by a link: that is for remembered browsers."""

    def take_back(self) -> None:
        """What was answered by a link stays as it is."""

    def answer_ahead(self) -> None:
        """Only what is asked is answered."""

    def leave(self) -> None:
        """Nobody leaves a game by a link: they just read no more mails."""

    def come_back(self, letter: Delivery | None) -> bool:
        """Take the seat again by the latest link; False while the page offers it not.

        Whoever's seat no bot has taken is back at once.
        """
        if letter is None:
            return True
        page = self._opened(letter)
        if "keeps" not in page.text:
            return True
        form = page.form(_COME_BACK)
        if form is None:
            return False
        done = self._visitor.press(page, form)
        assert done.status in (200, 409), done.text
        return done.status == 200
