"""My cards by mail over the API: an order of whoever sits there, and known to them."""

import pytest

from service.store import card_orders
from tests.rig.service.programs import Api, Table, stranger

ORDERED, NOT_ORDERED = {"ordered": True}, {"ordered": False}


@pytest.fixture
def table(api: Api) -> Table:
    return Table(api, first=0)


def path(table: Table) -> str:
    return f"{table.path}/cards-by-mail"


def code(table: Table, method: str, token: str) -> tuple[int, str]:
    answer = table.api.call(method, path(table), token)
    return answer.status_code, answer.json["code"]


def test_an_order_is_read_and_ended_by_its_seat_and_seen_by_no_other(
    table: Table,
) -> None:
    tokens = table.tokens
    before = table.api.get(table.path, tokens[0])

    made = table.api.call("PUT", path(table), tokens[1])

    assert (made.status_code, made.json) == (200, ORDERED)
    assert table.api.get(path(table), tokens[1]).json == ORDERED
    assert table.api.get(path(table), tokens[0]).json == NOT_ORDERED
    (seat,) = table.api.get("/v1/me/export", tokens[1]).json["seats"]
    assert seat["cards_by_mail"] is True
    after = table.api.get(table.path, tokens[0])
    assert (after.data, after.headers["ETag"]) == (before.data, before.headers["ETag"])
    ended = table.api.call("DELETE", path(table), tokens[1])
    assert ended.status_code == 204
    assert table.api.get(path(table), tokens[1]).json == NOT_ORDERED


def test_nobody_orders_cards_that_arent_theirs(table: Table) -> None:
    assert code(table, "PUT", stranger(table.api)) == (403, "forbidden")
    table.api.call("PUT", f"{table.path}/seats/1/departure", table.tokens[1])

    assert code(table, "PUT", table.tokens[1]) == (409, "seat-kept")
    with table.api.app.app_context():
        assert card_orders.seats(table.id) == set()
