"""The view: fresh for each viewer, kept by ETag, and the past the same for all."""

import pytest

from engine.board import Card
from service.api.http.replies import Moment
from service.game import time_up
from service.tables import seating
from tests.rig.service import programs, seated
from tests.rig.service.programs import Api, Table
from tests.rig.service.seated import run


def test_the_asked_seat_gets_its_legal_answers_with_labels(api: Api) -> None:
    table = Table(api)

    view = table.view(table.asked).json

    assert view["decision"]["question"] == "Whom do you place, and where?"
    assert view["decision"]["seat"] == table.asked
    assert view["legal"] == view["decision"]["offers"]
    assert view["legal"][0] == {
        "answer": {"kind": "placement", "character": "A", "place": "1"},
        "label": "Alighiero to the Craftsmen",
        "nominates": False,
    }
    assert table.view((table.asked + 1) % 3).json["legal"] == []


def test_an_answer_that_nominates_says_so(api: Api) -> None:
    table = Table(api, rounds=1, placement="random")
    while True:
        legal = table.view(table.asked).json["legal"]
        crowning = [offer for offer in legal if offer["nominates"]]
        if crowning:
            break
        table.put(table.asked, legal[-1]["answer"])

    table.put(table.asked, crowning[0]["answer"])

    assert crowning[0]["label"].endswith("onto the throne")
    decision = table.view().json["decision"]
    assert (decision["kind"], decision["seat"]) == ("election", None)
    assert decision["nominee"] == crowning[0]["answer"]["character"]
    assert decision["question"].startswith("Shall ")


def test_legal_answers_are_sent_back_verbatim_to_the_end(api: Api) -> None:
    table = Table(api, rounds=1)

    while (view := table.view().json)["decision"] is not None:
        game = table.game
        if game.election_complete:
            table.inside("resolve")
            continue
        seat = game.asked()[0]
        legal = table.view(seat).json["legal"]
        answer = table.put(seat, legal[0]["answer"], view["decision"]["number"])
        assert answer.status_code == 200

    assert (view["status"], view["phase"], view["end_reason"]) == (
        "over",
        "over",
        "finished",
    )
    assert view["winners"]
    assert view["totals"] == view["scored_rounds"][-1]["totals"]


def test_a_view_that_is_still_the_newest_is_not_sent_again(api: Api) -> None:
    table = Table(api)
    etag = table.view(0).headers["ETag"]

    again = api.get(f"{table.path}/view", table.tokens[0], If_None_Match=etag)

    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["ETag"] == etag
    table.play_a_turn()
    changed = api.get(f"{table.path}/view", table.tokens[0], If_None_Match=etag)
    assert changed.status_code == 200
    assert changed.headers["ETag"] != etag


def test_each_viewer_has_an_etag_and_a_copy_of_their_own(api: Api) -> None:
    table = Table(api)

    answers = [table.view(seat) for seat in (None, 0, 1, 2)]

    assert len({answer.headers["ETag"] for answer in answers}) == 4
    for answer in answers:
        assert answer.headers["Cache-Control"] == "private, no-cache"
        assert answer.headers["Vary"] == "Authorization, Accept-Language"
        assert "Set-Cookie" not in answer.headers


def test_head_tells_what_get_would(api: Api) -> None:
    table = Table(api)

    head = api.call("HEAD", f"{table.path}/view", table.tokens[0])

    assert (head.status_code, head.data) == (200, b"")
    assert head.headers["ETag"] == table.view(0).headers["ETag"]


def test_the_past_is_the_same_bytes_for_everybody_and_for_good(api: Api) -> None:
    table = programs.in_election(api)
    record = table.view().json["revision"]
    past = {at: table.view(None, f"?at={at}").data for at in range(1, record + 1)}
    table.inside("lay", [Card.NO, Card.YES, Card.YES])

    for at, bytes_then in past.items():
        for seat in (None, 0, 1, 2):
            assert table.view(seat, f"?at={at}").data == bytes_then
    table.inside("resolve")
    table.inside("finish")
    for at, bytes_then in past.items():
        assert table.view(0, f"?at={at}").data == bytes_then


def test_the_past_has_nothing_of_the_present(api: Api) -> None:
    table = programs.in_election(api)
    table.inside("lay", [Card.NO, Card.YES, Card.YES])
    table.inside("resolve")
    record = table.view().json["revision"]

    past = table.view(0, f"?at={record}").json

    assert table.view(0).json["showings"] != []
    assert (past["showings"], past["own"], past["legal"]) == ([], None, [])
    assert past["decision"]["deadline"] is None
    assert past["head"] == table.view().json["head"]
    assert past["places"] == table.view().json["places"]
    assert {seat["name"] for seat in past["seats"]} == {None}


