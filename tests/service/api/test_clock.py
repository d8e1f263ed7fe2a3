"""The owner of a practice game lets time pass, so that clients are tested at once."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from werkzeug.test import TestResponse

from engine.board import Card
from engine.commands import Ballot
from tests.rig.service import programs, seated
from tests.rig.service.programs import Api, Table, let_pass
from tests.rig.service.seated import Seated, run

HOUR = 3600
ANSWER = {"kind": "election", "card": "yes"}


class Practised:
    """A practice game with a pace of an hour, and its owner's token."""

    def __init__(self, api: Api, **wish: object) -> None:
        wanted = {"decision_time": HOUR, **wish}
        answer = api.call("POST", "/v1/practice-games", json=wanted)
        assert answer.status_code == 201, answer.text
        self.api, self.token = api, answer.json["token"]
        self.id = UUID(answer.json["game"])
        self.path = f"/v1/games/{self.id}"

    @property
    def view(self) -> Any:
        return self.api.get(f"{self.path}/view", self.token).json

    def in_election(self) -> Seated:
        with self.api.app.app_context():
            table = Seated(self.id)
            table.nominate()
        return table

    def passes(self, decision: int, to: str, token: str | None = None) -> TestResponse:
        return self.api.call(
            "POST",
            f"{self.path}/clock",
            token or self.token,
            json={"decision": decision, "to": to},
        )

    def has_a_no(self) -> None:
        """Somebody who still can lays a No."""
        with self.api.app.app_context():
            table = Seated(self.id)
            hands = enumerate(table.game.hands)
            seat = next(seat for seat, hand in hands if Card.NO in hand)
            table.answer(seat, Ballot(Card.NO))

    def answers(self, decision: int, answer: dict[str, str]) -> TestResponse:
        path = f"{self.path}/decisions/{decision}/answer"
        return self.api.call("PUT", path, self.token, json=answer)


def code(answer: TestResponse) -> tuple[int, str]:
    return answer.status_code, answer.json["code"]


def test_practice_has_no_deadline_no_reminder_and_nobody_who_has_laid(
    api: Api,
) -> None:
    game = Practised(api, decision_time=None)
    table = game.in_election()
    with api.app.app_context():
        table.answer(1, Ballot(Card.YES))
        kinds = {kind for (kind,) in run("SELECT kind FROM due")}

    let_pass(api, 23)

    assert kinds == {"bot"}
    assert game.view["decision"]["deadline"] is None
    assert game.view["laid"] is None


def test_practice_with_a_pace_has_a_deadline_and_a_reminder_at_half_time(
    api: Api,
) -> None:
    game = Practised(api)

    with api.app.app_context():
        waits = dict(
            run(
                "SELECT d.kind, d.due_at - e.recorded_at FROM due d"
                " JOIN game g ON g.id = d.game_id"
                " JOIN event e ON e.game_id = g.id AND e.position = g.position"
                " WHERE d.kind IN ('deadline', 'reminder')"
            )
        )

    assert waits["deadline"] == timedelta(seconds=HOUR)
    assert waits["reminder"] == timedelta(seconds=HOUR) / 2
    assert game.view["decision"]["deadline"] is not None
    assert game.view["options"]["decision_time"] == HOUR


@pytest.mark.parametrize("pace", [59, 12 * HOUR + 1, "3600", 60.5])
def test_a_pace_of_practice_ends_before_the_game_would_be_erased(
    api: Api, pace: object
) -> None:
    answer = api.call("POST", "/v1/practice-games", json={"decision_time": pace})

    assert (answer.status_code, answer.json["field"]) == (422, "decision_time")


def test_at_its_reminder_it_is_told_who_has_laid_as_long_as_that_lasts(
    api: Api,
) -> None:
    game = Practised(api)
    table = game.in_election()
    with api.app.app_context():
        table.answer(2, Ballot(Card.YES))
        decision = table.decision
    before = game.view["laid"]

    first = game.passes(decision, "reminder")
    with api.app.app_context():
        table.answer(1, Ballot(Card.YES))
    again = game.passes(decision, "reminder")

    assert before is None
    assert (first.status_code, again.status_code) == (204, 204)
    assert game.view["laid"] == [2]
    assert game.view["decision"]["number"] == decision


def test_at_its_deadline_the_clock_answers_for_whoever_has_not(api: Api) -> None:
    game = Practised(api)
    table = game.in_election()
    with api.app.app_context():
        decision = table.decision

    answer = game.passes(decision, "deadline")

    assert answer.status_code == 204
    with api.app.app_context():
        given = run(
            "SELECT DISTINCT source FROM answer WHERE decision = %(d)s", {"d": decision}
        )
    assert given == [("clock",)]
    assert game.view["round"] == 1
    assert game.view["status"] == "over"


