"""Turns: what all of one's games ask, in one answer, as soon as they ask it."""

import time
from typing import Any

import pytest

from service.auth import bearer
from service.store import tokens
from service.store.transactions import transaction
from service.values import entropy
from tests.rig.service import seated
from tests.rig.service.heard import AT_ONCE, Asking, until_waiting
from tests.rig.service.programs import Api, Table, in_election, let_pass, stranger
from tests.rig.service.seated import run
from tests.rig.service.turns import LONG_PATH, PATH, VIEWS_PATH, seat_by, turns


def asked_at(api: Api, me: str, number: int) -> list[Table]:
    """Tables that ask somebody, each with a later deadline than the one before."""
    tables = [Table(api) for _ in range(number)]
    for hours, table in enumerate(tables):
        let_pass(api, hours)
        table.play_a_turn()
        seat_by(api, table, table.asked, me)
    return tables


def test_a_turn_has_all_that_it_takes_to_answer(api: Api) -> None:
    table = Table(api)
    seat = table.asked

    (turn,) = turns(api.get(VIEWS_PATH, table.tokens[seat]))

    view = table.view(seat).json
    assert turn["view"] == view
    assert (turn["game"], turn["decision"]) == (str(table.id), table.decision)
    assert turn["kind"] == view["decision"]["kind"]
    assert turn["deadline"] == view["decision"]["deadline"]
    path = turn["answer_url"].removeprefix("http://localhost")
    given = view["legal"][0]["answer"]
    put = api.call("PUT", path, table.tokens[seat], json=given)
    assert put.status_code == 200
    later = turns(api.get(PATH, table.tokens[seat]))
    assert [each["decision"] for each in later] != [turn["decision"]]


def test_without_being_asked_for_no_view_is_sent(api: Api) -> None:
    table = Table(api)
    seat = table.asked

    (brief,) = turns(api.get(PATH, table.tokens[seat]))
    (whole,) = turns(api.get(VIEWS_PATH, table.tokens[seat]))

    assert brief == {**whole, "view": None}


def test_a_list_is_read_in_parts_that_lead_on(api: Api) -> None:
    me = stranger(api)
    tables = asked_at(api, me, 5)
    with api.app.app_context():
        run("UPDATE game SET deadline = NULL WHERE id = :g", {"g": tables[1].id})
    whole = turns(api.get(VIEWS_PATH, me))

    found, path, sizes = [], f"{VIEWS_PATH}&limit=2", []
    while path:
        answer = api.get(path, me)
        sizes.append(len(turns(answer)))
        found += turns(answer)
        link = answer.headers.get("Link", "")
        path = link.partition(">")[0].removeprefix("<http://localhost")

    assert (found, sizes) == (whole, [2, 2, 1])
    assert whole[-1]["game"] == str(tables[1].id)


@pytest.mark.parametrize(
    "query", ["limit=0", "limit=201", "cursor=x", "view=yes", "wait=61", "wait=-1"]
)
def test_a_list_that_is_none_is_not_understood(api: Api, query: str) -> None:
    answer = api.get(f"{PATH}?{query}", stranger(api))

    assert (answer.status_code, answer.json["code"]) == (422, "invalid")
    assert answer.json["parameter"] == query.partition("=")[0]


def test_who_is_not_asked_has_no_turn(api: Api) -> None:
    table = Table(api)

    others = [seat for seat in range(3) if seat != table.asked]

    assert [turns(api.get(PATH, table.tokens[seat])) for seat in others] == [[], []]


def test_the_most_urgent_turn_comes_first(api: Api) -> None:
    me = stranger(api)
    first, second, third = asked_at(api, me, 3)
    with api.app.app_context():
        late = "UPDATE game SET deadline = :d WHERE id = :g"
        run(late, {"d": None, "g": first.id})
        run(
            "UPDATE game SET deadline = (SELECT deadline FROM game WHERE id = :o)"
            " WHERE id = :g",
            {"o": second.id, "g": third.id},
        )

    found = [each["game"] for each in turns(api.get(PATH, me))]

    tied = sorted((str(second.id), str(third.id)))
    assert found == [*tied, str(first.id)]


