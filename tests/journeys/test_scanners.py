"""Programs that open every link of every mail first: nothing happens by them."""

from collections.abc import Iterator

from tests.rig import account
from tests.rig.browser import Browser, Page
from tests.rig.house import House
from tests.rig.letters import Letter
from tests.rig.parts import wait_until
from tests.rig.people import OPEN, Table

ROBOT = "Mozilla/5.0 (compatible; HeadlessChrome/130.0; link protection)"
PREFETCH = {
    "Sec-Purpose": "prefetch;prerender",
    "Purpose": "prefetch",
    "X-Moz": "prefetch",
    "X-Purpose": "preview",
}
OWN = "For your eyes only"


class Scanner:
    """Fetches what a mail links to in every harmless way, and presses its buttons."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.fetched = 0
        self.pressed = 0

    def scan(self, letter: Letter) -> None:
        """Look at all of a mail's links; no row of any table changes."""
        settle(self.house)
        # The worker lives on meanwhile.
        before = self.house.everything(but=["sign_of_life"])
        for url in (*letter.urls, letter.ending):
            self._look(url)
            self._press_everything(url)
        assert self.house.everything(but=["sign_of_life"]) == before

    def _look(self, url: str) -> None:
        for method in ("GET", "HEAD", "OPTIONS"):
            for headers in ({}, PREFETCH):
                robot = Browser(ROBOT)
                page = robot.fetch(method, url, headers)
                assert page.status == 200, (method, url, page.status)
                assert robot.cookies == {}
                assert OWN not in page.text
                if method != "OPTIONS":
                    assert page.headers["cache-control"] == "no-store"
                    assert page.headers["referrer-policy"] == "same-origin"
                self.fetched += 1

    def _press_everything(self, url: str) -> None:
        """Each button of the mailed page, and of the page that opening leads to."""
        robot = Browser(ROBOT)
        for opened in self._press(robot, robot.get(url)):
            list(self._press(robot, opened))

    def _press(self, robot: Browser, page: Page) -> Iterator[Page]:
        for form in page.forms:
            for button in form.buttons:
                self.pressed += 1
                done = robot.press(page, form, button=button)
                assert done.status in (200, 422), (page.url, button, done.status)
                if button.label == OPEN:
                    assert form.choices() == {}
                    yield done


def settle(house: House) -> None:
    """Wait until the worker has nothing to do, so that only we could change a row.

    What is told once an hour may wait for that long.
    """
    busy = """SELECT (SELECT count(*) FROM mail WHERE settled_at IS NULL)
        + (SELECT count(*) FROM mailed_code WHERE settled_at IS NULL)
        + (SELECT count(*) FROM notice WHERE mail_id IS NULL
           AND superseded_at IS NULL AND due_at <= kingup_now())
        + (SELECT count(*) FROM due WHERE claim_at <= kingup_now())"""
    wait_until(lambda: house.rows(busy) == [(0,)], "a quiet moment")


def test_links_and_buttons_change_nothing_and_the_person_still_acts(
    small_house: House,
) -> None:
    table, scanner = Table(small_house, 3), Scanner(small_house)
    table.open(small_house.urls[0], rounds="1", placement="random")
    table.gather(scanner.scan)

    table.play(before=scanner.scan)

    record = account.fetch(table.host.browser, small_house.urls[0], table.game_id)
    referee = account.settle(table.game_id, record)
    assert referee.answers == sum(person.acts for person in table.people.values())
    assert {each["by"] for each in record if "by" in each} == {"seat"}
    assert scanner.fetched >= 6 * len(small_house.letters())
    assert scanner.pressed > len(small_house.letters())