def test_time_that_passes_twice_does_what_it_does_once(api: Api) -> None:
    game = Practised(api)
    decision = game.view["decision"]["number"]
    game.passes(decision, "deadline")
    before = seated.everything(api.app)

    again = [game.passes(decision, to) for to in ("deadline", "reminder")]

    assert [answer.status_code for answer in again] == [204, 204]
    assert seated.everything(api.app) == before
    assert game.view["decision"]["number"] == decision + 1


def test_a_client_meets_what_it_would_wait_hours_for(api: Api) -> None:
    game = Practised(api)
    decision = game.view["decision"]["number"]
    game.passes(decision, "deadline")

    late = api.call(
        "PUT",
        f"{game.path}/decisions/{decision}/answer",
        game.token,
        json={"kind": "move", "character": "A"},
    )

    assert code(late) in ((409, "decision-closed"), (409, "not-asked"))
    events = api.get(f"{game.path}/events?after=0", game.token).json["events"]
    assert [each["event"]["by"] for each in events if "by" in each["event"]] == [
        "clock"
    ]


def test_nobody_else_lets_its_time_pass(api: Api) -> None:
    game, other = Practised(api), Practised(api)
    decision = game.view["decision"]["number"]

    no_token = api.call(
        "POST", f"{game.path}/clock", json={"decision": 1, "to": "deadline"}
    )
    strange = game.passes(decision, "deadline", programs.stranger(api))
    elsewhere = game.passes(decision, "deadline", other.token)
    game.path = f"/v1/games/{programs.unknown_game()}"
    unknown = game.passes(decision, "deadline", programs.stranger(api))

    assert no_token.status_code == 401
    assert (code(strange), code(elsewhere)) == ((403, "forbidden"),) * 2
    assert code(unknown) == (404, "not-found")


@pytest.mark.parametrize("to", ["reminder", "deadline"])
def test_time_is_let_pass_in_practice_alone_and_there_with_a_pace_alone(
    api: Api, to: str
) -> None:
    table, still, game = Table(api), Practised(api, decision_time=None), Practised(api)
    before = seated.everything(api.app)
    body = {"decision": table.decision, "to": to}

    with_people = api.call("POST", f"{table.path}/clock", table.tokens[0], json=body)
    without_pace = still.passes(1, to)
    never_put = game.passes(99, to)

    assert code(with_people) == (409, "not-practice")
    assert code(without_pace) == (409, "no-deadline")
    assert code(never_put) == (409, "beyond-the-record")
    assert never_put.json["revision"] == game.view["revision"]
    assert seated.everything(api.app) == before


@pytest.mark.parametrize(
    ("field", "value"),
    [("to", "morning"), ("to", None), ("decision", 0), ("decision", "1")],
)
def test_a_moment_that_nobody_knows_is_named(
    api: Api, field: str, value: object
) -> None:
    game = Practised(api)
    body = {"decision": 1, "to": "deadline", field: value}

    answer = api.call("POST", f"{game.path}/clock", game.token, json=body)

    assert (answer.status_code, answer.json["field"]) == (422, field)


def test_nobody_is_mailed_what_time_does_in_practice(api: Api) -> None:
    game = Practised(api)
    table = game.in_election()
    with api.app.app_context():
        decision = table.decision

    for to in ("reminder", "deadline"):
        game.passes(decision, to)

    with api.app.app_context():
        assert run("SELECT count(*) FROM notice") == [(0,)]


def test_who_lets_as_much_pass_as_the_game_bears_has_a_bot_on_their_seat(
    api: Api,
) -> None:
    game = Practised(api)
    while not (view := game.view)["seats"][0]["kept"]:
        number = view["decision"]["number"]
        if view["decision"]["kind"] == "election":
            # The first king would end the round, and with it the game.
            game.has_a_no()
        game.passes(number, "deadline")

    late = game.answers(game.view["decision"]["number"], ANSWER)
    back = api.call("DELETE", f"{game.path}/seats/0/departure", game.token)

    assert code(late) == (409, "seat-kept")
    assert code(back) == (409, "cards-not-open")


def test_a_proposal_in_practice_calls_the_game_off_at_once(api: Api) -> None:
    game = Practised(api)
    body = {"kind": "cancel"}

    api.call("POST", f"{game.path}/proposals", game.token, json=body)

    assert game.view["status"] == "over"
