"""The one way to act: every outcome of an answer has its status and code."""

from datetime import timedelta

import psycopg
import pytest
from werkzeug.test import TestResponse

from engine.board import Card
from service.auth import bearer
from service.game import time_up
from service.store import clock
from tests.rig.service import programs, seated
from tests.rig.service.programs import Api, Table

MOVE = {"kind": "move", "character": "O"}
YES, NO = ({"kind": "election", "card": card} for card in ("yes", "no"))


@pytest.fixture
def table(api: Api) -> Table:
    return Table(api)


def outcome(answer: TestResponse) -> tuple[int, str]:
    return answer.status_code, answer.json["code"]


def test_an_answer_gets_its_receipt_alone(table: Table) -> None:
    seat, wanted = table.asked, table.first_legal(table.asked)

    answer = table.put(seat, wanted)

    assert answer.status_code == 200
    assert answer.json == {
        "decision": 1,
        "answer": wanted,
        "revision": 5,
        "commitment": None,
    }


def test_a_ballot_gets_its_commitment_and_no_record_number(api: Api) -> None:
    table = programs.in_election(api)

    answer = table.put(0, NO)

    assert answer.json["revision"] is None
    assert len(bytes.fromhex(answer.json["commitment"])) == 32


@pytest.mark.parametrize("seats", [3])
def test_the_same_answer_again_gets_the_same_receipt_for_ever(
    api: Api, seats: int
) -> None:
    table = Table(api, seats, rounds=1)
    number, seat, answer = table.play_a_turn()
    first = table.put(seat, answer, number)
    table.inside("finish")

    again = table.put(seat, answer, number)

    assert table.game.decision is None
    assert (again.status_code, again.data) == (200, first.data)


def test_the_same_answer_with_its_fields_in_another_order_is_the_same(
    table: Table,
) -> None:
    number, seat, answer = table.play_a_turn()

    again = table.put(seat, dict(reversed(answer.items())), number)

    assert again.status_code == 200


def test_another_answer_is_refused_while_the_decision_is_open(api: Api) -> None:
    table = programs.in_election(api)
    table.put(0, YES)

    assert outcome(table.put(0, NO)) == (409, "already-answered")


def test_another_answer_is_refused_after_the_decision(table: Table) -> None:
    number, seat, answer = table.play_a_turn()
    other = {**answer, "place": "4" if answer["place"] != "4" else "3"}

    assert outcome(table.put(seat, other, number)) == (409, "already-answered")


def test_what_the_clock_answered_is_closed_for_its_seat(api: Api) -> None:
    table = Table(api)
    seat, number = table.asked, table.decision
    wanted = table.first_legal(seat)
    with api.app.app_context():
        clock.shift(timedelta(hours=25))
        assert time_up.run_out(table.id, number)

    for legal in (wanted, {**wanted, "place": "2"}, {**wanted, "place": "3"}):
        assert outcome(table.put(seat, legal, number)) == (409, "decision-closed")


def test_a_decision_that_is_over_is_closed_for_whoever_was_not_asked(
    table: Table,
) -> None:
    number, seat, answer = table.play_a_turn()

    other = table.put((seat + 1) % 3, answer, number)

    assert outcome(other) == (409, "decision-closed")


def test_a_decision_of_another_seat_is_refused(table: Table) -> None:
    other = (table.asked + 1) % 3

    answer = table.put(other, table.first_legal(table.asked))

    assert outcome(answer) == (409, "not-asked")
    assert (answer.json["seat"], answer.json["seats"]) == (other, [table.asked])
    assert answer.json["legal"] == []


@pytest.mark.parametrize("beyond", [1, 40])
def test_a_decision_that_was_never_put_is_told_with_what_there_is(
    table: Table, beyond: int
) -> None:
    there = table.view(table.asked).json

    refused = table.put(table.asked, MOVE, there["decision"]["number"] + beyond)

    assert outcome(refused) == (409, "beyond-the-record")
    assert (refused.json["revision"], refused.json["head"]) == (
        there["revision"],
        there["head"],
    )


def test_no_decision_has_the_number_nought(table: Table) -> None:
    assert outcome(table.put(table.asked, MOVE, 0)) == (409, "no-such-decision")


@pytest.mark.parametrize("number", ["0", "2147483647", "2147483648", "9" * 60, "x"])
def test_a_number_that_is_no_decision_is_refused(table: Table, number: str) -> None:
    answer = table.put(table.asked, MOVE, number)

    assert answer.status_code in (404, 409)


def test_an_answer_of_the_wrong_kind_is_refused_in_words(table: Table) -> None:
    answer = table.put(table.asked, MOVE)

    assert outcome(answer) == (409, "wrong-kind")
    assert answer.json["detail"] == "The question is whom to place, and where."


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ({"kind": "placement", "character": "Z", "place": "1"}, "unknown-character"),
        ({"kind": "placement", "character": "A", "place": "5"}, "no-room"),
        ({"kind": "placement", "character": "A", "place": "attic"}, "no-room"),
    ],
)
def test_an_illegal_answer_is_refused_with_the_legal_ones(
    table: Table, answer: object, code: str
) -> None:
    seat = table.asked

    refused = table.put(seat, answer)

    assert outcome(refused) == (409, code)
    assert refused.json["legal"] == table.view(seat).json["legal"] != []


