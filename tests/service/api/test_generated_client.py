"""A client generated from the contract plays on with words that came after it."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.rig import generated
from tests.rig.service.programs import Api, Table

ORIGIN = "http://localhost"
LATER = {b'"no"': b'"abstain"', b'"move"': b'"climb"', b'"moved"': b'"climbed"'}
"""A card, a kind of answer and a type of event, as a later version might have them."""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with generated.client(tmp_path_factory.mktemp("generated") / "client") as folder:
        yield folder


class LaterVersion(httpx.WSGITransport):
    """The service, as if it spoke with words that no contract of today has."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        body = request.read()
        for known, later in LATER.items():
            body = body.replace(later, known)
        plain = {"Content-Length": str(len(body)), "Accept-Encoding": "identity"}
        headers = httpx.Headers({**request.headers, **plain})
        asked = httpx.Request(
            request.method, request.url, headers=headers, content=body
        )
        answer = super().handle_request(asked)
        received = answer.read()
        for known, later in LATER.items():
            received = received.replace(known, later)
        answer.headers.pop("Content-Length", None)
        return httpx.Response(
            answer.status_code, headers=answer.headers, content=received
        )


def test_a_generated_client_plays_a_whole_game_with_words_it_does_not_know(
    written: Path, api: Api
) -> None:
    table, chance = Table(api, 3, rounds=1), random.Random(7)
    clients = [client(api, token) for token in table.tokens]
    given = []

    while running(clients[0]):
        answers = [each for own in clients for each in answered(own, chance)]
        given += answers
        if not answers:
            table.inside("resolve")

    models = generated.module("models")
    climbs = [each for each in given if isinstance(each, models.UnknownAnswer)]
    assert {each.kind for each in climbs} == {"climb"}
    ballots = [each.card for each in given if isinstance(each, models.Ballot)]
    assert {"abstain", models.CardKey.YES} == set(ballots)
    record = generated.module("api.events.list_events").sync(
        table.id, client=clients[0], limit=500
    )
    events = [each.event for each in record.events]
    moved = [each for each in events if isinstance(each, models.UnknownEvent)]
    assert {each.type_ for each in moved} == {"climbed"}
    assert len(moved) == len(climbs)
    assert isinstance(events[-1], models.GameOverEvent)


def client(api: Api, token: str) -> Any:
    """A client of the seat that a token is of."""
    found = generated.module("client").AuthenticatedClient(base_url=ORIGIN, token=token)
    transport = LaterVersion(api.app.wsgi_app)
    bearer = {"Authorization": f"Bearer {token}"}
    http = httpx.Client(base_url=ORIGIN, transport=transport, headers=bearer)
    return found.set_httpx_client(http)


def turns(own: Any) -> Any:
    return generated.module("api.turns.list_turns").sync(client=own, view=True)


def running(own: Any) -> bool:
    return bool(turns(own).running)


def answered(own: Any, chance: random.Random) -> Iterator[Any]:
    """Whatever a seat answers now: a nominee is crowned sooner or later."""
    act = generated.module("api.play.put_answer")
    for turn in turns(own).turns:
        answer = chance.choice(turn.view.legal).answer
        receipt = act.sync(turn.game, turn.decision, client=own, body=answer)
        assert receipt.answer == answer
        yield answer


def test_a_generated_client_is_tested_without_waiting_for_any_deadline(
    written: Path, api: Api
) -> None:
    models, plain = generated.module("models"), httpx.WSGITransport(api.app.wsgi_app)
    http = httpx.Client(base_url=ORIGIN, transport=plain)
    stranger = generated.module("client").Client(base_url=ORIGIN).set_httpx_client(http)
    wish = models.PracticeGameCreation.from_dict({"decision_time": 3600})
    begun = generated.module("api.games.create_practice_game").sync(
        client=stranger, body=wish
    )
    look = generated.module("api.play.get_view").sync
    own = client(api, begun.token)
    asked = look(begun.game, client=own).decision

    answers = [
        generated.module("api.clock.let_time_pass").sync_detailed(
            begun.game,
            client=own,
            body=models.LettingPass.from_dict({"decision": asked.number, "to": to}),
        )
        for to in ("reminder", "deadline", "deadline")
    ]

    assert [answer.status_code for answer in answers] == [204, 204, 204]
    assert asked.deadline is not None
    assert look(begun.game, client=own).decision.number == asked.number + 1
