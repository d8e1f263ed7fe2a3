"""Somebody who looks at the pages in process, and presses what they show."""

from collections.abc import Mapping
from urllib.parse import urljoin
from uuid import UUID

from flask import Flask
from werkzeug.test import TestResponse

from engine.commands import PlacementOption
from engine.views import Legal
from service.store import devices, links
from service.store.links import LinkRow
from service.store.transactions import transaction
from tests.rig.browser import Button, Form, Page
from tests.rig.service import seated
from tests.rig.service.seated import Seated, person_on, run

ORIGIN = "http://localhost"
OPEN = "Open my cards"


class Visitor:
    """A browser with cookies of its own. Redirects are followed, as browsers do."""

    def __init__(self, app: Flask) -> None:
        self.client = app.test_client()

    def get(self, path: str, **headers: str) -> Page:
        return self.fetch("GET", path, headers)

    def press(
        self,
        page: Page,
        form: Form,
        chosen: Mapping[str, str] | None = None,
        button: Button | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Page:
        """Send a form, by its first button if none is named."""
        data = form.sent(chosen or {}, button or form.buttons[0])
        sent = {"Origin": ORIGIN, "Sec-Fetch-Site": "same-origin", **(headers or {})}
        return self.fetch("POST", urljoin(page.url, form.action), sent, data)

    def fetch(
        self,
        method: str,
        path: str,
        headers: Mapping[str, str] | None = None,
        data: Mapping[str, str] | None = None,
    ) -> Page:
        response = self.client.open(path, method=method, headers=headers, data=data)
        if response.status_code in (301, 302, 303, 307, 308):
            return self.get(response.headers["Location"])
        return as_page(path, response)

    def cookies(self) -> dict[str, str]:
        """The name and value of every cookie this browser keeps."""
        jar = self.client._cookies or {}
        return {cookie.key: cookie.value for cookie in jar.values()}

    def remember(self, table: Seated, seat: int) -> None:
        """Be the remembered device of a seat."""
        with transaction():
            token = devices.remember(table.id, person_on(table.id, seat), seat)
        self.client.set_cookie(f"seat_{table.id.hex}", token)


def as_page(path: str, response: TestResponse) -> Page:
    headers = {name.lower(): value for name, value in response.headers.items()}
    return Page(path, response.status_code, headers, response.data)


def link(
    table: Seated, seat: int, purpose: str = "decision", decision: int | None = None
) -> str:
    """The path of a link as it would be mailed to a seat now."""
    number = decision or (table.decision if purpose == "decision" else None)
    row = LinkRow(purpose, table.id, person_on(table.id, seat), seat, number)
    with transaction():
        return f"/d/{links.add(row)}"


def asked(table: Seated) -> int:
    """The seat that is asked first now."""
    return int(table.game.asked()[0])


def choices(form: Form) -> dict[str, str]:
    """The first of everything a form offers."""
    return {name: values[0] for name, values in form.choices().items()}


def moving(seats: int = 4) -> Seated:
    return seated.started(seats, placement=PlacementOption.RANDOM)


def opened(visitor: Visitor, path: str) -> tuple[Page, Form]:
    page = visitor.get(path)
    cards = visitor.press(page, page.the_form(OPEN))
    assert cards.status == 200
    return cards, next(form for form in cards.forms if form.radios)


def legal(table: Seated) -> tuple[Legal, ...]:
    return seated.own(table.game, asked(table)).legal


def table_link(game_id: UUID, seat: int, purpose: str) -> str:
    with transaction():
        token = links.add(seated.link(game_id, seat, purpose))
    return f"/{purpose[0]}/{token}"


def states(game_id: UUID) -> list[tuple[object, ...]]:
    return run(
        "SELECT name, bot, state FROM seat WHERE game_id = :g ORDER BY number",
        {"g": game_id},
    )


def form_with(page: Page, value: str) -> Form:
    """The form that offers a value."""
    return next(f for f in page.forms if any(r.value == value for r in f.radios))


def status(game_id: UUID) -> str:
    return str(run("SELECT status FROM game WHERE id = :g", {"g": game_id})[0][0])


def path_of(table: Seated) -> str:
    return f"/g/{table.id}"


def decision_form(page: Page) -> Form:
    return next(form for form in page.forms if form.radios)