def test_a_character_placed_already_is_refused(table: Table) -> None:
    _, _, answer = table.play_a_turn()

    assert outcome(table.put(table.asked, answer)) == (409, "already-placed")


def test_a_card_not_held_is_refused_and_told_to_that_seat_alone(api: Api) -> None:
    table = programs.in_election(api)
    table.inside("lay", [Card.NO, Card.YES, Card.YES])
    table.inside("resolve")
    for _ in range(3):
        table.inside("nominate")
        table.inside("lay", [Card.NO, Card.YES, Card.YES])
        table.inside("resolve")
    table.inside("nominate")
    before = [table.view(seat).data for seat in (None, 1, 2)]

    refused = table.put(0, NO)

    assert outcome(refused) == (409, "card-not-held")
    assert refused.json["detail"] == "You hold no No."
    assert [each["answer"] for each in refused.json["legal"]] == [YES]
    assert [table.view(seat).data for seat in (None, 1, 2)] == before
    assert table.put(1, NO).status_code == 200


def test_an_answer_without_a_token_is_unauthorized(table: Table) -> None:
    answer = table.api.call("PUT", f"{table.path}/decisions/1/answer", json=MOVE)

    assert outcome(answer) == (401, "unauthorized")
    assert answer.headers["WWW-Authenticate"] == 'Bearer realm="kingup"'


@pytest.mark.parametrize(
    "header", ["Bearer", "Bearer ", "Basic YTpi", "Bearer kup_x", "kup_x", "Bearer é"]
)
def test_a_header_that_holds_no_token_of_ours_is_unauthorized(
    table: Table, header: str
) -> None:
    answer = table.api.call(
        "PUT",
        f"{table.path}/decisions/1/answer",
        json=MOVE,
        headers={"Authorization": header},
    )

    assert outcome(answer) == (401, "unauthorized")


def test_a_spectators_token_is_forbidden(table: Table) -> None:
    token = programs.stranger(table.api)

    assert outcome(table.put(0, MOVE, token=token)) == (403, "forbidden")


def test_a_token_for_another_game_is_forbidden(api: Api, table: Table) -> None:
    other = Table(api)
    with api.app.app_context():
        token = table.token(0, game_id=other.id)

    answer = table.put(0, MOVE, token=token)

    assert outcome(answer) == (403, "forbidden")
    assert answer.json["reason"] == "other-game"


def test_a_token_without_the_scope_is_forbidden(table: Table) -> None:
    with table.api.app.app_context():
        token = table.token(table.asked, scopes=(bearer.SCOPES[0],))

    answer = table.put(table.asked, MOVE, token=token)

    assert outcome(answer) == (403, "forbidden")
    assert answer.json["scope"] == "games:play"


def test_an_expired_token_is_unauthorized(table: Table) -> None:
    with table.api.app.app_context():
        token = table.token(table.asked, expires_at=clock.now() + timedelta(hours=1))
    wanted = table.first_legal(table.asked)
    programs.let_pass(table.api, 2)

    assert outcome(table.put(table.asked, wanted, token=token)) == (401, "unauthorized")


def test_a_revoked_token_is_unauthorized(table: Table) -> None:
    with table.api.app.app_context():
        seated.run("UPDATE token SET revoked_at = now()")

    assert outcome(table.put(table.asked, MOVE)) == (401, "unauthorized")


def test_no_such_game_is_not_found(table: Table) -> None:
    table.path = f"/v1/games/{programs.unknown_game()}"

    assert outcome(table.put(0, MOVE)) == (404, "not-found")


def test_a_game_of_its_players_alone_is_not_found_by_others(api: Api) -> None:
    table = Table(api, visibility="players")

    answer = table.put(0, MOVE, token=programs.stranger(api))

    assert outcome(answer) == (404, "not-found")


def test_a_locked_game_is_busy_and_says_when_to_try_again(
    table: Table, database: str
) -> None:
    seat, number = table.asked, table.decision
    wanted = table.first_legal(seat)
    plain = database.replace("+psycopg", "", 1)

    with psycopg.connect(plain) as holder:
        holder.execute("SELECT 1 FROM game FOR UPDATE")
        refused = table.put(seat, wanted, number)

    assert outcome(refused) == (503, "busy")
    assert refused.headers["Retry-After"] == "5"
    assert table.put(seat, wanted, number).status_code == 200


def test_a_log_of_a_newer_version_waits_for_a_newer_process(table: Table) -> None:
    with table.api.app.app_context():
        seated.run("UPDATE game SET snapshot_format = 99")

    refused = table.put(0, MOVE, 1)

    assert outcome(refused) == (503, "game-unreadable")
    assert refused.headers["Retry-After"] == "5"
