"""While an election is open nobody else's answers differ by what was laid."""

from collections.abc import Mapping

import pytest
from werkzeug.test import TestResponse

from engine.board import Card
from service.game import time_up
from tests.rig.service import programs
from tests.rig.service.programs import Api, Table

OWN = ("own", "legal", "seat")
"""What a view has of its reader's seat."""

YES, NO = ({"kind": "election", "card": card} for card in ("yes", "no"))


def fetchable(table: Table, seat: int | None) -> dict[str, tuple[object, ...]]:
    """All that a viewer gets below /v1: status, headers but Date, and body."""
    token = None if seat is None else table.tokens[seat]
    record = table.game.last_decision
    paths = [
        "/v1/games",
        table.path,
        f"{table.path}/view",
        f"{table.path}/events",
        f"{table.path}/events?after=3&limit=2",
        *(f"{table.path}/view?at={at}" for at in range(1, record + 6)),
    ]
    found = {path: whole(table.api.get(path, token)) for path in paths}
    refused = table.put(seat or 0, {"kind": "move", "character": "O"}, token="kup_x")
    return found | {"refused": whole(refused)}


def whole(answer: TestResponse) -> tuple[object, ...]:
    headers = [pair for pair in answer.headers if pair[0] != "Date"]
    return answer.status, headers, answer.data


@pytest.mark.parametrize("ballots", [(YES,), (NO,), (YES, NO), (NO, NO, YES)])
def test_a_ballot_changes_nothing_that_anybody_else_can_fetch(
    api: Api, ballots: tuple[Mapping[str, str], ...]
) -> None:
    table = programs.in_election(api, 4)
    others = [None, *range(len(ballots), 4)]
    before = [fetchable(table, seat) for seat in others]

    for seat, ballot in enumerate(ballots):
        assert table.put(seat, ballot).status_code == 200

    assert [fetchable(table, seat) for seat in others] == before


def test_the_last_ballot_changes_nothing_until_the_reveal(api: Api) -> None:
    table = programs.in_election(api)
    spectator = fetchable(table, None)

    for seat, ballot in enumerate((YES, NO, YES)):
        table.put(seat, ballot)

    assert table.game.election_complete
    assert fetchable(table, None) == spectator


def test_refusing_or_repeating_a_ballot_changes_nothing_either(api: Api) -> None:
    table = programs.in_election(api)
    before = [fetchable(table, seat) for seat in (None, 1, 2)]

    table.put(0, YES)
    table.put(0, YES)
    table.put(0, NO)

    assert [fetchable(table, seat) for seat in (None, 1, 2)] == before


def test_only_who_laid_a_card_sees_it(api: Api) -> None:
    table = programs.in_election(api)

    table.put(1, NO)

    own = table.view(1).json["own"]
    assert own["ballot"] == "no"
    assert table.view(1).json["legal"] == []
    assert [table.view(s).json["own"]["ballot"] for s in (0, 2)] == [None, None]
    assert table.view().json["own"] is None


def test_who_has_laid_a_card_is_shown_from_the_first_reminder_on(api: Api) -> None:
    table = programs.in_election(api)
    table.put(1, NO)
    assert table.view().json["laid"] is None

    with api.app.app_context():
        time_up.remind(table.id, table.decision)
    reminded = table.view().data
    table.put(0, YES)

    assert table.view().json["laid"] == [1]
    assert table.view().data == reminded


def test_a_hand_of_yes_alone_is_asked_like_any_other(api: Api) -> None:
    table = programs.in_election(api)
    for _ in range(4):
        table.inside("lay", [Card.NO, Card.YES, Card.YES])
        table.inside("resolve")
        table.inside("nominate")

    decision = table.view(1).json["decision"]

    assert table.view(0).json["own"]["hand"] == ["yes"]
    assert decision == table.view(0).json["decision"]
    assert [offer["answer"]["card"] for offer in decision["offers"]] == ["yes", "no"]


def test_no_hand_and_no_favourites_of_others_are_in_any_answer(api: Api) -> None:
    table = Table(api)
    seen = table.view(0).get_json()

    spectator = table.view().get_json()

    assert len(seen["own"]["favourites"]) == 6
    assert spectator["own"] is None
    assert spectator["seat"] is None
    assert {k: v for k, v in seen.items() if k not in OWN} == {
        k: v for k, v in spectator.items() if k not in OWN
    }
