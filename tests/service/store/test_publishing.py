"""What changes what anybody sees of a game is published at once, a ballot isn't."""

from collections.abc import Iterator
from contextlib import suppress

import pytest
import yaml

from engine.board import Card
from engine.commands import Ballot
from service.game import handlers
from service.store import publisher
from service.store.transactions import transaction
from service.values.principals import Bot
from tests.rig.service import seated
from tests.rig.service.called import Listening, listening
from tests.rig.service.loud import LOUD, OPEN, SIMON, Stage
from tests.rig.service.manual import ROOT
from tests.rig.service.programs import Api, Table, in_election
from tests.rig.service.seated import run

HERE = {
    "updateGame",
    "takeSeat",
    "leaveSeat",
    "assignSeat",
    "createInvitation",
    "answerInvitation",
    "cancelGame",
    "updateMe",
    "deleteMe",
    "putAnswer",
    "takeBack",
    "letTimePass",
    "sendMessage",
    "leaveGame",
    "comeBack",
    "announceAbsence",
    "endWait",
    "callOffAbsence",
    "pauseGame",
    "resumeGame",
    "extendDecision",
    "propose",
    "voteOnProposal",
}
"""The operations that change what somebody sees, each tried by one of `LOUD`."""

NOWHERE_SEEN = {
    # Nobody can watch what wasn't there.
    "createGame",
    "createPracticeGame",
    # A game that is over has no watchers any more, whatever it leads on to.
    "createRematch",
    # No game shows anything of these.
    "correctAddress",
    "requestSignIn",
    "confirmSignIn",
    "confirmAddress",
    "createToken",
    "revokeToken",
    "forgetDevice",
    "createStreamTicket",
    "createTurnsTicket",
    # Who is named for a seat its table alone is told, and no view.
    "nameReplacement",
    "endReplacement",
    # What somebody doesn't want to read they know themself, and nobody else learns it.
    "muteSeat",
    "unmuteSeat",
    "reportMessage",
    # What is answered ahead its seat alone reads.
    "putStandingAnswers",
    "deleteStandingAnswers",
    # Whose cards are mailed to themself they know alone.
    "orderCards",
    "endCardOrder",
    # At which address one's own questions are read.
    "makeCalendar",
    "endCalendar",
}


@pytest.fixture
def stage(api: Api) -> Stage:
    return Stage(api)


@pytest.fixture
def ear(api: Api, environ: dict[str, str]) -> Iterator[Listening]:
    with listening(api.app, environ) as found:
        yield found


@pytest.mark.parametrize("name", LOUD)
def test_what_changes_what_anybody_sees_is_called_when_it_is_committed(
    stage: Stage, ear: Listening, name: str
) -> None:
    act = LOUD[name](stage)
    before = stage.seen()
    ear.called()

    act()
    called = ear.called()

    assert stage.seen() != before
    assert str(stage.id) in called


def test_every_operation_that_writes_is_known_here() -> None:
    contract = yaml.load(
        (ROOT / "openapi.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader
    )
    writes = {
        way["operationId"]
        for path in contract["paths"].values()
        for method, way in path.items()
        if method not in ("get", "parameters")
    }

    assert writes == HERE | NOWHERE_SEEN


def test_a_ballot_is_called_to_nobody_and_changes_nothing_that_others_see(
    api: Api, stage: Stage, ear: Listening
) -> None:
    table = in_election(api)
    stage.show(table)
    ear.called()

    for seat in range(3):
        before = stage.seen(seat)
        table.put(seat, {**table.first_legal(seat), "line": "Long live somebody!"})
        assert stage.seen(seat) == before

    assert ear.called() == set()


def test_a_bots_ballot_is_called_to_nobody(
    api: Api, stage: Stage, ear: Listening
) -> None:
    with api.app.app_context():
        table = seated.started(2, bots=1, edition="jester", placement="random")
        table.nominate()
        stage.path = f"/v1/games/{table.id}"
        before = stage.seen()
        ear.called()

        handlers.answer(table.id, Bot(1), table.decision, Ballot(Card.YES))

    assert ear.called() == set()
    assert stage.seen() == before


def test_nothing_is_called_that_was_not_committed(api: Api, ear: Listening) -> None:
    table = Table(api)
    ear.called()

    with api.app.app_context(), suppress(ZeroDivisionError), transaction():
        publisher.publish(table.id)
        raise ZeroDivisionError

    assert ear.called() == set()


def test_what_a_call_says_is_the_game_and_nothing_else(
    api: Api, ear: Listening
) -> None:
    table = Table(api)
    ear.called()

    table.play_a_turn()

    assert ear.called() == {str(table.id)}


def test_a_program_at_many_tables_calls_a_few_of_them(
    api: Api, stage: Stage, ear: Listening
) -> None:
    stage.open(OPEN, OPEN)
    stage.ask(1, "POST", "/seats", SIMON)()
    with api.app.app_context():
        run(
            "INSERT INTO game SELECT (jsonb_populate_record(g, jsonb_build_object("
            "'id', gen_random_uuid()))).* FROM game g, generate_series(1, 150)"
        )
        run(
            "INSERT INTO seat (game_id, number, person_id, name, state, word)"
            " SELECT g.id, s.number, s.person_id, s.name, s.state, s.word"
            " FROM game g, seat s WHERE s.person_id IS NOT NULL"
            " ON CONFLICT DO NOTHING"
        )
    ear.called()

    stage.ask(1, "PATCH", "/v1/me", {"program": True})()
    first = ear.called()
    stage.ask(1, "PATCH", "/v1/me", {"program": True, "name": "Simone"})()

    assert len(first) == 100
    assert ear.called() == set()
