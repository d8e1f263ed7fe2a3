"""What is refused leaves no trace, and a stale answer is applied to no new turn."""

from flask import Flask

from engine.board import Card
from tests.rig.service import programs, seated
from tests.rig.service.programs import Api, Table

MOVE = {"kind": "move", "character": "O"}
NO = {"kind": "election", "card": "no"}


def refusals(table: Table) -> list[tuple[int, object, int, str | None]]:
    """Ways to be refused: seat, answer, decision, token."""
    asked, number = table.asked, table.decision
    other = (asked + 1) % 3
    wanted = table.first_legal(asked)
    stranger = programs.stranger(table.api)
    elsewhere = Table(table.api).tokens[0]
    return [
        (other, wanted, number, None),
        (asked, MOVE, number, None),
        (asked, NO, number, None),
        (asked, {**wanted, "place": "5"}, number, None),
        (asked, {**wanted, "character": "Z"}, number, None),
        (asked, wanted, number + 1, None),
        (asked, wanted, number, stranger),
        (asked, wanted, number, elsewhere),
        (asked, wanted, number, "kup_nonsense"),
        (asked, {**wanted, "more": 1}, number, None),
    ]


def test_a_refused_answer_changes_no_row_and_no_view(app: Flask, api: Api) -> None:
    table = Table(api)
    ways = refusals(table)
    views = [table.view(seat) for seat in (None, 0, 1, 2)]
    rows = seated.everything(app)

    answers = [table.put(*way) for way in ways]

    assert all(400 <= answer.status_code < 500 for answer in answers)
    assert seated.everything(app) == rows
    for seat, before in zip((None, 0, 1, 2), views, strict=True):
        after = table.view(seat)
        assert (after.data, after.headers["ETag"]) == (
            before.data,
            before.headers["ETag"],
        )


def test_reading_changes_no_row(app: Flask, api: Api) -> None:
    table = Table(api)
    rows = seated.everything(app)

    for method in ("GET", "HEAD", "OPTIONS"):
        for path in ("", "/view", "/view?at=4", "/events", "/decisions/1/answer"):
            for token in (None, table.tokens[0]):
                api.call(method, f"{table.path}{path}", token)

    assert seated.everything(app) == rows


def test_an_answer_to_an_old_turn_is_not_applied_to_a_new_one(api: Api) -> None:
    table = Table(api)
    number, seat, answer = table.play_a_turn()
    while table.asked != seat:
        table.play_a_turn()
    legal = [offer["answer"] for offer in table.view(seat).json["legal"]]
    stale = next(other for other in legal if other != answer)
    head = table.view().json["head"]

    refused = table.put(seat, stale, number)

    assert (refused.status_code, refused.json["code"]) == (409, "already-answered")
    assert refused.json["legal"] == table.view(seat).json["legal"]
    assert table.view().json["head"] == head


def test_a_ballot_of_an_election_before_is_not_laid_in_a_new_one(api: Api) -> None:
    table = programs.in_election(api)
    number = table.decision
    table.inside("lay", [Card.YES, Card.NO, Card.YES])
    table.inside("resolve")
    table.inside("nominate")
    before = [table.view(seat).data for seat in range(3)]

    refused = table.put(0, NO, number)

    assert (refused.status_code, refused.json["code"]) == (409, "already-answered")
    assert [table.view(seat).data for seat in range(3)] == before


def test_an_answer_after_the_end_is_refused(api: Api) -> None:
    table = Table(api, rounds=1)
    seat, number = table.asked, table.decision
    wanted = table.first_legal(seat)
    other = {**wanted, "place": "4"}
    assert table.put(seat, wanted, number).status_code == 200
    table.inside("finish")

    old = table.put(seat, other, number)
    unasked = table.put(seat, wanted, 10_000)

    assert (old.status_code, old.json["code"]) == (409, "already-answered")
    assert (unasked.status_code, unasked.json["code"]) == (409, "game-not-running")
    assert unasked.json["detail"] == "The game is over."
    assert old.json["legal"] == []


def test_a_refusal_moves_no_deadline(api: Api) -> None:
    table = Table(api)
    deadline = table.view().json["decision"]["deadline"]
    programs.let_pass(api, 1)

    table.put((table.asked + 1) % 3, table.first_legal(table.asked))

    assert table.view().json["decision"]["deadline"] == deadline


def test_an_answer_comes_from_its_seat_not_from_what_it_claims(api: Api) -> None:
    table = Table(api)
    wanted = table.first_legal(table.asked)

    refused = table.put(table.asked, {**wanted, "seat": (table.asked + 1) % 3})

    assert (refused.status_code, refused.json["field"]) == (422, "seat")
