"""A client generated from the contract plays whole games: no request is our own."""

import random
import sys
import time
from collections.abc import Iterator
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest

from tests.rig import generated, house
from tests.rig.house import House
from tests.rig.parts import wait_until

LONGEST = 240.0

called = generated.module


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with generated.client(tmp_path_factory.mktemp("generated") / "client") as folder:
        yield folder


@pytest.fixture
def open_house(tmp_path: Path, environ: dict[str, str], database: str) -> Iterator:
    """A web process and a worker that is ready for the bots' turns."""
    built = House(tmp_path / "house", environ, webs=1, workers=1)
    with house.running(built):
        ready = partial(house.answers, built.ports[0], "/readyz")
        wait_until(ready, "the worker's first word")
        yield built


@pytest.mark.proof
@pytest.mark.parametrize(
    ("edition", "bots"), [("classic", ["steady", "random"]), ("jester", ["shrewd"])]
)
def test_a_generated_client_plays_a_whole_game(
    written: Path, open_house: House, edition: str, bots: list[str]
) -> None:
    models, client = called("models"), called("client")
    chance = random.Random(edition)
    wish = models.PracticeGameCreation.from_dict(
        {"name": "Rachel", "edition": edition, "bots": bots}
    )
    origin = open_house.urls[0]

    with client.Client(base_url=origin, timeout=30) as stranger:
        begun = called("api.games.create_practice_game").sync(
            client=stranger, body=wish
        )
    with client.AuthenticatedClient(
        base_url=origin, token=begun.token, timeout=30
    ) as own:
        answers, view = play(own, begun, chance)
        record = called("api.events.list_events").sync(
            begun.game, client=own, limit=500
        )
        game = called("api.games.get_game").sync(begun.game, client=own)

    assert view.status == models.GameStatus.OVER
    assert view.end_reason == models.EndReason.FINISHED
    assert game.ended_at is not None
    assert answers > 3
    kinds = [type(each.event).__name__ for each in record.events]
    assert (kinds[0], kinds[-1]) == ("GameCreatedEvent", "GameOverEvent")
    assert len(kinds) == view.revision
    sys.stdout.write(f"\n{edition}: {answers} answers, {len(kinds)} events\n")


def play(own: Any, begun: Any, chance: random.Random) -> tuple[int, Any]:
    """Answer whenever asked, until the game is over; how often, and the last view."""
    ask, act = (
        called("api.turns.list_turns"),
        called("api.play.put_answer"),
    )
    answers, known, late = (
        0,
        called("types").UNSET,
        time.monotonic() + LONGEST,
    )
    while time.monotonic() < late:
        answer = ask.sync_detailed(client=own, view=True, wait=20, if_none_match=known)
        if answer.status_code == HTTPStatus.NOT_MODIFIED:
            continue
        known = answer.headers["ETag"]
        for turn in answer.parsed.turns:
            given = chance.choice(turn.view.legal).answer
            receipt = act.sync(turn.game, turn.decision, client=own, body=given)
            assert receipt.answer == given
            answers += 1
        if not answer.parsed.running:
            return answers, called("api.play.get_view").sync(begun.game, client=own)
    raise AssertionError("the game didn't end in time")
