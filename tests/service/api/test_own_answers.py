"""One's own answer and its receipt are read back by its seat, and by nobody else."""

import json

import pytest
from werkzeug.test import TestResponse

from service.game import time_up
from tests.rig.service import programs
from tests.rig.service.programs import Api, Table, in_election

BY_HAND = {"source": "person", "reopened": None, "wished": None}


def read(table: Table, seat: int, decision: int) -> TestResponse:
    path = f"{table.path}/decisions/{decision}/answer"
    return table.api.get(path, table.tokens[seat])


def test_an_answer_is_read_back_with_its_receipt(api: Api) -> None:
    table = Table(api)
    seat, decision = table.asked, table.decision
    receipt = table.put(seat, table.first_legal(seat)).json

    answer = read(table, seat, decision)

    assert answer.status_code == 200
    assert answer.json == {**receipt, **BY_HAND}


def test_a_ballot_is_read_back_while_its_election_is_open(api: Api) -> None:
    table = in_election(api)
    receipt = table.put(1, {"kind": "election", "card": "no"}).json

    answer = read(table, 1, table.decision)

    assert answer.json == {**receipt, **BY_HAND}
    assert answer.json["commitment"]


@pytest.mark.parametrize("who", ["other seat", "host without it", "stranger"])
def test_nobody_learns_of_anothers_answer(api: Api, who: str) -> None:
    table = in_election(api)
    number = table.decision
    path = f"{table.path}/decisions/{number}/answer"
    tokens = {
        "other seat": table.tokens[2],
        "host without it": table.tokens[0],
        "stranger": programs.stranger(api),
    }

    before = api.get(path, tokens[who])
    table.put(1, {"kind": "election", "card": "no"})
    after = api.get(path, tokens[who])
    none = api.get(
        f"/v1/games/{programs.unknown_game()}/decisions/1/answer", tokens[who]
    )
    never = api.get(f"{table.path}/decisions/4000/answer", tokens[who])

    assert before.status_code == 404
    assert before.json["what"] == "answer"
    assert before.data == after.data == none.data == never.data
    assert dict(before.headers).keys() == dict(after.headers).keys()


def test_the_clocks_answer_for_a_seat_is_called_its_own(api: Api) -> None:
    table = Table(api)
    seat, decision = table.asked, table.decision
    programs.let_pass(api, 25)
    with api.app.app_context():
        time_up.run_out(table.id, decision)

    answer = read(table, seat, decision)

    assert (answer.status_code, answer.json["source"]) == (200, "clock")
    assert json.loads(answer.data)["revision"] is not None
