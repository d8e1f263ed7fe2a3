"""Stream tickets: one connection each, for a moment, and no more than their token."""

from collections.abc import Iterator

import pytest
import redis
from werkzeug.test import TestResponse

from service import live
from service.config import Config
from service.live.tickets import SECONDS, Tickets
from service.values.signed_tokens import signer
from tests.rig.service.heard import Heard
from tests.rig.service.programs import Api, Table, stranger, unknown_game

KEYS = "kingup:ticket:*"


@pytest.fixture
def table(api: Api) -> Table:
    return Table(api, rounds=1)


@pytest.fixture
def valkey(settings: Config) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(settings.redis_url) as client:
        yield client


def ask(api: Api, table: Table, token: str) -> TestResponse:
    return api.call("POST", f"{table.path}/stream-tickets", token)


def ticket(api: Api, table: Table, seat: int = 0) -> str:
    answer = ask(api, table, table.tokens[seat])
    assert answer.status_code == 201
    found: str = answer.json["ticket"]
    return found


def refusal(answer: TestResponse) -> tuple[int, str, str | None]:
    problem = answer.get_json()
    return answer.status_code, problem["code"], problem.get("reason")


BAD_TICKET = (401, "unauthorized", "bad-ticket")


def test_a_ticket_opens_the_stream_of_its_seat(api: Api, table: Table) -> None:
    stream = Heard(api, table, query=f"?ticket={ticket(api, table, 1)}")

    first = stream.next()

    assert first.json == table.view(1).json
    assert first.json["own"]["seat"] == 1


def test_the_address_in_the_answer_is_the_stream(api: Api, table: Table) -> None:
    answer = ask(api, table, table.tokens[0])

    body = answer.json
    public = api.app.config["KINGUP"].public_url
    assert body["stream_url"] == (
        f"{public}{table.path}/stream?ticket={body['ticket']}"
    )
    assert answer.headers["Location"] == body["stream_url"]
    assert answer.headers["Cache-Control"] == "no-store"
    assert body["expires_in"] == SECONDS == 30


def test_a_ticket_is_good_for_one_connection(api: Api, table: Table) -> None:
    query = f"?ticket={ticket(api, table)}"
    Heard(api, table, query=query).next()

    again = api.get(f"{table.path}/stream{query}")

    assert refusal(again) == BAD_TICKET


def test_a_ticket_is_forgotten_after_half_a_minute(
    api: Api, table: Table, valkey: redis.Redis
) -> None:
    unused = ticket(api, table)

    [key] = valkey.keys(KEYS)
    left = valkey.ttl(key)

    assert 0 < left <= SECONDS
    valkey.delete(key)
    answer = api.get(f"{table.path}/stream?ticket={unused}")
    assert refusal(answer) == BAD_TICKET


def test_a_ticket_is_good_for_its_game_alone(api: Api, table: Table) -> None:
    other = Table(api, rounds=1)
    query = f"?ticket={ticket(api, table)}"

    elsewhere = api.get(f"{other.path}/stream{query}")

    assert refusal(elsewhere) == BAD_TICKET
    assert refusal(api.get(f"{table.path}/stream{query}")) == BAD_TICKET


@pytest.mark.parametrize("made_up", ["a" * 26, "a", "ä", "kup_"])
def test_a_made_up_ticket_opens_nothing(api: Api, table: Table, made_up: str) -> None:
    answer = api.get(f"{table.path}/stream?ticket={made_up}")

    assert refusal(answer) == BAD_TICKET


def test_a_ticket_and_a_token_are_one_too_many(api: Api, table: Table) -> None:
    query = f"?ticket={ticket(api, table)}"

    answer = api.get(f"{table.path}/stream{query}", table.tokens[0])

    assert refusal(answer) == (422, "invalid", "two-proofs")
    Heard(api, table, query=query).next()


def test_a_ticket_shows_no_more_than_its_token_shows_now(
    api: Api, table: Table
) -> None:
    token = table.tokens[0]
    query = f"?ticket={ticket(api, table)}"
    tokens = api.get("/v1/me/tokens", token).json["tokens"]
    for each in tokens:
        api.call("DELETE", f"/v1/me/tokens/{each['id']}", token)

    answer = api.get(f"{table.path}/stream{query}")

    assert answer.status_code == 401


