"""Whoever has a list of turns waits for another one, whatever is open meanwhile."""

import time

import pytest

from service.game import time_up
from tests.rig.service.heard import AT_ONCE, Asking, until_waiting
from tests.rig.service.programs import Api, Table, in_election, stranger
from tests.rig.service.turns import LONG_PATH, PATH, end, seat_by, turns

SHORT_PATH = f"{PATH}?wait=2"


def mark(api: Api, token: str, path: str = PATH) -> str:
    return api.get(path, token).headers["ETag"]


def waiting(api: Api, token: str, path: str = LONG_PATH) -> Asking:
    """Somebody who has the list as it is and waits for another one."""
    at_once = path.replace(LONG_PATH, f"{PATH}?wait=0")
    asking = Asking(api, path, token, If_None_Match=mark(api, token, at_once))
    until_waiting(api)
    return asking


def test_a_turn_that_is_known_is_no_news_until_the_time_is_up(api: Api) -> None:
    table = Table(api)
    me = table.tokens[table.asked]
    known = mark(api, me)
    started = time.monotonic()

    answer = api.get(SHORT_PATH, me, If_None_Match=known)

    assert time.monotonic() - started >= 2
    assert (answer.status_code, answer.data) == (304, b"")
    assert answer.headers["ETag"] == known


def test_another_list_than_the_known_one_is_told_at_once(api: Api) -> None:
    table = Table(api)
    me = table.tokens[table.asked]
    known = mark(api, me)
    table.play_a_turn()
    started = time.monotonic()

    answer = api.get(LONG_PATH, me, If_None_Match=known)

    assert time.monotonic() - started < AT_ONCE
    assert turns(answer) == []


@pytest.mark.parametrize("view", ["", "&view=true"])
def test_a_turn_in_another_game_is_news(api: Api, view: str) -> None:
    me = stranger(api)
    open_one, other = Table(api), Table(api)
    seat_by(api, open_one, open_one.asked, me)
    seat_by(api, other, (other.asked + 1) % 3, me)
    asking = waiting(api, me, LONG_PATH + view)

    other.play_a_turn()
    found = turns(asking.answer())

    assert {each["game"] for each in found} == {str(open_one.id), str(other.id)}


def test_a_turn_that_was_answered_elsewhere_is_gone(api: Api) -> None:
    table = Table(api)
    asking = waiting(api, table.tokens[table.asked])

    table.play_a_turn()

    assert turns(asking.answer()) == []


def test_the_end_of_a_game_is_news_to_whoever_knows_the_list(api: Api) -> None:
    table = Table(api)
    asking = waiting(api, table.tokens[(table.asked + 1) % 3])

    end(api, table)
    answer = asking.answer()

    assert (turns(answer), answer.json["running"]) == ([], 0)


def test_the_end_of_a_game_is_news_to_whoever_has_no_turn(api: Api) -> None:
    table = Table(api)
    asking = Asking(api, LONG_PATH, table.tokens[(table.asked + 1) % 3])
    until_waiting(api)

    end(api, table)
    answer = asking.answer()

    assert (turns(answer), answer.json["running"]) == ([], 0)


def test_how_many_games_run_is_told_whomever_they_ask(api: Api) -> None:
    me = stranger(api)
    tables = [Table(api) for _ in range(3)]
    seat_by(api, tables[0], tables[0].asked, me)
    seat_by(api, tables[1], (tables[1].asked + 1) % 3, me)

    answer = api.get(PATH, me)

    assert (len(turns(answer)), answer.json["running"]) == (1, 2)


@pytest.mark.parametrize("view", ["", "&view=true"])
def test_others_ballots_and_turns_end_no_waiting(api: Api, view: str) -> None:
    table = in_election(api)
    known = mark(api, table.tokens[0], f"{SHORT_PATH}{view}")
    started = time.monotonic()
    asking = Asking(api, f"{SHORT_PATH}{view}", table.tokens[0], If_None_Match=known)

    until_waiting(api)
    table.put(1, table.first_legal(1))
    answer = asking.answer()

    assert answer.status_code == 304
    assert time.monotonic() - started >= 2


def test_a_reminder_is_news_to_whoever_has_the_view(api: Api) -> None:
    table = in_election(api)
    brief = mark(api, table.tokens[0])
    asking = waiting(api, table.tokens[0], f"{LONG_PATH}&view=true")
    table.put(1, table.first_legal(1))

    with api.app.app_context():
        time_up.remind(table.id, table.table.decision)
    (turn,) = turns(asking.answer())

    assert turn["view"]["laid"] == [1]
    assert mark(api, table.tokens[0]) == brief


def test_a_part_of_the_record_that_is_known_is_waited_beyond(api: Api) -> None:
    table = Table(api)
    path = f"{table.path}/events?after=1&wait=20"
    first = api.get(path)
    asking = Asking(api, path, None, If_None_Match=first.headers["ETag"])
    until_waiting(api)

    table.play_a_turn()
    answer = asking.answer()

    assert answer.json["events"][:-1] == first.json["events"]
    assert not answer.json["over"]


def test_a_record_that_is_over_says_so(api: Api) -> None:
    table = Table(api)
    path = f"{table.path}/events?wait=2"
    end(api, table)

    whole = api.get(path)
    again = api.get(path, If_None_Match=whole.headers["ETag"])

    assert whole.json["over"]
    assert again.status_code == 304
