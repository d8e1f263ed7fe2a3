"""What changes what anybody sees of a game is called at once, and a ballot isn't."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from uuid import UUID

import pytest
import yaml

from engine.board import Card
from engine.commands import Ballot
from service import handlers
from service.principals import Bot, System
from service.store import calling, forgetting
from service.store import links as linkstore
from service.store.transactions import transaction
from service.tables import expiring
from tests.service import seated
from tests.service.called import Listening, listening
from tests.service.manual import ROOT
from tests.service.programs import Api, Table, in_election, let_pass, operator_token
from tests.service.seated import run

OPEN, BOT = {"kind": "open"}, {"kind": "bot"}
ASKED = {"kind": "person", "address": "terry@example.org", "name": "Terry"}

SIMON = {"name": "Simon"}

Act = Callable[[], object]


class Stage:
    """A game, and all who look at it: some with a token, and a stranger without."""

    def __init__(self, api: Api) -> None:
        self.api = api
        self.tokens: list[str] = []
        self.path = ""

    @property
    def id(self) -> UUID:
        return UUID(self.path.rpartition("/")[2])

    def open(self, *seats: object, **terms: object) -> None:
        """A table that fills up: Rachel hosts, Simon and Rita look on."""
        names = ("rachel", "simon", "rita")
        self.tokens = [operator_token(self.api, f"{n}@example.org") for n in names]
        wish = {"seats": seats, "visibility": "listed", **terms}
        opened = self.api.call("POST", "/v1/games", self.tokens[0], json=wish)
        assert opened.status_code == 201, opened.text
        self.path = f"/v1/games/{opened.json['id']}"

    def show(self, table: Table) -> None:
        """A game that runs."""
        self.path, self.tokens = table.path, table.tokens

    def ask(self, who: int, method: str, path: str = "", json: object = None) -> Act:
        """A request still to be sent, which then succeeds."""
        where = path if path.startswith("/v1") else self.path + path

        def act() -> None:
            options = {} if json is None else {"json": json}
            answer = self.api.call(method, where, self.tokens[who], **options)
            assert answer.status_code < 300, answer.text

        return act

    def inside(self, act: Callable[..., object], *args: object) -> Act:
        """Something still to be done behind the API's back."""

        def done() -> None:
            with self.api.app.app_context(), transaction():
                act(*args)

        return done

    def seen(self, *blind: int) -> list[str]:
        """The marks of all that everybody sees, but those who are `blind`."""
        lookers = [t for n, t in enumerate(self.tokens) if n not in blind]
        asked = [(f"{self.path}{each}", t) for t in (None, *lookers) for each in SHOWN]
        asked += [("/v1/me/turns?view=true", token) for token in lookers]
        answers = [self.api.get(path, token) for path, token in asked]
        return [a.headers.get("ETag", str(a.status_code)) for a in answers]


SHOWN = ("", "/view")


@pytest.fixture
def stage(api: Api) -> Stage:
    return Stage(api)


@pytest.fixture
def ear(api: Api, environ: dict[str, str]) -> Iterator[Listening]:
    with listening(api.app, environ) as found:
        yield found


def terms(stage: Stage) -> Act:
    stage.open(OPEN, OPEN)
    return stage.ask(0, "PATCH", json={"rounds": 1})


def visibility(stage: Stage) -> Act:
    stage.open(OPEN, OPEN)
    return stage.ask(0, "PATCH", json={"visibility": "link"})


def joining(stage: Stage) -> Act:
    stage.open(OPEN, OPEN)
    return stage.ask(1, "POST", "/seats", SIMON)


def the_last_one_in(stage: Stage) -> Act:
    stage.open(OPEN, BOT)
    return stage.ask(1, "POST", "/seats", SIMON)


def leaving(stage: Stage) -> Act:
    stage.open(OPEN, OPEN)
    stage.ask(1, "POST", "/seats", {**SIMON, "seat": 1})()
    return stage.ask(1, "DELETE", "/seats/1")


def being_sent_away(stage: Stage) -> Act:
    stage.open(OPEN, OPEN)
    stage.ask(1, "POST", "/seats", {**SIMON, "seat": 1})()
    return stage.ask(0, "DELETE", "/seats/1")


def a_seat_for_a_bot(stage: Stage) -> Act:
    stage.open(OPEN, OPEN)
    return stage.ask(0, "PUT", "/seats/1", BOT)


def a_seat_for_somebody(stage: Stage) -> Act:
    stage.open(OPEN, OPEN)
    return stage.ask(0, "PUT", "/seats/1", ASKED)


def a_seat_for_anybody(stage: Stage) -> Act:
    stage.open(BOT, OPEN)
    return stage.ask(0, "PUT", "/seats/1", OPEN)


def inviting(stage: Stage) -> Act:
    stage.open(OPEN, OPEN)
    asked = {"address": ASKED["address"], "name": "Terry"}
    return stage.ask(0, "POST", "/invitations", asked)


def answered(stage: Stage, choice: str) -> Act:
    stage.open(ASKED, OPEN)
    with stage.api.app.app_context(), transaction():
        token = linkstore.add(seated.link(stage.id, 1))
    path = f"/v1/invitations/{token}/acceptance"
    return stage.ask(1, "POST", path, {"choice": choice, "name": "Terry T."})