def test_a_stream_by_ticket_goes_on_behind_the_last_event(
    api: Api, table: Table
) -> None:
    last = table.view().json["revision"]
    table.play_a_turn()
    table.play_a_turn()
    query = f"?ticket={ticket(api, table)}&last_event_id={last}"

    messages = Heard(api, table, query=query).until_view()

    events = api.get(f"{table.path}/events?after={last}").json["events"]
    assert [each.json for each in messages[:-1]] == events
    assert len(events) >= 2


def test_what_a_browser_sends_itself_comes_before_the_address(
    api: Api, table: Table
) -> None:
    first = table.view().json["revision"]
    table.play_a_turn()
    later = table.view().json["revision"]
    query = f"?ticket={ticket(api, table)}&last_event_id={first}"

    messages = Heard(api, table, query=query, last_id=str(later)).until_view()

    assert [each.event for each in messages] == ["view"]


def test_only_who_may_read_a_game_gets_a_ticket_for_it(api: Api, table: Table) -> None:
    path = f"{table.path}/stream-tickets"
    with api.app.app_context():
        inviting = table.token(0, scopes=("invite",))
        elsewhere = table.token(0, game_id=Table(api).table.id)
    nowhere = f"/v1/games/{unknown_game()}/stream-tickets"

    refused = [
        refusal(api.call("POST", path)),
        refusal(api.call("POST", path, inviting)),
        refusal(api.call("POST", path, elsewhere)),
        refusal(api.call("POST", nowhere, stranger(api))),
    ]

    assert [code for code, *_ in refused] == [401, 403, 403, 404]


def test_whoever_reads_valkey_has_neither_ticket_nor_token(
    api: Api, table: Table, valkey: redis.Redis
) -> None:
    given = ticket(api, table).encode()
    token = table.tokens[0].removeprefix("kup_").encode()

    [key] = valkey.keys(KEYS)
    kept = key + valkey.get(key)

    assert given not in kept
    assert token not in kept


def test_tickets_of_people_are_known_as_their_tokens_are(
    api: Api, table: Table
) -> None:
    practice = api.call("POST", "/v1/practice-games").json
    path = f"/v1/games/{practice['game']}/stream-tickets"
    signs = signer(api.app.config["KINGUP"].secret_key)

    anybodys = api.call("POST", path, practice["token"]).json["ticket"]
    persons = ticket(api, table)
    shown = {"PATH_INFO": f"{table.path}/stream"}

    assert signs.has_mailbox(shown | {"QUERY_STRING": f"ticket={persons}"})
    assert signs.has_mailbox(
        shown | {"QUERY_STRING": f"last_event_id=7&ticket={persons}"}
    )
    assert not signs.has_mailbox(shown | {"QUERY_STRING": f"ticket={anybodys}"})


def test_without_valkey_there_are_no_tickets_for_now(api: Api, table: Table) -> None:
    with api.app.app_context():
        here = live.current()
    away = Tickets("redis://127.0.0.1:1", api.app.config["KINGUP"].secret_key)
    given, usual, here.tickets = ticket(api, table), here.tickets, away
    try:
        none = ask(api, table, table.tokens[0])
        closed = api.get(f"{table.path}/stream?ticket={given}")
    finally:
        here.tickets = usual

    assert [none.status_code, closed.status_code] == [503, 503]
    Heard(api, table, query=f"?ticket={given}").next()


@pytest.mark.usefixtures("limited")
def test_a_neighbour_with_a_spent_ticket_shuts_nobody_out(
    api: Api, table: Table
) -> None:
    spent, good = ticket(api, table, 1), ticket(api, table)
    Heard(api, table, query=f"?ticket={spent}").close()

    bad = [api.get(f"{table.path}/stream?ticket={spent}") for _ in range(130)]
    stream = Heard(api, table, query=f"?ticket={good}")

    assert stream.next().json["own"]["seat"] == 0
    assert {answer.status_code for answer in bad} == {401, 429}
    assert bad[-1].json["limit"] == "refused-proofs"


@pytest.mark.parametrize("path", ["{game}/stream", "/v1/me/stream"])
def test_whoever_only_asks_for_the_head_spends_no_ticket(
    api: Api, table: Table, path: str
) -> None:
    path = path.format(game=table.path)
    given = api.call("POST", f"{path}-tickets", table.tokens[0]).json["ticket"]

    heads = [api.call("HEAD", f"{path}?ticket={given}") for _ in range(2)]
    stream = Heard(api, path.removesuffix("/stream"), query=f"?ticket={given}")

    assert [each.status_code for each in heads] == [200, 200]
    assert stream.answer.status_code == 200
    assert api.call("HEAD", f"{path}?ticket={given}").status_code == 401