def test_a_token_for_one_game_sees_that_game_alone(api: Api) -> None:
    me = stranger(api)
    tables = [Table(api) for _ in range(2)]
    for table in tables:
        seat_by(api, table, table.asked, me)
    with api.app.app_context():
        person = tokens.bearer(entropy.digest(me))
        assert person is not None
        with transaction():
            single = tokens.issue(
                person.person_id, "one", ("games:read",), tables[1].id
            ).token

    found = turns(api.get(PATH, single))

    assert [each["game"] for each in found] == [str(tables[1].id)]
    assert len(turns(api.get(PATH, me))) == 2


def test_turns_are_for_who_may_read(api: Api) -> None:
    table = Table(api)
    with api.app.app_context():
        blind = table.token(0, scopes=("games:play",))

    assert api.get(PATH).status_code == 401
    assert api.get(PATH, "kup_nobody").status_code == 401
    assert api.get(PATH, blind).status_code == 403
    assert api.get(f"{PATH}?wait=61", table.tokens[0]).status_code == 422


def test_a_ballot_takes_ones_own_turn_and_changes_nobody_elses(api: Api) -> None:
    table = in_election(api)
    paths = (PATH, VIEWS_PATH)
    before = [api.get(path, table.tokens[1]) for path in paths]

    table.put(0, table.first_legal(0))
    after = [api.get(path, table.tokens[1]) for path in paths]

    assert [each.data for each in after] == [each.data for each in before]
    marks = [[each.headers["ETag"] for each in answers] for answers in (before, after)]
    assert marks[0] == marks[1]
    assert turns(api.get(PATH, table.tokens[0])) == []


def test_waiting_ends_with_the_turn(api: Api) -> None:
    table = Table(api)
    first = table.asked
    next_one = (first + 1) % 3
    asking = Asking(api, LONG_PATH, table.tokens[next_one])
    until_waiting(api)

    number, _, _ = table.play_a_turn()
    found = turns(asking.answer())

    assert [each["decision"] for each in found] == [number + 1]


def test_a_turn_that_is_there_is_not_waited_for(api: Api) -> None:
    table = Table(api)
    started = time.monotonic()

    found = turns(api.get(LONG_PATH, table.tokens[table.asked]))

    assert len(found) == 1
    assert time.monotonic() - started < AT_ONCE


def test_waiting_notices_a_game_that_starts_meanwhile(api: Api) -> None:
    with api.app.app_context():
        game_id = seated.draft(3, tag="+starts", first=0)
        seated.confirm(game_id)
        seated.accept(game_id, 1)
        token = bearer.issue_token(seated.address("Rachel", "+starts"))
    asking = Asking(api, LONG_PATH, token)
    until_waiting(api)

    with api.app.app_context():
        seated.accept(game_id, 2)
    found = turns(asking.answer())

    assert [each["game"] for each in found] == [str(game_id)]


def test_others_ballots_do_not_end_the_waiting(api: Api) -> None:
    table = in_election(api)
    table.put(0, table.first_legal(0))
    started = time.monotonic()
    asking = Asking(api, f"{PATH}?wait=2", table.tokens[0])

    until_waiting(api)
    table.put(1, table.first_legal(1))

    assert turns(asking.answer()) == []
    assert time.monotonic() - started >= 2


def test_a_token_that_is_revoked_while_it_waits_gets_nothing(api: Api) -> None:
    table = Table(api)
    seat = (table.asked + 1) % 3
    asking = Asking(api, LONG_PATH, table.tokens[seat])
    until_waiting(api)

    with api.app.app_context():
        run("UPDATE token SET revoked_at = kingup_now()")
        table.table.answer(table.table.game.asked()[0], _any_answer(table))

    assert asking.answer().status_code == 401


def _any_answer(table: Table) -> Any:
    game = table.table.game
    return seated.own(game, game.asked()[0]).legal[0].answer


def test_a_game_of_a_newer_version_hides_no_other(api: Api) -> None:
    me = stranger(api)
    tables = [Table(api) for _ in range(2)]
    for table in tables:
        seat_by(api, table, table.asked, me)
    with api.app.app_context():
        run("UPDATE game SET snapshot_format = 99 WHERE id = :g", {"g": tables[0].id})

    found = turns(api.get(PATH, me))

    assert [each["game"] for each in found] == [str(tables[1].id)]