def test_the_past_before_the_start_is_an_empty_castle(api: Api) -> None:
    table = Table(api)

    first = table.view(None, "?at=1").json

    assert (first["phase"], first["status"]) == ("table", "inviting")
    assert first["starting_seat"] is None
    assert first["decision"] is None
    assert all(place["characters"] == [] for place in first["places"])


@pytest.mark.parametrize("at", ["0", "-1", "x", "", "1.5", "9" * 30, "5&at2=1"])
def test_a_moment_that_is_none_is_not_understood(api: Api, at: str) -> None:
    table = Table(api)

    answer = table.view(0, f"?at={at}")

    assert answer.status_code == 422
    assert answer.json["parameter"] in ("at", "at2")


def test_a_moment_yet_to_come_is_not_found(api: Api) -> None:
    table = Table(api)

    answer = table.view(0, "?at=999")

    assert (answer.status_code, answer.json["what"]) == (404, "revision")


def test_a_bad_token_is_unauthorized_even_where_none_is_needed(api: Api) -> None:
    table = Table(api)

    answer = api.get(f"{table.path}/view", "kup_nonsense")

    assert (answer.status_code, answer.json["code"]) == (401, "unauthorized")


def test_a_token_of_somebody_else_sees_what_a_spectator_sees(api: Api) -> None:
    table = Table(api)

    answer = api.get(f"{table.path}/view", programs.stranger(api))

    assert answer.data == table.view().data


def test_a_game_of_its_players_alone_is_not_found_by_others(api: Api) -> None:
    table = Table(api, visibility="players")
    stranger = programs.stranger(api)

    for path in ("", "/view", "/view?at=3", "/events"):
        for token in (None, stranger):
            answer = api.get(f"{table.path}{path}", token)
            assert (answer.status_code, answer.json["code"]) == (404, "not-found")
        assert api.get(f"{table.path}{path}", table.tokens[2]).status_code == 200


def draft(api: Api) -> str:
    with api.app.app_context():
        return f"/v1/games/{seated.draft(3)}"


def test_a_draft_is_shown_to_its_host_alone(api: Api) -> None:
    path = draft(api)
    host = programs.operator_token(api)
    guest = programs.operator_token(api, "simon@example.org")

    for below in ("", "/view", "/events"):
        assert api.get(path + below).status_code == 404
        assert api.get(path + below, guest).status_code == 404
        assert api.get(path + below, host).status_code == 200


def test_a_table_before_its_start_shows_its_seats_without_addresses(api: Api) -> None:
    path = draft(api)
    with api.app.app_context():
        seating.confirm(seated.link(path.split("/")[-1], 0, "table"))

    answer = api.get(f"{path}/view")

    assert answer.json["status"] == "inviting"
    assert [(s["name"], s["state"]) for s in answer.json["seats"]] == [
        ("Rachel", "joined"),
        ("Simon", "invited"),
        ("Terry", "invited"),
    ]
    assert answer.json["decision"] is None
    assert "@" not in answer.text


def test_a_view_names_the_readers_seat_to_the_end_and_nobody_elses(api: Api) -> None:
    table = Table(api, rounds=1)
    assert table.view(1).json["seat"] == 1

    table.inside("finish")

    last = table.view(1).json
    assert (last["status"], last["own"], last["seat"]) == ("over", None, 1)
    assert table.view(2).json["seat"] == 2
    assert table.view().json["seat"] is None
    assert table.view(1, "?at=5").json["seat"] is None


def test_a_decision_tells_everybody_alike_since_when_it_waits(api: Api) -> None:
    table = programs.in_election(api)
    readers = (None, 0, 1, 2)
    with api.app.app_context():
        [(moment,)] = run(
            "SELECT recorded_at FROM event WHERE game_id = :g AND type = 'moved'"
            " ORDER BY position DESC LIMIT 1",
            {"g": table.id},
        )

    def since() -> set[str]:
        shown = (table.view(reader).json["decision"] for reader in readers)
        return {decision["opened_at"] for decision in shown}

    before = since()
    programs.let_pass(api, 2)
    table.put(1, table.first_legal(1))
    laid = since()
    programs.let_pass(api, 11)
    with api.app.app_context():
        time_up.remind(table.id, table.decision)

    reminded = since()
    left = api.call("PUT", f"{table.path}/seats/2/departure", table.tokens[2])

    assert left.status_code < 300
    assert before == laid == reminded == since() == {Moment.of(moment)}
    assert table.view(query="?at=5").json["decision"]["opened_at"] is None
