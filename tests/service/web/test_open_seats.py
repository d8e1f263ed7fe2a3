"""A link that is passed on leads to an open seat, for whoever proves a mailbox."""

from uuid import UUID

import pytest
from flask import Flask

from service.store import codes
from service.store.transactions import transaction
from service.tables import creation
from service.tables.creation import BotSeat, Guest, OpenSeat, TableWish
from tests.rig.browser import Page
from tests.rig.service import seated
from tests.rig.service.programs import Api, operator_token
from tests.rig.service.seated import run
from tests.rig.service.visitor import Visitor, status, table_link

pytestmark = pytest.mark.usefixtures("inside")
PAULA = "paula@example.org"


@pytest.fixture
def table(app: Flask) -> UUID:
    """Rachel's table: one seat is open, a bot has the other."""
    return opened(OpenSeat(), BotSeat())


def opened(*wished: object, visibility: str = "link") -> UUID:
    """A table of Rachel's that fills up."""
    game_id = seated.draft(3)
    host = seated.person_on(game_id, 0)
    seated.confirm(game_id)
    wish = TableWish(wished, visibility=visibility)
    return creation.open_table(host, "", wish)


def mail_a_code() -> str:
    """The code of the mail that was asked for last."""
    (number,) = run("SELECT id FROM mailed_code ORDER BY created_at DESC LIMIT 1")[0]
    with transaction():
        codes.write(number, "WDJBMJHT")
    return "wdjb-mjht"


def asked(visitor: Visitor, table: UUID, address: str = PAULA) -> Page:
    """The page on which a code is typed in."""
    first = visitor.get(f"/g/{table}/join")
    return visitor.press(first, first.forms[0], {"address": address})


def test_whoever_proves_a_mailbox_has_the_seat(visitor: Visitor, table: UUID) -> None:
    page = asked(visitor, table)
    wish = {"code": mail_a_code(), "name": "Paula", "word": "luck"}

    done = visitor.press(page, page.forms[0], wish)

    assert done.status == 200
    assert "You are in, and the game has begun." in done.text
    assert status(table) == "running"
    name = "SELECT name, state FROM seat WHERE game_id = :g AND number = 1"
    assert run(name, {"g": table}) == [("Paula", "joined")]
    [(is_good,)] = run(
        "SELECT count(*) FROM token t JOIN person p ON p.id = t.person_id"
        " WHERE p.address = :a AND t.revoked_at IS NULL",
        {"a": PAULA},
    )
    assert is_good == 0


def test_reading_the_page_and_asking_for_a_code_seats_nobody(
    app: Flask, visitor: Visitor, table: UUID
) -> None:
    before = seated.everything(app)
    visitor.get(f"/g/{table}/join")
    assert seated.everything(app) == before

    asked(visitor, table)

    assert seated.seats(table)[1][2] == "open"


def test_a_wrong_code_seats_nobody_and_may_be_tried_again(
    visitor: Visitor, table: UUID
) -> None:
    page = asked(visitor, table)
    good = mail_a_code()

    wrong = visitor.press(page, page.forms[0], {"code": "BBBB-BBBB", "name": "Paula"})
    done = visitor.press(wrong, wrong.forms[0], {"code": good, "name": "Paula"})

    assert wrong.status == 409
    assert "This code is not good" in wrong.text
    assert done.status == 200
    assert status(table) == "running"


@pytest.mark.parametrize(
    ("field", "value", "answer"),
    [("name", "Rachel", 409), ("name", "", 422), ("word", "ü" * 65, 422)],
)
def test_a_code_stays_good_where_something_else_is_wrong(
    visitor: Visitor, table: UUID, field: str, value: str, answer: int
) -> None:
    page = asked(visitor, table)
    wish = {"code": mail_a_code(), "name": "Paula"}

    wrong = visitor.press(page, page.forms[0], {**wish, field: value})
    done = visitor.press(wrong, wrong.forms[0], {"word": "", **wish})

    assert wrong.status == answer
    assert done.status == 200
    assert status(table) == "running"


def test_whoever_was_slower_is_told_that_no_seat_is_free(
    app: Flask, visitor: Visitor
) -> None:
    table = opened(OpenSeat(), Guest("simon@example.org", "Simon"))
    page, other = asked(visitor, table), Visitor(app)
    code = mail_a_code()
    token = operator_token(Api(app), "terry@example.org")
    Api(app).call("POST", f"/v1/games/{table}/seats", token, json={"name": "Terry"})

    late = visitor.press(page, page.forms[0], {"code": code, "name": "Paula"})

    assert late.status == 409
    assert "Every seat of this table is taken" in late.text
    assert "Every seat of this table is taken" in other.get(f"/g/{table}/join").text


@pytest.mark.parametrize("address", ["nobody", ""])
def test_no_code_is_mailed_to_what_is_no_address(
    visitor: Visitor, table: UUID, address: str
) -> None:
    page = asked(visitor, table, address)

    assert page.status == 422
    assert run("SELECT count(*) FROM mailed_code") == [(0,)]


def test_once_the_game_has_begun_the_link_leads_to_it(visitor: Visitor) -> None:
    table = seated.started(3)

    page = visitor.get(f"/g/{table.id}/join")

    assert page.url.endswith(f"/g/{table.id}")


def test_nobody_joins_what_is_not_shown_to_them(visitor: Visitor) -> None:
    draft = seated.draft(3)
    simon = Guest("simon@example.org", "Simon")
    players = opened(simon, BotSeat(), visibility="players")

    assert visitor.get(f"/g/{draft}/join").status == 404
    assert visitor.get(f"/g/{players}/join").status == 404


def test_the_host_passes_on_the_link_that_programs_read(
    app: Flask, visitor: Visitor, table: UUID
) -> None:
    shown = Api(app).get(f"/v1/games/{table}").json["join_url"]

    page = visitor.get(table_link(table, 0, "table"))

    assert shown == f"http://localhost/g/{table}/join"
    assert shown in page.text
    assert "Take a seat" in visitor.get(f"/g/{table}").text
    started = seated.started(3)
    assert Api(app).get(f"/v1/games/{started.id}").json["join_url"] is None


def test_the_host_leaves_a_seat_open_on_the_page(visitor: Visitor) -> None:
    game_id = seated.draft(3)
    seated.confirm(game_id)
    page = visitor.get(table_link(game_id, 0, "table"))
    seat = next(form for form in page.forms if form.fields.get("seat") == "1")

    done = visitor.press(page, seat, {"choice": "open"})

    assert seated.seats(game_id)[1][2] == "open"
    assert f"/g/{game_id}/join" in done.text
