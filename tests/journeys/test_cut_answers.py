"""Answers whose lines are cut: given again, they get their receipt and count once."""

import random
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from flask import Flask

from engine.commands import Answer
from service.auth import bearer
from tests.rig import cut_games, cuts
from tests.rig.house import House, answers
from tests.rig.parts import wait_until
from tests.rig.service import seated
from tests.rig.service.seated import Seated, own, run

KEY = "the same"
WISH = {"seats": [{"kind": "bot"}, {"kind": "bot"}]}


@pytest.fixture(scope="module")
def standing_webs(build: Callable[..., House]) -> House:
    """Two web processes for all of these journeys."""
    return build(webs=2, workers=0)


@pytest.fixture
def webs(standing_webs: House, app: Flask) -> Iterator[House]:
    """Two web processes on clean databases, and the app's context beside them."""
    standing_webs.mend()
    with app.app_context():
        yield standing_webs


def first_answer(table: Seated) -> tuple[int, Answer]:
    """Who is asked, and what they may answer."""
    seat = table.game.asked()[0]
    return seat, own(table.game, seat).legal[0].answer


def test_answers_that_are_cut_count_once(webs: House) -> None:
    figures = cut_games.play(webs, random.Random(1), 60)

    assert figures.answers == 60
    assert figures.cuts > 50


def test_games_whose_making_is_cut_are_made_once(webs: House) -> None:
    token = bearer.issue_token("rachel@example.org")
    before = run("SELECT count(*) FROM game")[0][0]

    made = cut_games.create(webs, random.Random(2), "/v1/games", token, 15)
    practised = cut_games.create(webs, random.Random(3), "/v1/practice-games", None, 10)

    assert {first.status for first, _ in (*made, *practised)} == {201}
    assert all(again.body == first.body for first, again in made)
    assert all(again.json["game"] == first.json["game"] for first, again in practised)
    assert run("SELECT count(*) FROM game")[0][0] == before + 25


def test_an_answer_protects_itself_with_a_key_or_without(webs: House) -> None:
    table = seated.started(3)
    known, (seat, given) = cut_games.tokens(table), first_answer(table)
    number, game_id = table.decision, str(table.id)
    answering = partial(cut_games.answering, game_id, number, Idempotency_Key=KEY)
    other = own(table.game, seat).legal[1].answer
    third = next(s for s in range(3) if s != seat)

    first = cuts.sent(webs.urls[0], answering(known[seat], given))
    with_key = cuts.sent(webs.urls[1], answering(known[seat], given))
    without = cut_games.answering(game_id, number, known[seat], given)
    different = cuts.sent(webs.urls[0], answering(known[seat], other))
    foreign = cuts.sent(webs.urls[0], answering(known[third], given))

    assert first.status == 200
    assert with_key.same == cuts.sent(webs.urls[1], without).same == first.same
    assert (different.status, different.json["code"]) == (409, "already-answered")
    assert (foreign.status, foreign.json["code"]) == (409, "decision-closed")
    assert cut_games.logged(table) == [(number, seat)]


def test_what_was_refused_is_judged_anew(webs: House) -> None:
    table = seated.started(3)
    known, (seat, given) = cut_games.tokens(table), first_answer(table)
    later = next(s for s in range(3) if s != seat)
    game_id = str(table.id)
    answering = partial(
        cut_games.answering, game_id, table.decision + 1, Idempotency_Key=KEY
    )
    wanted = own(table.game, seat).legal[-1].answer

    early = cuts.sent(webs.urls[0], answering(known[later], wanted))
    table.answer(seat, given)
    asked = table.game.asked()[0]
    judged = cuts.sent(webs.urls[0], answering(known[asked], wanted))

    assert (early.status, early.json["code"]) == (409, "beyond-the-record")
    assert judged.status == 200


def test_fifty_at_once_are_one_answer(webs: House) -> None:
    table = seated.started(3)
    known, (seat, given) = cut_games.tokens(table), first_answer(table)
    number = table.decision
    raw = cut_games.answering(
        str(table.id), number, known[seat], given, Idempotency_Key=KEY
    )
    gate = threading.Barrier(50)

    def send(thread: int) -> cuts.Whole:
        gate.wait()
        return cuts.sent(webs.urls[thread % 2], raw)

    with ThreadPoolExecutor(50) as many:
        found = list(many.map(send, range(50)))

    assert {each.same for each in found} == {found[0].same}
    assert found[0].status == 200
    assert cut_games.logged(table) == [(number, seat)]


@pytest.mark.parametrize("path", ["/v1/games", "/v1/practice-games"])
def test_a_key_of_ten_thousand_letters_is_refused_as_a_problem(
    webs: House, path: str
) -> None:
    token = bearer.issue_token("rachel@example.org")
    key = {"Idempotency-Key": "k" * 10_240}

    answer = cuts.sent(webs.urls[0], cuts.request("POST", path, token, {}, key))

    assert (answer.status, answer.json["field"]) == (422, "Idempotency-Key")


def test_a_key_outlives_the_process_that_answered(webs: House) -> None:
    token = bearer.issue_token("rachel@example.org")
    key = {"Idempotency-Key": "before the restart"}
    raw = cuts.request("POST", "/v1/games", token, WISH, key)
    table = seated.started(3)
    known, (seat, given) = cut_games.tokens(table), first_answer(table)
    answering = cut_games.answering(str(table.id), table.decision, known[seat], given)
    before = [cuts.sent(webs.urls[0], each) for each in (raw, answering)]
    for web in webs.webs:
        web.kill()
        web.start()
    wait_until(partial(answers, webs.ports[0]), "the second start")

    after = [cuts.sent(webs.urls[0], each) for each in (raw, answering)]

    assert [each.status for each in before] == [201, 200]
    assert [each.body for each in after] == [each.body for each in before]


def test_without_a_key_each_request_makes_a_game(webs: House) -> None:
    token = bearer.issue_token("rachel@example.org")
    raw = cuts.request("POST", "/v1/games", token, WISH)

    made = [cuts.sent(webs.urls[0], raw) for _ in range(2)]

    assert [each.status for each in made] == [201, 201]
    assert made[0].json["game"] != made[1].json["game"]
