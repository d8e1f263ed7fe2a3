"""People who play by their mails alone: read, open the one link, press, choose, act."""

import random
import re
import time
from collections.abc import Callable, Iterator, Sequence

from tests.rig.browser import Browser, Form, Page
from tests.rig.house import House
from tests.rig.letters import Letter

OPEN = "Open my cards"
NAMES = ("Rachel", "Simon", "Terry", "Paul", "Thomas", "Britta", "Ralf", "Uwe")
LONGEST_LINK = 72


def address(name: str) -> str:
    return f"{name.lower()}@example.org"


class Person:
    """Somebody with a mailbox and a browser."""

    def __init__(self, name: str, mind: random.Random) -> None:
        self.name = name
        self.address = address(name)
        self.browser = Browser()
        self.mind = mind
        self.acts = 0

    def follow(self, letter: Letter) -> Page:
        """Open the one link of a mail and do what its page asks for, if anything."""
        page = self.browser.get(letter.url)
        assert page.status == 200, (letter.subject, page.status, page.text)
        form = page.form(OPEN)
        return page if form is None else self._act(self.browser.press(page, form))

    def _act(self, opened: Page) -> Page:
        """Choose what the opened page offers, and do it."""
        if opened.status == 409:
            return opened
        form = next(form for form in opened.forms if form.radios)
        assert not any(radio.checked for radio in form.radios)
        done = self.browser.press(opened, form, self.choose(form))
        self.acts += done.status == 200
        assert done.status in (200, 409), done.text
        return done

    def choose(self, form: Form) -> dict[str, str]:
        """A mind of one's own, in a hurry: the topmost moves, and a No now and then."""
        chosen = {}
        for name, values in form.choices().items():
            if name == "card":
                chosen[name] = self._card(values)
            elif len(form.choices()) == 1 and self.mind.random() < 0.7:
                chosen[name] = values[0]
            else:
                chosen[name] = self.mind.choice(values)
        return chosen

    def _card(self, offered: Sequence[str]) -> str:
        """A No now and then, a Stomachache more seldom, else Yes."""
        whim = self.mind.random()
        if "stomachache" in offered and whim < 0.1:
            return "stomachache"
        return "no" if "no" in offered and whim < 0.3 else "yes"


class Table:
    """People around a game that they play by mail."""

    def __init__(
        self, house: House, seats: int, seed: int = 1, *, patience: float = 20.0
    ) -> None:
        self.house = house
        mind = random.Random(seed)
        self.people = {
            address(name): Person(name, random.Random(mind.random()))
            for name in NAMES[:seats]
        }
        self.read = 0
        self._patience = patience
        self.game_id = ""

    @property
    def host(self) -> Person:
        return next(iter(self.people.values()))

    def letters(self) -> Iterator[Letter]:
        """Every new mail as it comes; fails when none comes for too long."""
        quiet = time.monotonic()
        while time.monotonic() - quiet < self._patience:
            for letter in self.house.letters()[self.read :]:
                self.read += 1
                quiet = time.monotonic()
                check(letter)
                yield letter
            time.sleep(0.01)
        raise AssertionError(f"no mail for {self._patience:g} s; {self._asked()}")

    def _asked(self) -> str:
        rows = self.house.rows("SELECT status, position, record, laid FROM game")
        return f"the game: {rows}; due: {self.house.rows('SELECT * FROM due')}"

    def open(self, url: str, **wish: str) -> None:
        """The host fills in the form of a new game, and is mailed."""
        browser = self.host.browser
        page = browser.get(f"{url}/new")
        assert page.status == 200, page.text
        form = next(form for form in page.forms if "address" in form.fields)
        people = list(self.people.values())
        filled = {"name": self.host.name, "address": self.host.address, **wish}
        for number in range(1, len(NAMES)):
            guest = people[number] if number < len(people) else None
            filled[f"seat{number}_kind"] = "friend" if guest else "empty"
            if guest:
                filled[f"seat{number}_name"] = guest.name
                filled[f"seat{number}_address"] = guest.address
        done = browser.press(page, form, filled)
        assert done.status == 200, done.text

    def gather(self, before: Callable[[Letter], None] | None = None) -> None:
        """The host confirms by mail, everybody joins by mail; then the game runs.

        `before` may do something with each mail before its reader does.
        """
        joined = {self.host.address}
        for letter in self.letters():
            if before:
                before(letter)
            person = self.people[letter.to]
            page = person.browser.get(letter.url)
            if "/t/" in letter.url:
                assert self.read == 1, "somebody was mailed before the host agreed"
                self._send(person, page, "send")
            elif "/i/" in letter.url:
                self._send(person, page, "in")
                joined.add(person.address)
            if joined == set(self.people):
                break
        rows = self.house.rows("SELECT id FROM game WHERE status = 'running'")
        self.game_id = str(rows[-1][0])

    def _send(self, person: Person, page: Page, choice: str) -> None:
        form = next(f for f in page.forms if choice in f.choices().get("choice", ()))
        assert not any(radio.checked for radio in form.radios if radio.name == "choice")
        done = person.browser.press(page, form, {"choice": choice})
        assert done.status == 200, done.text

    def play(self, before: Callable[[Letter], None] | None = None) -> None:
        """Everybody follows every mail, until all have read that the game is over.

        `before` may do something with each mail before its reader does.
        """
        reached: set[str] = set()
        for letter in self.letters():
            if before:
                before(letter)
            page = self.people[letter.to].follow(letter)
            # Beside a receipt it says what to do "when the game is over".
            if re.search(r"(?<!when the )game is over", page.text, re.IGNORECASE):
                reached.add(letter.to)
            if reached == set(self.people):
                return


def check(letter: Letter) -> None:
    """What every mail of ours keeps to."""
    assert len(letter.url) <= LONGEST_LINK
    assert letter.url in letter.text.splitlines(), "the link has no line of its own"
    assert letter.url in letter.html
    assert letter.url.encode() in letter.raw.replace(b"=\r\n", b""), letter.subject
