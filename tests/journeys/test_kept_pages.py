"""A page opened at one turn and sent at another: what was meant then is not done."""

import random
from typing import NamedTuple

from tests.rig.browser import Browser, Form, Page
from tests.rig.house import House
from tests.rig.letters import Letter
from tests.rig.people import OPEN, Person, Table

PLAYED = ("game", "event", "answer", "game_seed", "seat", "person", "device")


class Kept(NamedTuple):
    """An opened page that somebody left in a tab of another browser."""

    browser: Browser
    page: Page
    form: Form
    chosen: dict[str, str]

    def send(self) -> Page:
        return self.browser.press(self.page, self.form, self.chosen)


class Decided(Person):
    """Takes whatever is offered first."""

    def choose(self, form: Form) -> dict[str, str]:
        return {name: values[0] for name, values in form.choices().items()}


class Stubborn(Person):
    """Lays a No whenever there is one.

    Four nominees of at least two moves each make a round then: everybody moves twice.
    """

    def choose(self, form: Form) -> dict[str, str]:
        chosen = super().choose(form)
        if "no" in form.choices().get("card", ()):
            chosen["card"] = "no"
        return chosen


class Keeper:
    """Opens one person's first page of a kind, keeps it, and sends it later."""

    def __init__(self, house: House, address: str, field: str) -> None:
        self.house = house
        self.address = address
        self.field = field
        self.kept: Kept | None = None
        self.sent: list[Page] = []

    def __call__(self, letter: Letter) -> None:
        if letter.to != self.address or "/d/" not in letter.url:
            return
        browser = Browser()
        page = browser.get(letter.url)
        opening = page.form(OPEN)
        if opening is None:
            return
        opened = browser.press(page, opening)
        form = next((f for f in opened.forms if self.field in f.choices()), None)
        if form is None:
            return
        if self.kept is None:
            chosen = {name: values[-1] for name, values in form.choices().items()}
            self.kept = Kept(browser, opened, form, chosen)
        elif letter.url != self.kept.page.url:
            self.sent.append(self.send())

    def send(self) -> Page:
        """Send the kept page; no row of any game changes."""
        assert self.kept is not None
        others = [t for t in self.house.everything() if t not in PLAYED]
        before = self.house.everything(but=others)
        answer = self.kept.send()
        assert self.house.everything(but=others) == before
        return answer


def play_with(house: House, *fields: str) -> list[Keeper]:
    """A whole game in which Simon keeps pages; they are sent at each later turn.

    He always does the first thing that is offered; a kept page wants the last.
    """
    table = Table(house, 4, seed=11)
    for other in list(table.people.values()):
        table.people[other.address] = Stubborn(other.name, other.mind)
    simon = Decided("Simon", random.Random(1))
    table.people[simon.address] = simon
    keepers = [Keeper(house, simon.address, field) for field in fields]
    table.open(house.urls[0], rounds="1", placement="random")
    table.gather()

    def keep(letter: Letter) -> None:
        for keeper in keepers:
            keeper(letter)

    table.play(keep)
    for keeper in keepers:
        keeper.sent.append(keeper.send())
    return keepers


def test_a_kept_page_of_an_old_move_or_election_does_nothing_and_explains(
    small_house: House,
) -> None:
    moves, ballots = play_with(small_house, "character", "card")

    assert len(moves.sent) >= 2, "Simon was never asked again"
    assert len(ballots.sent) >= 2, "there was only one election"
    for page in (*moves.sent, *ballots.sent):
        assert page.status == 409
        assert page.news
    assert all("You wanted to move" in page.text for page in moves.sent)
    assert all("You wanted to lay" in page.text for page in ballots.sent)
    assert "game is over" in moves.sent[-1].text or "won" in moves.sent[-1].text