def accepting(stage: Stage) -> Act:
    return answered(stage, "in")


def declining(stage: Stage) -> Act:
    return answered(stage, "no")


def never_again(stage: Stage) -> Act:
    return answered(stage, "never")


def calling_off(stage: Stage) -> Act:
    stage.open(OPEN, OPEN)
    return stage.ask(0, "DELETE")


def confirming(stage: Stage) -> Act:
    with stage.api.app.app_context():
        game_id = seated.draft(3)
    stage.path = f"/v1/games/{game_id}"
    stage.tokens = [operator_token(stage.api, seated.address("Rachel"))]
    return stage.inside(seated.confirm, game_id)


def expiring_at_last(stage: Stage) -> Act:
    stage.open(OPEN, OPEN)
    let_pass(stage.api, 24 * 23)
    stage.inside(expiring.step, stage.id)()
    let_pass(stage.api, 24 * 7)
    return stage.inside(expiring.step, stage.id)


def marking_a_program(stage: Stage) -> Act:
    stage.open(OPEN, OPEN)
    stage.ask(1, "POST", "/seats", SIMON)()
    return stage.ask(1, "PATCH", "/v1/me", {"program": True})


def erasing_a_guest(stage: Stage) -> Act:
    stage.open(OPEN, OPEN)
    stage.ask(1, "POST", "/seats", SIMON)()
    return stage.ask(1, "DELETE", "/v1/me")


def erasing_somebody_asked(stage: Stage) -> Act:
    stage.open({**ASKED, "address": "simon@example.org"}, OPEN)
    return stage.ask(1, "DELETE", "/v1/me")


def erasing_a_player(stage: Stage) -> Act:
    stage.show(Table(stage.api))
    return stage.ask(1, "DELETE", "/v1/me")


def erasing_the_host(stage: Stage) -> Act:
    stage.open(OPEN, OPEN)
    return stage.ask(0, "DELETE", "/v1/me")


def placing(stage: Stage) -> Act:
    table = Table(stage.api)
    stage.show(table)
    return table.play_a_turn


def resolving(stage: Stage) -> Act:
    table = in_election(stage.api)
    stage.show(table)
    for seat in range(3):
        table.put(seat, table.first_legal(seat))
    return lambda: table.inside("resolve")


def reminding(stage: Stage) -> Act:
    table = in_election(stage.api)
    stage.show(table)
    return stage.inside(handlers.remind, table.id, table.decision)


def the_clock(stage: Stage) -> Act:
    table = Table(stage.api)
    stage.show(table)
    let_pass(stage.api, 25)
    return stage.inside(handlers.run_out, table.id, table.decision)


def cancelling(stage: Stage) -> Act:
    table = Table(stage.api)
    stage.show(table)
    return stage.inside(handlers.cancel, table.id, System())


def forgetting_practice(stage: Stage) -> Act:
    begun = stage.api.call("POST", "/v1/practice-games", json={}).json
    stage.path = f"/v1/games/{begun['game']}"
    let_pass(stage.api, 25)
    return stage.inside(forgetting.practice, 9)


LOUD = (
    terms,
    visibility,
    joining,
    the_last_one_in,
    leaving,
    being_sent_away,
    a_seat_for_a_bot,
    a_seat_for_somebody,
    a_seat_for_anybody,
    inviting,
    accepting,
    declining,
    never_again,
    calling_off,
    confirming,
    expiring_at_last,
    marking_a_program,
    erasing_a_guest,
    erasing_somebody_asked,
    erasing_a_player,
    erasing_the_host,
    placing,
    resolving,
    reminding,
    the_clock,
    cancelling,
    forgetting_practice,
)

HERE = {
    "changeGame",
    "takeSeat",
    "leaveSeat",
    "giveSeat",
    "invitePerson",
    "answerInvitation",
    "deleteGame",
    "changeMe",
    "deleteMe",
    "answerDecision",
}
"""The operations that change what somebody sees, each tried above."""

NOWHERE_SEEN = {
    # Nobody can watch what wasn't there.
    "createGame",
    "createPracticeGame",
    # A game that is over has no watchers any more, whatever it leads on to.
    "createRematch",
    # No game shows anything of these.
    "signIn",
    "confirmSignIn",
    "confirmAddress",
    "createToken",
    "deleteToken",
    "deleteDevice",
    "createStreamTicket",
}


@pytest.mark.parametrize("prepare", LOUD, ids=lambda each: each.__name__)
def test_what_changes_what_anybody_sees_is_called_when_it_is_committed(
    stage: Stage, ear: Listening, prepare: Callable[[Stage], Act]
) -> None:
    act = prepare(stage)
    before = stage.seen()
    ear.called()

    act()
    called = ear.called()

    assert stage.seen() != before
    assert str(stage.id) in called


def test_every_operation_that_writes_is_known_here() -> None:
    contract = yaml.safe_load((ROOT / "openapi.yaml").read_text(encoding="utf-8"))
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
        table.put(seat, table.first_legal(seat))
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
        calling.call(table.id)
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
